import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { systemClock } from '#domain/engines/clock.ts'
import { openMetrics } from '#domain/engines/metrics.ts'
import { emit } from '#domain/events/emit.ts'
import { registerDestination } from '#domain/integrations/destinations.ts'
import { runDurable, stageDurable } from '#domain/kernel/durable-jobs.ts'
import { stage } from '#domain/kernel/outbox.ts'
import type { Team } from '#generated/prisma/client.ts'
import { exposureContent } from '#test/support/event-content.ts'
import { aCaller, aPendingReport, aTeam } from '#test/support/factories.ts'
import { openReceiver, type Receiver } from '#test/support/receiver.ts'
import { type RedisServer, redisIsHere, startRedis } from '#test/support/redis.ts'
import { startTestWorkers } from '#test/support/workers.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { builtJobs, jobOf } from '#workers/jobs.ts'

let redis: RedisServer
beforeAll(async () => {
  if (redisIsHere) redis = await startRedis()
})
afterAll(() => redis?.stop())

/** A pending report with an unknown address, with its charge and its job, in one transaction. */
async function aRequest(world: World, team: Pick<Team, 'id'>): Promise<string> {
  return world.app.db.$transaction(async (tx) => {
    const id = await aPendingReport(tx, team, world.clock.now(), 'nowhere at all, 99999')
    await stage(tx, 'report.generate', { report_id: id })
    return id
  })
}

/** A world whose clock shows the time, and a team in it that posts its exposures to the receiver. */
async function aWorldWith(receiver: Receiver, redis_url: string | null) {
  const world = await openWorld({ config: { redis_url, webhook_allowed_networks: ['127.0.0.0/8'] } })
  world.clock.set(new Date())
  const caller = await aCaller(world, await aTeam(world))
  const input = { name: 'Receiver', channel: 'webhook', url: receiver.url, events: ['exposure.detected' as const] }
  await registerDestination(world.app, caller, input)
  return { world, caller }
}

for (const backend of redisIsHere ? ['database', 'redis'] : ['database']) {
  describe(backend, () => {
    test('two worker processes complete staged jobs', async () => {
      const world = await openWorld({ config: { redis_url: backend === 'redis' ? redis.url : null } })
      const team = await aTeam(world, { credits: 20 })
      // Each process has its own metrics.
      const start = () => startTestWorkers({ ...world.app, metrics: openMetrics() })
      const workers = [await start(), await start()]
      const ids = await Promise.all(Array.from({ length: 12 }, () => aRequest(world, team)))
      await expect
        .poll(() => world.app.db.report.count({ where: { id: { in: ids }, status: 'failed', failure_reason: 'address_not_found' } }))
        .toBe(12)
      expect(await world.app.db.team.findUniqueOrThrow({ where: { id: team.id } })).toMatchObject({ balance: 20, ledger_sequence: 25 })
      await expect.poll(() => world.app.db.schedule.count()).toBe(builtJobs.filter((name) => jobOf(name).every).length)
      await Promise.all(workers.map((worker) => worker.stop()))
      await world.close()
    })

    test('a stop waits for running jobs, and says if some still run at its limit', async () => {
      const world = await openWorld({ config: { redis_url: backend === 'redis' ? redis.url : null } })
      let answer = () => {}
      const find = () => new Promise<[]>((resolve) => (answer = () => resolve([])))
      const geocode = { provider: 'census' as const, streets_only: false, find }
      const team = await aTeam(world, { credits: 2 })
      const startJob = async (limit_ms: number) => {
        answer = () => {}
        const idle = answer
        const workers = await startTestWorkers({ ...world.app, geocode, metrics: openMetrics() }, ['report.generate'], limit_ms)
        await aRequest(world, team)
        await expect.poll(() => answer !== idle).toBe(true)
        return workers
      }
      const { pool } = world.app
      await world.app.db.$transaction((tx) => stageDurable(tx, 'coverage.recount', {}))
      void runDurable(world.app, 1, () => new Promise(() => {}))
      const starts = async () => (await pool.query('SELECT starts FROM lasting_jobs')).rows
      await expect.poll(starts).toEqual([{ starts: 1 }])
      expect(await (await startJob(100)).stop()).toBe(false)
      // A stop is not counted like a death of the process.
      expect(await starts()).toEqual([{ starts: 0 }])
      answer()
      const stopped = (await startJob(15_000)).stop()
      answer()
      expect(await stopped).toBe(true)
      await world.close()
    })

    test('a stop begins no other posts of the destination that it still posts to', async () => {
      let answer = () => {}
      const asked = new Promise<void>((resolve) => (answer = resolve))
      const receiver = await openReceiver((response) => void asked.then(() => response.writeHead(204).end()))
      const { world, caller } = await aWorldWith(receiver, backend === 'redis' ? redis.url : null)
      const metrics = openMetrics()
      const workers = await startTestWorkers({ ...world.app, clock: systemClock, metrics }, ['delivery.send'])
      const about = { team_id: caller.team.id, subject: 'Hail at HQ', exposure_ids: [7] }
      for (let nth = 1; nth <= 8; nth++)
        await world.app.db.$transaction((tx) => emit(tx, 'exposure.detected', about, exposureContent('HQ')))
      await expect.poll(() => receiver.posts.length).toBe(4)
      // The jobs of the other posts find no room.
      const done = async () => (await metrics.read()).text
      await expect.poll(done).toContain('_count{job_name="delivery.send",outcome="done"} 4\n')
      const stopped = workers.stop()
      answer()
      expect(await stopped).toBe(true)
      expect(await world.app.db.delivery.count({ where: { status: 'sent' } })).toBe(4)
      expect(await world.app.db.delivery.count({ where: { status: 'queued', attempts: 0 } })).toBe(4)
      expect(await world.app.db.outboxJob.count({ where: { name: 'delivery.send' } })).toBeGreaterThan(0)
      await receiver.close()
      await world.close()
    })

    test('a refused post is sent again when it is due, without a sweep', async () => {
      const receiver = await openReceiver((response, _post, nth) => response.writeHead(nth === 1 ? 500 : 204).end())
      const { world, caller } = await aWorldWith(receiver, backend === 'redis' ? redis.url : null)
      const workers = await startTestWorkers({ ...world.app, clock: systemClock, metrics: openMetrics() }, ['delivery.send'])
      const about = { team_id: caller.team.id, subject: 'Hail at HQ', exposure_ids: [7] }
      await world.app.db.$transaction((tx) => emit(tx, 'exposure.detected', about, exposureContent('HQ')))
      const { db } = world.app
      // It is in this state for seconds only.
      const due_at = async () => (await db.delivery.findFirstOrThrow({ where: { status: 'retrying' } })).next_attempt_at
      const next_attempt_at = await vi.waitFor(due_at, { timeout: 15_000 })
      await expect.poll(() => db.delivery.count({ where: { status: 'sent' } })).toBe(1)
      const { attempts, sent_at } = await db.delivery.findFirstOrThrow()
      expect(attempts).toBe(2)
      expect(sent_at?.getTime()).toBeGreaterThanOrEqual(next_attempt_at?.getTime() as number)
      await workers.stop()
      await receiver.close()
      await world.close()
    })
  })
}
