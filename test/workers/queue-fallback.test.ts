import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openMetrics } from '#domain/engines/metrics.ts'
import { stage } from '#domain/kernel/outbox.ts'
import { aPendingReport, aTeam } from '#test/support/factories.ts'
import { type RedisServer, redisIsHere, startRedis } from '#test/support/redis.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { jobs } from '#workers/jobs.ts'
import { startWorkers } from '#workers/main.ts'
import type { TakenEntry } from '#workers/queue.ts'
import { openQueueFallback } from '#workers/queue-fallback.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterEach(() => world.app.db.outboxJob.deleteMany())

const UNAVAILABLE = { isUnavailable: () => true }
const outbox = () => world.app.db.outboxJob.findMany({ select: { name: true, payload: true, due_at: true } })

describe('while the queue is unavailable', () => {
  test('due jobs are done, as many at once as their row allows, and later jobs wait', async () => {
    const ids = Array.from({ length: 10 }, (_, nth) => String(nth))
    for (const report_id of ids) await stage(world.app.db, 'report.generate', { report_id })
    const later = new Date(Date.now() + 60_000)
    await stage(world.app.db, 'delivery.send', { delivery_id: 'later' }, later)
    const done: string[] = []
    let [atWork, most] = [0, 0]
    const perform = async ({ payload }: TakenEntry) => {
      most = Math.max(most, ++atWork)
      await new Promise((soon) => setTimeout(soon, 5))
      atWork--
      done.push((payload as { report_id: string }).report_id)
    }
    const fallback = openQueueFallback(world.app, UNAVAILABLE, perform)
    while ((await fallback.take()) > 0) await fallback.idle()
    expect([done.toSorted(), most]).toEqual([ids, jobs['report.generate'].concurrency])
    expect(await outbox()).toEqual([{ name: 'delivery.send', payload: { delivery_id: 'later' }, due_at: later }])
  })

  test('a process takes only the jobs of its names', async () => {
    await stage(world.app.db, 'report.render', { report_id: 'a' })
    expect(await openQueueFallback(world.app, UNAVAILABLE, async () => {}, { names: ['report.generate'] }).take()).toBe(0)
    expect(await outbox()).toHaveLength(1)
  })

  test('a failed job is staged again for later without end; a job with a single try is not', async () => {
    await stage(world.app.db, 'report.generate', { report_id: 'poison' })
    await stage(world.app.db, 'sweep', {})
    const lasts: [string, boolean][] = []
    const fallback = openQueueFallback(world.app, UNAVAILABLE, async ({ name }, last) => {
      lasts.push([name, last])
      throw new Error('fails')
    })
    await fallback.take()
    await fallback.idle()
    expect(lasts.toSorted()).toEqual([
      ['report.generate', false],
      ['sweep', true],
    ])
    expect(await outbox()).toEqual([{ name: 'report.generate', payload: { report_id: 'poison' }, due_at: expect.any(Date) }])
  })

  test('reports that were requested earlier are issued again', async () => {
    const team = await aTeam(world, { credits: 1 })
    const long_ago = new Date(world.app.clock.now().getTime() - 6000)
    const id = await world.app.db.$transaction((tx) => aPendingReport(tx, team, long_ago, 'nowhere at all, 99999'))
    const done: unknown[] = []
    const fallback = openQueueFallback(world.app, UNAVAILABLE, async ({ payload }) => void done.push(payload))
    expect(await fallback.take()).toBe(1)
    await fallback.idle()
    expect(done).toEqual([{ report_id: id }])
    await world.app.db.report.update({ where: { id }, data: { issued_at: world.app.clock.now() } })
  })
})

describe.skipIf(!redisIsHere)('a Redis that stands still', () => {
  let redis: RedisServer
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis?.stop())

  test('delays no report, before it continues or after', async () => {
    const own = await openWorld({ config: { redis_url: redis.url } })
    own.clock.set(new Date())
    const team = await aTeam(own, { credits: 20 })
    const ask = () =>
      own.app.db.$transaction(async (tx) => {
        const id = await aPendingReport(tx, team, own.clock.now(), 'nowhere at all, 99999')
        await stage(tx, 'report.generate', { report_id: id })
      })
    const countFailed = () => own.app.db.report.count({ where: { status: 'failed', failure_reason: 'address_not_found' } })
    const workers = await startWorkers({ ...own.app, metrics: openMetrics() })
    try {
      await ask()
      await expect.poll(countFailed).toBe(1)
      redis.freeze()
      await ask()
      await expect.poll(countFailed).toBe(2)
      redis.thaw()
      await ask()
      await expect.poll(countFailed).toBe(3)
    } finally {
      redis.thaw()
      await workers.stop()
      await own.close()
    }
  })
})
