import type { Box } from '../../map/box.ts'

/** The service plays a box of at most so many degrees a side. */
const SIDE_MAX = 6

/** A box that can be played: no wider than that around its middle, and on the globe. */
export function playable([west, south, east, north]: Box): Box {
  const [x, y] = [(west + east) / 2, (south + north) / 2]
  const wide = Math.min((east - west) / 2, SIDE_MAX / 2 - 0.01)
  const high = Math.min((north - south) / 2, SIDE_MAX / 2 - 0.01)
  return [Math.max(x - wide, -180), Math.max(y - high, -90), Math.min(x + wide, 180), Math.min(y + high, 90)]
}

/** Milliseconds since 1970, each once and in order: when radar looked, and when something was reported. */
export function timesOf(moments: readonly { at: string }[], reports: readonly { at: string }[]): number[] {
  return [...new Set([...moments, ...reports].map(({ at }) => Date.parse(at)))].sort((one, other) => one - other)
}

/** Radar looks every few minutes: what it saw longer ago than this is not what it sees. */
const SEEN_MS = 15 * 60_000

/** What radar saw last by a time; nothing where that is too long ago. */
export function seenAt<Moment extends { at: string }>(moments: readonly Moment[], time: number): Moment | null {
  const last = moments.findLast(({ at }) => Date.parse(at) <= time)
  return last && time - Date.parse(last.at) <= SEEN_MS ? last : null
}

/** The step that stands nearest to a time that was shared; the first where none was. */
export function stepOf(times: readonly number[], at: string | undefined): number {
  const wanted = at === undefined ? Number.NaN : Date.parse(at)
  if (Number.isNaN(wanted)) return 0
  const distances = times.map((time) => Math.abs(time - wanted))
  return Math.max(distances.indexOf(Math.min(...distances)), 0)
}
