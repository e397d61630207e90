import { afterAll, afterEach } from 'vitest'
import { openWorlds } from './open-worlds.ts'

// The invariants of every open world hold after every test, and no file leaves its worlds to the next.
afterEach(async () => {
  for (const world of openWorlds) await world.checkInvariants()
})
afterAll(async () => {
  for (const world of [...openWorlds]) await world.close()
})
