import type { PlacePrecision } from '#domain/closed-sets.ts'

/** A located address. Coordinates are degrees rounded to 5 decimals before anything is measured from them. */
export interface LocatedPlace {
  street: string | null
  city: string | null
  /** Two-letter code. */
  state: string | null
  postal_code: string | null
  county: string | null
  /** Five digits. */
  county_fips: string | null
  latitude: number
  longitude: number
  precision: PlacePrecision
  /** IANA zone of the point. */
  timezone: string
}

/** Whether a place is a building or its street, and not the centre of a ZIP or a city, from which distances then are. */
export function isPrecise({ precision }: { precision: PlacePrecision | null }): boolean {
  return precision !== 'zip' && precision !== 'city'
}
