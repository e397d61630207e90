import type { NearbyRecord } from '#domain/archive/record.ts'
import type { PlacePrecision } from '#domain/closed-sets.ts'
import { hundredths } from '#domain/evidence/rounding.ts'
import { compassPoint } from '#domain/geo/measure.ts'
import { isPrecise, type LocatedPlace } from '#domain/places/place.ts'

/** The parts of a place that its distances depend on. */
export type Centre = Pick<LocatedPlace, 'postal_code' | 'city' | 'state'> & { precision: PlacePrecision | null }

/** Decimals of a mile: more precision than a ZIP or a city has would mean nothing. */
const DECIMALS = { precise: 2, centre: 1 }

/** Returns "the centre of ZIP 75034" or "the centre of Dallas", from which the distances of such a place are measured. */
export function centreOf({ precision, postal_code, city, state }: Centre): string {
  return `the centre of ${precision === 'zip' && postal_code ? `ZIP ${postal_code}` : (city ?? state)}`
}

/** Returns "the address", or the centre of its ZIP or city. */
export function measuredFrom(place: Centre): string {
  return isPrecise(place) ? 'the address' : centreOf(place)
}

/** Returns "0.84 mi" from a building, "0.8 mi" from a centre; rounded from the hundredths that the record itself shows. */
export function milesText(miles: number, precise: boolean): string {
  return `${hundredths(miles).toFixed(precise ? DECIMALS.precise : DECIMALS.centre)} mi`
}

/** Returns where the nearest part of a record is: "0.84 mi NNE", "path 0.40 mi SE", "area over this location". */
export function placeText(record: NearbyRecord, place: Centre): string {
  const { precision } = record
  const part = precision === 'path' || precision === 'area' ? `${precision} ` : ''
  const precise = isPrecise(place)
  if (isOver(record)) return `${part}over ${precise ? 'this location' : centreOf(place)}`
  const distance = milesText(record.distance_miles ?? 0, precise)
  const bearing = bearingOf(record)
  return `${part}${[distance, bearing].filter(Boolean).join(' ')}`
}

/** Whether a record's area or radar cell contains the place itself. */
export function isOver({ precision, distance_miles }: NearbyRecord): boolean {
  return distance_miles === 0 && (precision === 'area' || precision === 'grid')
}

/** Returns the compass point from the address; null if there is no distance, or it is too short for a direction. */
export function bearingOf({ distance_miles, bearing_degrees }: Pick<NearbyRecord, 'distance_miles' | 'bearing_degrees'>): string | null {
  if (distance_miles === null || bearing_degrees === null || distance_miles < BEARING_FROM_MILES) return null
  return compassPoint(bearing_degrees)
}

/** Miles: at a shorter distance a direction means nothing. */
const BEARING_FROM_MILES = 0.05
