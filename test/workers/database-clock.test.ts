import { expect, test } from 'vitest'
import { DAY, HOUR } from '#test/support/clock.ts'
import { openWorld } from '#test/support/world.ts'
import { followDatabaseClock } from '#workers/database-clock.ts'

const MINUTE_MS = 60_000

test('a clock that is a day ahead, or an hour behind, is corrected to the database’s time', async () => {
  const world = await openWorld()
  for (const wrong of [25 * HOUR, -HOUR, 400 * DAY]) {
    world.clock.set(new Date(Date.now() + wrong))
    const { clock, stop } = await followDatabaseClock(world.app)
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(MINUTE_MS)
    stop()
  }
})

test('a correct clock stays unchanged, to the millisecond', async () => {
  const world = await openWorld()
  world.clock.set(new Date())
  const { clock, stop } = await followDatabaseClock(world.app)
  expect(clock.now()).toEqual(world.clock.now())
  stop()
})
