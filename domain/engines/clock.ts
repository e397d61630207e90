/** The current time. Tests move it; nothing in the domain reads the system clock directly. */
export interface Clock {
  now(): Date
  /** True for a clock that a test moves: it is then passed to stores that would use their own time. */
  moved?: boolean
}

/** The clocks of the queue, of the database and of two workers differ by less. */
export const CLOCKS_APART_MS = 2000

export const systemClock: Clock = { now: () => new Date() }

/** Returns the time to pass to a store that has its own clock; null: the store uses its clock, which all servers share. */
export function momentForStore(clock: Clock): Date | null {
  return clock.moved ? clock.now() : null
}
