import { type TerritoryKind, territoryKinds } from '#domain/closed-sets.ts'
import { missing } from '#domain/kernel/form.ts'
import type { Faults } from '#domain/kernel/validation.ts'
import { isOneOf } from '#domain/kernel/validation.ts'
import { type TerritoryFields, territoryForm } from '#domain/territories/check-territory.ts'
import type { StoredDefinition } from '#domain/territories/definition.ts'

/** The area of a territory, to be measured. An invalid radius is null, so that the other fields are still checked. */
export type AreaInput =
  | { kind: 'polygon'; geometry: unknown }
  | { kind: 'radius'; centre: string | Centre; radius_miles: number | null }
  | { kind: 'places'; place_ids: number[]; radius_miles: number | null }

/** A point sent as coordinates, or one that was located before. */
export interface Centre {
  address: string | null
  latitude: number
  longitude: number
  /** "the centre of ZIP 75034" if the address is located to that centre only. */
  centre_of?: string
}

/** The area fields of a body: a field that was not sent is undefined. */
type AreaFields = { [Name in keyof TerritoryFields]?: TerritoryFields[Name] | undefined }

/** The territory that a change starts from. */
export interface ExistingTerritory {
  kind: TerritoryKind
  definition: StoredDefinition
}

const FIELDS = {
  polygon: ['geometry'],
  radius: ['address', 'latitude', 'longitude', 'radius_miles'],
  places: ['place_ids', 'radius_miles'],
} as const satisfies Record<TerritoryKind, (keyof TerritoryFields)[]>

const ALL = ['geometry', 'address', 'latitude', 'longitude', 'radius_miles', 'place_ids'] as const

/**
 * Reads a territory's area from a body; null if a change leaves the area as it is, or if a fault was added. Fields that a
 * change does not send keep their values, unless the kind changes. A field that was sent and is invalid is null.
 */
export function readArea(fields: AreaFields, before: ExistingTerritory | null, faults: Faults): AreaInput | null {
  const kind = fields.kind ?? before?.kind
  if (kind === undefined || !territoryKinds.includes(kind)) return null
  const sent = ALL.filter((field) => fields[field] !== undefined)
  if (fields.kind === undefined) refuseForeign(kind, sent, faults)
  const stays = before !== null && before.kind === kind
  if (stays && !sent.some((field) => belongs(kind, field))) return null
  const known = stays ? before.definition : {}
  if (kind === 'polygon') return polygonOf(fields, faults)
  if (kind === 'radius') return radiusOf(fields, known as Partial<Centre & { radius_miles: number }>, faults)
  return placesOf(fields, known as { place_ids?: number[]; radius_miles?: number }, faults)
}

const belongs = (kind: TerritoryKind, field: string) => isOneOf<string>(FIELDS[kind], field)

/** Refuses fields that do not belong to the territory's kind: otherwise they would be ignored silently. */
function refuseForeign(kind: TerritoryKind, sent: readonly (typeof ALL)[number][], faults: Faults): void {
  for (const field of sent)
    faults.unless(belongs(kind, field), field, `${territoryForm[field].name} is not part of a ${kind} territory: send the kind with it.`)
}

function polygonOf({ geometry }: AreaFields, faults: Faults): AreaInput | null {
  faults.unless(geometry !== undefined, 'geometry', missing(territoryForm.geometry))
  return geometry == null ? null : { kind: 'polygon', geometry }
}

function radiusOf(fields: AreaFields, known: Partial<Centre & { radius_miles: number }>, faults: Faults): AreaInput | null {
  const centre = centreOf(fields, faults) ?? knownCentre(fields, known)
  const radius_miles = radiusIn(fields, known, faults)
  if (!faults.unless(centre !== null || isAnySent(fields), 'address', 'The address, or a latitude and longitude, is required.')) return null
  return centre ? { kind: 'radius', centre, radius_miles } : null
}

/** Returns the centre that was sent; null if none was, or if it is invalid. */
function centreOf({ address, latitude, longitude }: AreaFields, faults: Faults): string | Centre | null {
  if (address !== undefined) {
    const alone = latitude === undefined && longitude === undefined
    faults.unless(alone, 'address', 'Send the address, or the latitude and longitude, not both.')
    return alone ? address : null
  }
  if (latitude === undefined && longitude === undefined) return null
  faults.unless(latitude !== undefined, 'latitude', 'The latitude is required with the longitude.')
  faults.unless(longitude !== undefined, 'longitude', 'The longitude is required with the latitude.')
  return latitude == null || longitude == null ? null : { address: null, latitude, longitude }
}

const isAnySent = ({ address, latitude, longitude }: AreaFields) =>
  address !== undefined || latitude !== undefined || longitude !== undefined

function knownCentre(fields: AreaFields, { address, latitude, longitude, centre_of }: Partial<Centre>): Centre | null {
  if (isAnySent(fields) || latitude === undefined || longitude === undefined) return null
  return { address: address ?? null, latitude, longitude, ...(centre_of && { centre_of }) }
}

function placesOf(fields: AreaFields, known: { place_ids?: number[]; radius_miles?: number }, faults: Faults): AreaInput | null {
  const place_ids = fields.place_ids ?? known.place_ids
  const radius_miles = radiusIn(fields, known, faults)
  faults.unless(place_ids !== undefined || fields.place_ids === null, 'place_ids', missing(territoryForm.place_ids))
  return place_ids ? { kind: 'places', place_ids, radius_miles } : null
}

function radiusIn(fields: AreaFields, known: { radius_miles?: number }, faults: Faults): number | null {
  const radius_miles = fields.radius_miles ?? known.radius_miles
  faults.unless(radius_miles != null || fields.radius_miles === null, 'radius_miles', missing(territoryForm.radius_miles))
  return radius_miles ?? null
}
