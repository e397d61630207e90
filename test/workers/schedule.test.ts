import type pg from 'pg'
import { beforeEach, expect, test, vi } from 'vitest'
import { HOUR, SECOND } from '#test/support/clock.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { builtJobs, jobOf } from '#workers/jobs.ts'
import { stageDue, startSchedule } from '#workers/schedule.ts'

let world: World
beforeEach(async () => {
  await world?.close()
  world = await openWorld()
})

/** Takes staged jobs, as the relay does. */
async function taken(): Promise<string[]> {
  const { rows } = await world.app.pool.query<{ name: string }>('DELETE FROM outbox RETURNING name')
  return rows.map(({ name }) => name).sort()
}

/** Every job that runs by schedule. */
const scheduled = builtJobs.filter((name) => jobOf(name).every).sort()

test('a job that never ran is due at once, and then by its interval', async () => {
  await stageDue(world.app)
  expect(await taken()).toEqual(scheduled)
  expect(scheduled).toEqual(expect.arrayContaining(['plan.renew', 'sweep']))
  world.clock.advance(15 * SECOND - 1)
  await stageDue(world.app)
  expect(await taken()).not.toContain('sweep')
  world.clock.advance(1)
  await stageDue(world.app)
  expect(await taken()).toContain('sweep')
  world.clock.advance(HOUR)
  await stageDue(world.app)
  expect(await taken()).toEqual(scheduled)
})

test('a clock that is set back stops no job', async () => {
  world.clock.advance(24 * HOUR)
  await stageDue(world.app)
  await taken()
  world.clock.advance(-24 * HOUR)
  await stageDue(world.app)
  expect(await taken()).toEqual(scheduled)
  await stageDue(world.app)
  expect(await taken()).toEqual([])
})

test('a worker whose clock or statement is a moment late does not stage the run of another again', async () => {
  await stageDue(world.app)
  await taken()
  world.clock.advance(-SECOND)
  await stageDue(world.app)
  expect(await taken()).toEqual([])
})

test('several workers stage each run once', async () => {
  await Promise.all(Array.from({ length: 6 }, () => stageDue(world.app)))
  expect(await taken()).toEqual(scheduled)
  world.clock.advance(HOUR)
  await Promise.all(Array.from({ length: 6 }, () => stageDue(world.app)))
  expect(await taken()).toEqual(scheduled)
})

test('looks do not pile up while the database hangs', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let looks = 0
  let answer = () => {}
  const query = () => {
    looks++
    return new Promise((resolve) => (answer = () => resolve({ rows: [] })))
  }
  const schedule = startSchedule({ ...world.app, pool: { query } as unknown as pg.Pool })
  vi.advanceTimersByTime(10 * SECOND)
  const stopped = schedule.stop()
  answer()
  await stopped
  vi.useRealTimers()
  expect(looks).toBe(1)
})

test('runs do not pile up while no relay takes them', async () => {
  for (let turn = 0; turn < 5; turn++) {
    await stageDue(world.app)
    world.clock.advance(15 * SECOND)
  }
  expect(await taken()).toEqual(scheduled)
})

test('a started schedule checks by itself until it is stopped', async () => {
  const schedule = startSchedule(world.app)
  await expect.poll(() => world.app.db.outboxJob.count()).toBe(scheduled.length)
  await schedule.stop()
})
