import type { NearbyRecord } from '#domain/archive/record.ts'
import { largestOf, nearestOf, trusted, type Value } from '#domain/evidence/extremes.ts'
import { hailTypes, type RecordType, windTypes } from '#domain/weather/types.ts'

export const hazards = ['hail', 'wind', 'tornado'] as const
export type Hazard = (typeof hazards)[number]

/** What of a hazard's records is compared. */
export const strengths: Record<Hazard, Value> = {
  hail: ({ hail_size_in }) => hail_size_in,
  wind: ({ wind_gust_mph, wind_speed_mph }) => wind_gust_mph ?? wind_speed_mph,
  tornado: ({ tornado_ef_scale }) => tornado_ef_scale,
}

/** Null for what is none of the three; a funnel cloud is no tornado. */
export function hazardOf({ type }: { type: RecordType }): Hazard | null {
  if (type === 'tornado') return 'tornado'
  if (hailTypes.includes(type)) return 'hail'
  return windTypes.includes(type) ? 'wind' : null
}

/** The strongest of a hazard's sound records; of those that state no strength the nearest. Null where there is none. */
export function strongestOf(hazard: Hazard, records: NearbyRecord[]): NearbyRecord | null {
  const sound = trusted(records).filter((record) => hazardOf(record) === hazard && record.distance_miles !== null)
  return largestOf(sound, strengths[hazard]) ?? nearestOf(sound)
}
