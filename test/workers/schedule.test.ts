import { beforeEach, expect, test } from 'vitest'
import { HOUR, SECOND } from '#test/support/clock.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { stageDue, startSchedule } from '#workers/schedule.ts'

let world: World
beforeEach(async () => {
  await world?.close()
  world = await openWorld()
})

/** Takes what is staged, as the relay does. */
async function taken(): Promise<string[]> {
  const { rows } = await world.app.pool.query<{ name: string }>('DELETE FROM outbox RETURNING name')
  return rows.map(({ name }) => name).sort()
}

test('what never ran is due at once, and then by its interval', async () => {
  await stageDue(world.app)
  expect(await taken()).toEqual(['plan.renew', 'sweep'])
  world.clock.advance(15 * SECOND - 1)
  await stageDue(world.app)
  expect(await taken()).toEqual([])
  world.clock.advance(1)
  await stageDue(world.app)
  expect(await taken()).toEqual(['sweep'])
  world.clock.advance(HOUR)
  await stageDue(world.app)
  expect(await taken()).toEqual(['plan.renew', 'sweep'])
})

test('several workers stage each turn once', async () => {
  await Promise.all(Array.from({ length: 6 }, () => stageDue(world.app)))
  expect(await taken()).toEqual(['plan.renew', 'sweep'])
  world.clock.advance(HOUR)
  await Promise.all(Array.from({ length: 6 }, () => stageDue(world.app)))
  expect(await taken()).toEqual(['plan.renew', 'sweep'])
})

test('turns do not pile up while nothing carries them away', async () => {
  for (let turn = 0; turn < 5; turn++) {
    await stageDue(world.app)
    world.clock.advance(15 * SECOND)
  }
  expect(await taken()).toEqual(['plan.renew', 'sweep'])
})

test('a started schedule looks by itself, and stops', async () => {
  const schedule = startSchedule(world.app)
  await expect.poll(() => world.app.db.outboxJob.count()).toBe(2)
  await schedule.stop()
})
