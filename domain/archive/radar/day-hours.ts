import type { Frame } from '#domain/archive/radar/frame.ts'
import { dayIn } from '#domain/geo/local-day.ts'
import { DAY_MS, HOUR_MS } from '#domain/kernel/durations.ts'

/** The hours that a stored day's largest value covers, and what it was made from. */
export interface DayHours {
  from_at: Date
  /** Exclusive. */
  until_at: Date
  /** True if made from moments, false if from grids of the largest of 24 hours, null if from both. */
  of_moments: boolean | null
  /** The file of the single grid of 24 hours that it was made from; null if there were several, or the file is not known. */
  file_id: number | null
  /** The newest revision of the archive that contributed a grid. */
  revision: number
}

export const HOURS_24_MS = DAY_MS
/**
 * How far the hours of a grid may extend beyond a local day and still count as that day's. One grid covers the whole
 * country, with its four time zones.
 */
export const DAY_MARGIN_HOURS = 2
const DAY_MARGIN_MS = DAY_MARGIN_HOURS * HOUR_MS

/**
 * Returns the hours that a frame covers: for a moment, its local day, as far as its moments are stored; for the largest of
 * 24 hours, those hours.
 */
export function hoursOfFrame(
  { product, valid_at }: Pick<Frame, 'product' | 'valid_at'>,
  day: { from_at: Date; until_at: Date },
  { file_id, revision }: Pick<DayHours, 'file_id' | 'revision'>,
): DayHours {
  if (product === 'mesh') return { ...day, of_moments: true, file_id: null, revision }
  return { from_at: new Date(valid_at.getTime() - HOURS_24_MS), until_at: valid_at, of_moments: false, file_id, revision }
}

/** Returns the hours of two values combined. */
export function joinHours(one: DayHours, other: DayHours): DayHours {
  const isSameGrid = one.of_moments === false && other.of_moments === false && one.until_at.getTime() === other.until_at.getTime()
  return {
    from_at: one.from_at < other.from_at ? one.from_at : other.from_at,
    until_at: one.until_at > other.until_at ? one.until_at : other.until_at,
    of_moments: one.of_moments === other.of_moments ? one.of_moments : null,
    file_id: isSameGrid ? (one.file_id ?? other.file_id) : null,
    revision: Math.max(one.revision, other.revision),
  }
}

/** Returns a local day from its first moment to the first moment of the next day. */
export function hoursOfDay(day: string, timezone: string): { from_at: Date; until_at: Date } {
  const { from, until } = dayIn(day, timezone)
  return { from_at: from, until_at: new Date(until.getTime() + 1000) }
}

/** Returns the milliseconds by which hours extend beyond a local day, at the end where they extend further; 0 if they are within it. */
export function beyondDay({ from_at, until_at }: Pick<DayHours, 'from_at' | 'until_at'>, day: { from_at: Date; until_at: Date }): number {
  return Math.max(0, day.from_at.getTime() - from_at.getTime(), until_at.getTime() - day.until_at.getTime())
}

/** Whether hail of these hours counts as hail of the local day. */
export function isOfDay(hours: Pick<DayHours, 'from_at' | 'until_at'>, day: { from_at: Date; until_at: Date }): boolean {
  return beyondDay(hours, day) <= DAY_MARGIN_MS
}
