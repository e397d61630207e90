import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { seedSample } from '#domain/archive/sample/seed.ts'
import { carefulClient } from '#test/support/careful-client.ts'
import { expectConsistent, waitForIdle } from '#test/support/consistency.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { pgBouncerIsHere } from '#test/support/pgbouncer.ts'
import { countBy, openProxy } from '#test/support/proxy.ts'
import { openShape } from '#test/support/shape.ts'
import type { World } from '#test/support/world.ts'

const REPORTS = 24
const AWAY_MS = 3000
const SETTLED_WITHIN_MS = 240_000
/** A pool finds its lost connections at the next statements. */
const BACK_WITHIN_MS = 2000

describe.skipIf(!pgBouncerIsHere)('PgBouncer in transaction mode before PostgreSQL', () => {
  it('is killed under requests, twice: nothing is lost or done twice, and requests are served as soon as it is back', {
    timeout: 600_000,
  }, async () => {
    const shape = await openShape({}, undefined, { pooled: true })
    try {
      const world = shape.world as World
      await seedSample(world.app)
      const team = await aTeam(world, { credits: 500 })
      const { token } = await aToken(world, team)
      const client = carefulClient(shape.base_urls, token)
      const proxy = openProxy(shape.base_urls, token)
      const requests = client.ask(REPORTS, 4)
      for (const kill of [1, 2]) {
        await pause(1000)
        await shape.pooler?.kill()
        // Without it no request can be authorised: the response is an error, never a wrong answer.
        const outcomes = countBy(await Promise.all(Array.from({ length: 8 }, (_, turn) => proxy.ask(turn))))
        expect(Object.keys(outcomes)).toEqual(['503'])
        await pause(AWAY_MS)
        await shape.pooler?.start()
        const back = performance.now()
        while ((await proxy.ask(kill)) !== '200') await pause(20)
        const took = Math.round(performance.now() - back)
        console.log(`kill ${kill}: answered again ${took} ms after it was back`)
        expect(took).toBeLessThan(BACK_WITHIN_MS)
      }
      const ids = await requests
      console.log(`settled after ${await waitForIdle(shape, SETTLED_WITHIN_MS)} ms; ${client.repeated} requests asked again`)
      const [made] = await shape.query('SELECT count(*)::int AS n, count(*) FILTER (WHERE status = $1)::int AS complete FROM reports', [
        'complete',
      ])
      expect([new Set(ids).size, made]).toEqual([REPORTS, { n: REPORTS, complete: REPORTS }])
      await expectConsistent(shape)
      // Everything except work that needs a session of its own went through the pooler.
      const [sessions] = await shape.query<{ direct: number; pooled: number }>(
        `SELECT count(*) FILTER (WHERE application_name ~ '^weather (relay|changes)$')::int AS direct,
                count(*) FILTER (WHERE application_name = 'weather')::int AS pooled FROM pg_stat_activity`,
      )
      expect(sessions?.direct).toBeGreaterThan(0)
      expect(sessions?.pooled).toBeLessThanOrEqual(16)
    } finally {
      await shape.close()
    }
  })
})
