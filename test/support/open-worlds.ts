interface Open {
  checkInvariants(): Promise<void>
  close(): Promise<void>
}

/** The worlds that the running test file has open. It is apart from world.ts so that a test of a pure module loads nothing else. */
export const openWorlds = new Set<Open>()
