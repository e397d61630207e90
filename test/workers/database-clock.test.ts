import { setTimeout as pause } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { systemClock } from '#domain/engines/clock.ts'
import { openLog } from '#domain/engines/log.ts'
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

test('the wait for a connection of a busy pool is not taken for a difference between the clocks', async () => {
  const { app } = await openWorld()
  const { pool } = app
  const busy = await Promise.all(Array.from({ length: app.config.database_pool }, () => pool.connect()))
  const following = followDatabaseClock({ ...app, clock: systemClock })
  await pause(2500)
  for (const client of busy) client.release()
  const { clock, stop } = await following
  expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(100)
  stop()
})

test('a measurement whose answer is read late is ignored', async () => {
  const { app } = await openWorld()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  let [reads, late_ms] = [0, 0]
  const now = () => new Date(Date.now() + (reads++ % 2) * late_ms)
  const { clock, stop } = await followDatabaseClock({ ...app, clock: { now } })
  for (late_ms of [5000, -5000]) {
    reads = 0
    vi.advanceTimersByTime(10_000)
    await vi.waitUntil(() => reads === 2, 5000)
    await pause(50)
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(100)
  }
  stop()
  vi.useRealTimers()
})

test('a clock that is set wrong while the worker runs is logged once, and corrected', async () => {
  const { app } = await openWorld()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const lines: string[] = []
  const log = openLog('warn', { write: (line) => lines.push(line) })
  let [reads, ahead_ms] = [0, 0]
  const now = () => {
    reads++
    return new Date(Date.now() + ahead_ms)
  }
  const { clock, stop } = await followDatabaseClock({ ...app, log, clock: { now } })
  expect(lines).toEqual([])
  ahead_ms = 2 * HOUR
  for (const _ of ['noticed', 'known']) {
    reads = 0
    vi.advanceTimersByTime(10_000)
    await vi.waitUntil(() => reads === 2, 5000)
    await pause(50)
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(MINUTE_MS)
  }
  expect(lines).toEqual([expect.stringContaining('this machine’s clock differs from the database’s, which is used')])
  stop()
  vi.useRealTimers()
})
