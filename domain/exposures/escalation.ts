import type { ExposureContent } from '#domain/exposures/compose.ts'
import { type ExposureFamily, exposureFamilies } from '#domain/weather/exposure-families.ts'

/** Hail sizes in inches at which a storm day is announced again. */
const BANDS_IN = [0.75, 1, 1.5, 1.75, 2, 2.75, 4]

/** Returns the lower edge of a size's band; null below the smallest band. */
export function bandOf(inches: number | null): number | null {
  return BANDS_IN.findLast((band) => inches !== null && inches >= band) ?? null
}

/** The state of a storm day that has already been announced. */
export interface PostedState {
  posted_band_in: number | null
  posted_tornado: boolean
}

/** How a storm day grew, as its event states it. */
export interface Escalation {
  /** The largest size that was known and announced. If the day also grew without an announcement, the lower edge of the announced band. */
  from_in: number | null
  to_in: number | null
  /** True if a tornado was added. */
  tornado: boolean
}

type Measured = Pick<ExposureContent, 'largest_measured_in' | 'tornado'>

/** Returns what is new since the last event: a higher band of measured hail, or the first tornado; null if neither. */
export function escalationOf(posted: PostedState, before: Measured, after: Measured): Escalation | null {
  const band = bandOf(after.largest_measured_in) ?? 0
  const tornado = after.tornado > 0 && !posted.posted_tornado
  if (band <= (posted.posted_band_in ?? 0) && !tornado) return null
  const wasAnnounced = (bandOf(before.largest_measured_in) ?? 0) <= (posted.posted_band_in ?? 0)
  const from_in = wasAnnounced ? before.largest_measured_in : posted.posted_band_in
  return { from_in, to_in: after.largest_measured_in, tornado }
}

/** Returns the posted state after the current content is announced. */
export function postedAfter(posted: PostedState, { largest_measured_in, tornado }: Measured): PostedState {
  const band = Math.max(posted.posted_band_in ?? 0, bandOf(largest_measured_in) ?? 0)
  return { posted_band_in: band || null, posted_tornado: posted.posted_tornado || tornado > 0 }
}

/** Whether more is on record than before, not only the same facts in other words. */
export function hasNewEvidence(
  before: Measured & { reports: number; largest_detected_in: number | null },
  after: ExposureContent,
): boolean {
  const hasIncreased = (from: number | null, to: number | null) => (to ?? 0) > (from ?? 0)
  return (
    after.reports > before.reports ||
    after.tornado > before.tornado ||
    hasIncreased(before.largest_measured_in, after.largest_measured_in) ||
    hasIncreased(before.largest_detected_in, after.largest_detected_in)
  )
}

type Cited = Pick<ExposureContent, 'record_ids' | 'nearest_miles' | 'provisional' | ExposureFamily>

/**
 * Whether a record was added, came nearer or changed its kind, though no total need have risen: an alert rule is met by one record,
 * and a smaller one may be the first over the building. Final records that replace all preliminary ones state the same storm
 * again, months later, and do not count.
 */
export function hasNewCitation(before: Cited, after: Cited): boolean {
  if (before.provisional && !after.provisional) return false
  const known = new Set(before.record_ids)
  return (
    after.record_ids.some((id) => !known.has(id)) ||
    (after.nearest_miles ?? Number.POSITIVE_INFINITY) < (before.nearest_miles ?? Number.POSITIVE_INFINITY) ||
    exposureFamilies.some((family) => after[family] > before[family])
  )
}
