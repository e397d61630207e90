import { afterAll, afterEach } from 'vitest'
import { openWorlds } from './open-worlds.ts'

// After every test, checks the invariants of every open world. At the end of a file, closes its worlds.
afterEach(async () => {
  for (const world of openWorlds) await world.checkInvariants()
})
afterAll(async () => {
  for (const world of [...openWorlds]) await world.close()
})
