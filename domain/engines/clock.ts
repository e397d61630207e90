/** The present moment. Tests move it; nothing in the domain reads the system's clock itself. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
