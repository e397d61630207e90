import { isSuspectBeyondExtent } from '#domain/archive/plausibility.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { isRadar, onePerEpisode } from '#domain/evidence/episodes.ts'
import { qualifies, qualifyingRadar } from '#domain/evidence/qualifies.ts'
import { hundredths } from '#domain/evidence/rounding.ts'
import { exposureHeadline, withdrawnHeadline } from '#domain/exposures/headline.ts'
import type { ExposureView } from '#domain/exposures/view.ts'
import { tupleOf } from '#domain/kernel/present.ts'
import type { WatchedPlace } from '#domain/watches/watched-places.ts'
import type { ExposureFamily } from '#domain/weather/exposure-families.ts'
import { evidenceKinds } from '#domain/weather/sources.ts'
import { exposureFamilyOf } from '#domain/weather/types.ts'

/** The fields of an exposure that are derived from its records alone. */
export interface ExposureContent extends Record<ExposureFamily, number> {
  headline: string
  reports: number
  sources: number
  largest_measured_in: number | null
  largest_detected_in: number | null
  max_gust_mph: number | null
  nearest_miles: number | null
  observed: boolean
  provisional: boolean
  evidence: ExposureView['evidence']
  record_ids: number[]
  sample: boolean
  withdrawn: boolean
}

/**
 * Composes the storm day of the records that a place sees on one date; null if none of them qualifies.
 * @param beyond keys of large radar cells out of reach: a cell in reach that touches one counts
 */
export function composeExposure(
  place: WatchedPlace,
  date: string,
  nearby: NearbyRecord[],
  beyond: ReadonlySet<string> = new Set(),
): ExposureContent | null {
  const reported = nearby.filter((record) => !isRadar(record))
  const hail_reported = reported.some((record) => exposureFamilyOf(record.type) === 'hail' && !isSuspectBeyondExtent(record))
  const isBuilding = place.subject === 'property' && place.centre === null
  const scans = onePerEpisode(qualifyingRadar(nearby.filter(isRadar), hail_reported, beyond), isBuilding)
  const ground = reported.filter(qualifies)
  const records = [...ground, ...scans].sort(compareRecords)
  if (records.length === 0) return null
  const count = (family: ExposureFamily) => ground.filter(({ type }) => exposureFamilyOf(type) === family).length
  const largestHail = (of: NearbyRecord[]) =>
    largest(of.filter(({ type }) => exposureFamilyOf(type) === 'hail').map(({ hail_size_in }) => hail_size_in))
  return {
    headline: exposureHeadline(place, date, records),
    reports: ground.length,
    sources: new Set(records.map(({ source }) => source)).size,
    hail: count('hail'),
    wind: count('wind'),
    tornado: count('tornado'),
    other: count('other'),
    largest_measured_in: largestHail(ground),
    largest_detected_in: largestHail(scans),
    max_gust_mph: largest(ground.map(({ wind_gust_mph }) => wind_gust_mph)),
    nearest_miles: place.subject === 'territory' ? 0 : hundredths(Math.min(...records.map(({ distance_miles }) => distance_miles ?? 0))),
    observed: ground.length > 0,
    provisional: records.some(({ preliminary }) => preliminary),
    evidence: evidenceKinds.filter((kind) => records.some(({ evidence_kind }) => evidence_kind === kind)),
    record_ids: records.map(({ id }) => id),
    sample: records.some(({ source }) => source === 'sample'),
    withdrawn: false,
  }
}

/**
 * The content of an exposure whose records the archive no longer has, or of which only suspect ones are left. The exposure stays, so that nobody waits for
 * an announcement of it.
 * @param event the event name of its warning, as the agency states it
 */
export function withoutRecords(place: WatchedPlace, date: string, suspect_count: number, event?: string): ExposureContent {
  return { ...WITHOUT_RECORDS, headline: withdrawnHeadline(place, date, suspect_count, event), withdrawn: true }
}

/** The content of an exposure without records. */
export const WITHOUT_RECORDS: Readonly<Omit<ExposureContent, 'headline'>> = {
  reports: 0,
  sources: 0,
  hail: 0,
  wind: 0,
  tornado: 0,
  other: 0,
  largest_measured_in: null,
  largest_detected_in: null,
  max_gust_mph: null,
  nearest_miles: null,
  observed: false,
  provisional: false,
  evidence: [],
  record_ids: [],
  sample: false,
  withdrawn: false,
}

/** Orders records by time; records of the same moment by source and key, so that the order in which they arrived does not matter. */
function compareRecords(one: NearbyRecord, other: NearbyRecord): number {
  const difference = one.begins_at.getTime() - other.begins_at.getTime()
  if (difference !== 0) return difference
  const [first, second] = tupleOf(
    [one, other].map(({ source, source_key }) => `${source} ${source_key}`),
    2,
  )
  return first < second ? -1 : first > second ? 1 : 0
}

function largest(values: (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : Math.max(...known)
}
