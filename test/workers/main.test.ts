import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openMetrics } from '#domain/engines/metrics.ts'
import { stage } from '#domain/outbox.ts'
import type { Team } from '#generated/prisma/client.ts'
import { aPendingReport, aTeam } from '#test/support/factories.ts'
import { type RedisServer, redisIsHere, startRedis } from '#test/support/redis.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { builtJobs, jobOf } from '#workers/jobs.ts'
import { startWorkers } from '#workers/main.ts'

let redis: RedisServer
beforeAll(async () => {
  if (redisIsHere) redis = await startRedis()
})
afterAll(() => redis?.stop())

/** A pending report of an address that nobody has, with its charge and its job, in one transaction. */
async function aRequest(world: World, team: Pick<Team, 'id'>): Promise<string> {
  return world.app.db.$transaction(async (tx) => {
    const id = await aPendingReport(tx, team, world.clock.now(), 'nowhere at all, 99999')
    await stage(tx, 'report.generate', { report_id: id })
    return id
  })
}

for (const backend of redisIsHere ? ['database', 'redis'] : ['database']) {
  describe(backend, () => {
    test('two worker processes carry what is staged to its end', async () => {
      const world = await openWorld({ config: { redis_url: backend === 'redis' ? redis.url : null } })
      const team = await aTeam(world, { credits: 20 })
      // Each process has figures of its own.
      const start = () => startWorkers({ ...world.app, metrics: openMetrics() })
      const workers = [await start(), await start()]
      const ids = await Promise.all(Array.from({ length: 12 }, () => aRequest(world, team)))
      await expect
        .poll(() => world.app.db.report.count({ where: { id: { in: ids }, status: 'failed', failure_reason: 'address_not_found' } }), {
          timeout: 15_000,
        })
        .toBe(12)
      expect(await world.app.db.team.findUniqueOrThrow({ where: { id: team.id } })).toMatchObject({ balance: 20, ledger_sequence: 25 })
      await expect.poll(() => world.app.db.schedule.count()).toBe(builtJobs.filter((name) => jobOf(name).every).length)
      await Promise.all(workers.map((worker) => worker.stop()))
      await world.close()
    })
  })
}
