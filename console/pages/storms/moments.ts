import type { Box } from '../../map/box.ts'
import { counted } from '../../parts/format.ts'

/** The longest side, in degrees, of a box that the service plays. */
const SIDE_MAX = 6

/** Returns the box that can be played: no larger than SIDE_MAX around its centre, and within the globe. */
export function playableBox([west, south, east, north]: Box): Box {
  const [x, y] = [(west + east) / 2, (south + north) / 2]
  const halfWidth = Math.min((east - west) / 2, SIDE_MAX / 2 - 0.01)
  const halfHeight = Math.min((north - south) / 2, SIDE_MAX / 2 - 0.01)
  return [Math.max(x - halfWidth, -180), Math.max(y - halfHeight, -90), Math.min(x + halfWidth, 180), Math.min(y + halfHeight, 90)]
}

/** Returns the times of radar frames and reports in milliseconds since 1970, sorted and without duplicates. */
export function timesOf(moments: readonly { at: string }[], reports: readonly { at: string }[]): number[] {
  return [...new Set([...moments, ...reports].map(({ at }) => Date.parse(at)))].sort((one, other) => one - other)
}

/** Radar has a frame every few minutes: an older frame than this is not current. */
const FRAME_MAX_AGE_MS = 15 * 60_000

/** Returns the newest radar frame at a time; null if it is too old. */
export function frameAt<Moment extends { at: string }>(moments: readonly Moment[], time: number): Moment | null {
  const last = moments.findLast(({ at }) => Date.parse(at) <= time)
  return last && time - Date.parse(last.at) <= FRAME_MAX_AGE_MS ? last : null
}

/**
 * Returns the radar data to show at a time: the newest frame. The largest of 24 hours is no moment, and is shown at every time.
 * @param time milliseconds since 1970; undefined if the day has no step
 */
export function radarAt<Moment extends { at: string }>(
  moments: readonly Moment[],
  largest_of: object | null,
  time: number | undefined,
): Moment | null {
  if (largest_of) return moments[0] ?? null
  return time === undefined ? null : frameAt(moments, time)
}

/** Returns the step nearest to the time in a shared link; the first step if there is none. */
export function nearestStep(times: readonly number[], at: string | undefined): number {
  const wanted = at === undefined ? Number.NaN : Date.parse(at)
  if (Number.isNaN(wanted)) return 0
  const distances = times.map((time) => Math.abs(time - wanted))
  return Math.max(distances.indexOf(Math.min(...distances)), 0)
}

interface DayMeta {
  available: boolean
  thinned: boolean
  largest_of: object | null
  reports_without_point: number
}

/** What the map of the day lacks, in sentences. */
export const dayNotes = ({ available, thinned, largest_of, reports_without_point: areal }: DayMeta) =>
  [
    areal > 0 &&
      `${counted(areal, 'report')} of this day ${areal === 1 ? 'names' : 'name'} a county or a forecast zone in or beside this area, and no point: no map shows ${areal === 1 ? 'it' : 'them'}.`,
    !available && 'No radar moments of this day are stored here. Moments are deleted after a time; the swaths of a day are kept.',
    thinned && 'Radar data is thinned: only the largest estimates are shown.',
    largest_of && 'Radar shows the largest estimate of 24 hours at once.',
  ]
    .filter(Boolean)
    .join(' ')
