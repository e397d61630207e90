import type { NearbyRecord } from '#domain/archive/record.ts'
import { largestOf, nearestOf, trusted, type Value } from '#domain/evidence/extremes.ts'
import { hailTypes, type RecordType, windTypes } from '#domain/weather/types.ts'

export const hazards = ['hail', 'wind', 'tornado'] as const
export type Hazard = (typeof hazards)[number]

/** The value by which records of a hazard are compared. */
export const strengths: Record<Hazard, Value> = {
  hail: ({ hail_size_in }) => hail_size_in,
  wind: ({ wind_gust_mph, wind_speed_mph }) => wind_gust_mph ?? wind_speed_mph,
  tornado: ({ tornado_ef_scale }) => tornado_ef_scale,
}

/** Returns null for a type that is none of the three; a funnel cloud is not a tornado. */
export function hazardOf({ type }: { type: RecordType }): Hazard | null {
  if (type === 'tornado') return 'tornado'
  if (hailTypes.includes(type)) return 'hail'
  return windTypes.includes(type) ? 'wind' : null
}

/** Returns the strongest of a hazard's sound records; if none states a strength, the nearest. Null if there is none. */
export function strongestOf(hazard: Hazard, records: NearbyRecord[]): NearbyRecord | null {
  const sound = trusted(records).filter((record) => hazardOf(record) === hazard && record.distance_miles !== null)
  return largestOf(sound, strengths[hazard]) ?? nearestOf(sound)
}
