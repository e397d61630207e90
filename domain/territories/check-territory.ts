import { swatchNames, territoryKinds, watchStatuses } from '#domain/closed-sets.ts'
import { checkedLater, list, mapped, number, oneOf, text, wholeNumber } from '#domain/kernel/fields.ts'
import { clearable, optional, preset, readChanges, readNew, required, type Sent, type ValuesOf } from '#domain/kernel/form.ts'
import type { Faults } from '#domain/kernel/validation.ts'
import { latitude, longitude } from '#domain/places/where.ts'

const PLACES = { min: 1, max: 50, count: 'Choose 1 to 50 places.' }

/** The request body of a territory. If the kind is sent, fields that it does not need are ignored. */
export const territoryForm = {
  name: required(text('The name', { min: 1, max: 120 })),
  kind: required(oneOf('The kind', territoryKinds)),
  status: preset(oneOf('The status', watchStatuses), 'watching'),
  colour: preset(oneOf('The colour', swatchNames), 'petrol'),
  notes: clearable(text('The notes', { max: 5000, lines: true })),
  /** Read when it is measured. */
  geometry: optional(checkedLater('The geometry', {})),
  address: optional(text('The address', { min: 3, max: 255 })),
  latitude: optional(latitude),
  longitude: optional(longitude),
  /** The plan limits the area, not the radius. */
  radius_miles: optional(number('The radius', { min: 0.5, max: 100, unit: 'miles', decimals: 2 })),
  /** Each place once, in the order sent. */
  place_ids: optional(
    mapped(list('The places', { ...wholeNumber('The id of a place', { min: 1 }), bounds: '' }, PLACES), (ids) => [...new Set(ids)]),
  ),
}

/** The request body that sets a territory's status, and the filter of the listing. */
export const territoryStatusForm = { status: required(territoryForm.status) }

export type TerritoryInput = Sent<typeof territoryForm>

/** The fields of a body, all of them checked. */
export type TerritoryFields = ValuesOf<typeof territoryForm>

/** The fields that are stored as they are sent. The others define the area. */
export type PlainFields = Pick<TerritoryFields, 'name' | 'status' | 'colour' | 'notes'>

/** Checks the body of a new territory. Use the result only if no fault was added. */
export function checkNewTerritory(input: TerritoryInput, faults: Faults): TerritoryFields {
  return readNew(territoryForm, input, faults)
}

/** Checks the body of a change: null clears the notes, and no other field. */
export function checkTerritory(input: TerritoryInput, faults: Faults): Partial<TerritoryFields> {
  return readChanges(territoryForm, input, faults)
}
