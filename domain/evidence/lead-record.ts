import type { NearbyRecord } from '#domain/archive/record.ts'
import { milesTo, newestFirst } from '#domain/evidence/extremes.ts'
import type { ExposureFamily } from '#domain/weather/exposure-families.ts'
import { severityRank } from '#domain/weather/severities.ts'
import { exposureFamilyOf } from '#domain/weather/types.ts'

/** The order of families for records of equal severity. */
const familyOrder: ExposureFamily[] = ['tornado', 'hail', 'wind', 'other']

/**
 * Returns the record for a headline: observed records come before radar estimates, and those before records that name only
 * a county. After that the most severe, the strongest, the nearest and the newest comes first. Null if there is none.
 */
export function leadRecord(records: NearbyRecord[]): NearbyRecord | null {
  return records.toSorted(compare)[0] ?? null
}

function compare(a: NearbyRecord, b: NearbyRecord): number {
  return (
    basisRank(a) - basisRank(b) ||
    severityRank(b.severity) - severityRank(a.severity) ||
    familyRank(a) - familyRank(b) ||
    magnitudeOf(b) - magnitudeOf(a) ||
    milesTo(a) - milesTo(b) ||
    newestFirst(a, b)
  )
}

function basisRank({ distance_miles, evidence_kind }: NearbyRecord): number {
  if (distance_miles === null) return 2
  return evidence_kind === 'radar' ? 1 : 0
}

function familyRank({ type }: NearbyRecord): number {
  return familyOrder.indexOf(exposureFamilyOf(type))
}

function magnitudeOf({ hail_size_in, tornado_ef_scale, wind_gust_mph, wind_speed_mph }: NearbyRecord): number {
  return hail_size_in ?? tornado_ef_scale ?? wind_gust_mph ?? wind_speed_mph ?? 0
}
