import type { App } from '#domain/app.ts'
import type { PlacePrecision } from '#domain/closed-sets.ts'
import { text } from '#domain/kernel/fields.ts'
import { readNew, required, type Sent } from '#domain/kernel/form.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'
import { addressLine } from '#domain/places/address-line.ts'
import { locate } from '#domain/places/locate.ts'

/** Result of an address look-up; all fields except the message are null if the address could not be located. */
export interface LocatedAddressView {
  label: string | null
  latitude: number | null
  longitude: number | null
  precision: PlacePrecision | null
  failure_message: string | null
}

export const locateForm = { address: required(text('The address', { min: 3, max: 255 })) }

/**
 * Locates an address for the map page, in the same way as for a report. Nothing is stored except in the geocoder's cache.
 * @throws Refusal validation_failed for an address that is too short or too long
 */
export async function locateAddress(
  app: Pick<App, 'db' | 'geocode' | 'clock' | 'log' | 'pool'>,
  input: Sent<typeof locateForm>,
): Promise<LocatedAddressView> {
  const faults = gatherFaults()
  const { address: query } = readNew(locateForm, input, faults)
  faults.refuse()
  const location = await locate(app, query)
  if (!('place' in location)) return { label: null, latitude: null, longitude: null, precision: null, failure_message: location.message }
  const { latitude, longitude, precision } = location.place
  return { label: addressLine({ query, ...location.place }), latitude, longitude, precision, failure_message: null }
}
