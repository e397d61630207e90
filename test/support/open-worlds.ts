interface Open {
  checkInvariants(): Promise<void>
  close(): Promise<void>
}

/** The worlds that the running test file holds open. Apart from world.ts, so that a test of a pure module loads nothing else. */
export const openWorlds = new Set<Open>()
