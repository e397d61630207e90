import type { Clock } from '#domain/engines/clock.ts'

/** A clock that stands still until a test moves it. */
export interface MovableClock extends Clock {
  set(moment: Date | string): void
  advance(ms: number): void
}

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

/** Starts at the system's present, because the database's own now() continues from there. */
export function movableClock(start = new Date()): MovableClock {
  let moment = start.getTime()
  return {
    moved: true,
    now: () => new Date(moment),
    set(to) {
      moment = new Date(to).getTime()
    },
    advance(ms) {
      moment += ms
    },
  }
}
