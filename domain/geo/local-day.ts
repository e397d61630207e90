import { localDate } from '#domain/geo/zones.ts'
import { HOUR_MS } from '#domain/kernel/durations.ts'

/** Even a day that a clock change makes longer ends within this time. */
const DAY_AT_MOST = 26 * HOUR_MS

/** Returns the first and the last second of a calendar date in a zone, including days of 23 and 25 hours. */
export function dayIn(date: string, timezone: string): { from: Date; until: Date } {
  const midnight = Date.parse(`${date}T00:00:00Z`)
  const from = firstMoment(midnight - 15 * HOUR_MS, (at) => localDate(at, timezone) >= date)
  const next = firstMoment(from, (at) => localDate(at, timezone) > date)
  return { from: new Date(from), until: new Date(next - 1000) }
}

/** Finds the first second after `start` for which `holds` is true, by bisection. */
function firstMoment(start: number, holds: (at: Date) => boolean): number {
  let [before, after] = [start, start + DAY_AT_MOST + 15 * HOUR_MS]
  while (after - before > 1000) {
    const middle = before + Math.floor((after - before) / 2000) * 1000
    if (holds(new Date(middle))) after = middle
    else before = middle
  }
  return after
}
