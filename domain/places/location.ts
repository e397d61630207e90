import type { LocationFailure } from '#domain/closed-sets.ts'
import type { LocatedPlace } from '#domain/places/place.ts'

/** Why an address could not be located: the code, and a sentence for the caller. */
export interface NotLocated {
  failure: LocationFailure
  message: string
}
export type Location = { place: LocatedPlace } | NotLocated

/** Default sentence for each failure. */
export const locationFailureTexts: Record<LocationFailure, string> = {
  address_not_found: 'The address was not found.',
  address_ambiguous: 'The address fits several places.',
  outside_coverage: 'The address lies outside the United States and its territories.',
}

/**
 * An address that could not be located.
 * @param message for the user, by default the sentence of the failure
 */
export function notLocated(failure: LocationFailure, message: string = locationFailureTexts[failure]): NotLocated {
  return { failure, message }
}
