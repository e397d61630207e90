import { afterAll, afterEach, beforeEach } from 'vitest'
import { openWorlds } from './open-worlds.ts'

/** The worlds that were open before the running test: those of its file. */
let shared = new Set(openWorlds)

beforeEach(() => {
  shared = new Set(openWorlds)
})
// After every test, checks the invariants of every open world, and closes those of the test: the next test then reuses their database.
afterEach(async () => {
  for (const world of openWorlds) await world.checkInvariants()
  for (const world of openWorlds) if (!shared.has(world)) await world.close()
})
// At the end of a file, closes its worlds.
afterAll(async () => {
  for (const world of openWorlds) await world.close()
})
