import type { LocationFailure } from '#domain/closed-sets.ts'
import type { LocatedPlace } from '#domain/places/place.ts'

/** Why an address is no one place: the code, and a sentence for whoever wrote it. */
export interface NotLocated {
  failure: LocationFailure
  message: string
}
export type Location = { place: LocatedPlace } | NotLocated

/** The sentence of a failure of which no more is known. */
export const locationFailureTexts: Record<LocationFailure, string> = {
  address_not_found: 'The address was not found.',
  address_ambiguous: 'The address fits several places.',
  outside_coverage: 'The address lies outside the United States and its territories.',
}

export function notLocated(failure: LocationFailure, message: string = locationFailureTexts[failure]): NotLocated {
  return { failure, message }
}
