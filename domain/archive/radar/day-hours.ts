import type { Frame } from '#domain/archive/radar/frame.ts'
import { dayIn } from '#domain/geo/local-day.ts'
import { HOUR_MS } from '#domain/kernel/durations.ts'

/** Of which hours the largest of a kept day is, and what it was made of. */
export interface DayHours {
  from_at: Date
  /** Exclusive. */
  until_at: Date
  /** Made of moments, false of grids of the largest of 24 hours, null of both. */
  of_moments: boolean | null
  /** The file of the one grid of 24 hours that it is made of; null where it is made of several, or the file is not known. */
  file_id: number | null
  /** The newest revision of the archive that brought a grid of it. */
  revision: number
}

export const HOURS_24_MS = 24 * HOUR_MS
/** How far the hours of a grid may lie beside a local day to be called that day's. One grid is of the whole country, with its four clocks. */
export const BESIDE_DAY_HOURS = 2
const BESIDE_DAY_MS = BESIDE_DAY_HOURS * HOUR_MS

/** The hours that a frame is of: of a moment its local day, as far as its moments are held; of the largest of 24 hours those. */
export function hoursOfFrame(
  { product, valid_at }: Pick<Frame, 'product' | 'valid_at'>,
  day: { from_at: Date; until_at: Date },
  { file_id, revision }: Pick<DayHours, 'file_id' | 'revision'>,
): DayHours {
  if (product === 'mesh') return { ...day, of_moments: true, file_id: null, revision }
  return { from_at: new Date(valid_at.getTime() - HOURS_24_MS), until_at: valid_at, of_moments: false, file_id, revision }
}

/** The hours of what two of them together are the largest of. */
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

/** A local day from its first moment to the first of the next. */
export function hoursOfDay(day: string, timezone: string): { from_at: Date; until_at: Date } {
  const { from, until } = dayIn(day, timezone)
  return { from_at: from, until_at: new Date(until.getTime() + 1000) }
}

/** Milliseconds by which hours reach beyond a local day, at the end where they do so more; 0 where they lie in it. */
export function beyondDay({ from_at, until_at }: Pick<DayHours, 'from_at' | 'until_at'>, day: { from_at: Date; until_at: Date }): number {
  return Math.max(0, day.from_at.getTime() - from_at.getTime(), until_at.getTime() - day.until_at.getTime())
}

/** Whether hail of the hours can be said to be of the local day. */
export function isOfDay(hours: Pick<DayHours, 'from_at' | 'until_at'>, day: { from_at: Date; until_at: Date }): boolean {
  return beyondDay(hours, day) <= BESIDE_DAY_MS
}
