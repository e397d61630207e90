import type { ExposureContent } from '#domain/exposures/compose.ts'

/** Inches: the sizes at which a storm day is announced again. */
const BANDS_IN = [0.75, 1, 1.5, 1.75, 2, 2.75, 4]

/** The band that a size lies in, by its lower edge; null below all of them. */
export function bandOf(inches: number | null): number | null {
  return BANDS_IN.findLast((band) => inches !== null && inches >= band) ?? null
}

/** What has already been posted of a storm day. */
export interface PostedState {
  posted_band_in: number | null
  posted_tornado: boolean
}

/** How a storm day grew, as its post says it. */
export interface Escalation {
  from_in: number | null
  to_in: number | null
  /** True where a tornado arrived. */
  tornado: boolean
}

type Measured = Pick<ExposureContent, 'largest_measured_in' | 'tornado'>

/** What is new since the last post: a higher band of measured hail, or the first tornado; null where neither. */
export function escalationOf(posted: PostedState, before: Measured, after: Measured): Escalation | null {
  const band = bandOf(after.largest_measured_in) ?? 0
  const tornado = after.tornado > 0 && !posted.posted_tornado
  if (band <= (posted.posted_band_in ?? 0) && !tornado) return null
  return { from_in: before.largest_measured_in, to_in: after.largest_measured_in, tornado }
}

/** What will have been posted once the current state is. */
export function postedAfter(posted: PostedState, { largest_measured_in, tornado }: Measured): PostedState {
  const band = Math.max(posted.posted_band_in ?? 0, bandOf(largest_measured_in) ?? 0)
  return { posted_band_in: band || null, posted_tornado: posted.posted_tornado || tornado > 0 }
}

/** Whether more is on record than before, rather than the same in other words. */
export function hasGrown(before: Measured & { reports: number; largest_detected_in: number | null }, after: ExposureContent): boolean {
  const larger = (one: number | null, other: number | null) => (other ?? 0) > (one ?? 0)
  return (
    after.reports > before.reports ||
    after.tornado > before.tornado ||
    larger(before.largest_measured_in, after.largest_measured_in) ||
    larger(before.largest_detected_in, after.largest_detected_in)
  )
}
