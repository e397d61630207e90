/** The present moment. Tests move it; nothing in the domain reads the system's clock itself. */
export interface Clock {
  now(): Date
  /** True for a clock that a test moves: a store that counts by its own time is then given this one. */
  moved?: boolean
}

export const systemClock: Clock = { now: () => new Date() }

/** The moment for a store with a clock of its own: null where it goes by that, which all servers share. */
export function momentForStore(clock: Clock): Date | null {
  return clock.moved ? clock.now() : null
}
