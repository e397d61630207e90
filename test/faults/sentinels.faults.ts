import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { seedSample } from '#domain/archive/sample/seed.ts'
import { carefulClient } from '#test/support/careful-client.ts'
import { expectConsistent, waitForIdle } from '#test/support/consistency.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { sentinelsAreHere, startSentinels } from '#test/support/sentinels.ts'
import { openShape } from '#test/support/shape.ts'
import type { World } from '#test/support/world.ts'

const REPORTS = 24
/** Jobs that the lost master had and its replica had not are issued again after 60 s, and found within another 15 s. */
const SETTLED_WITHIN_MS = 240_000

describe.skipIf(!sentinelsAreHere)('a Redis that three sentinels watch', () => {
  it('loses its master under load: nothing is lost or done twice, and the replica replaces it', {
    timeout: 600_000,
  }, async () => {
    const sentinels = await startSentinels()
    const shape = await openShape({ REDIS_URL: sentinels.url })
    try {
      const world = shape.world as World
      await seedSample(world.app)
      const { token } = await aToken(world, await aTeam(world, { credits: 500 }))
      const client = carefulClient(shape.base_urls, token)
      const requests = client.ask(REPORTS, 4)
      await pause(500)
      const lost = await sentinels.master()
      await lost.kill()
      const killedAt = performance.now()
      const ids = await requests
      console.log(`all ${REPORTS} asked for ${Math.round(performance.now() - killedAt)} ms after the master was lost`)
      console.log(`settled after ${await waitForIdle(shape, SETTLED_WITHIN_MS)} ms; ${client.repeated} requests asked again`)
      expect((await sentinels.master()).url).not.toBe(lost.url)
      // The queue is on the new master: new requests are done through it.
      await client.ask(4, 4)
      await waitForIdle(shape, SETTLED_WITHIN_MS)
      const [made] = await shape.query('SELECT count(*)::int AS n, count(*) FILTER (WHERE status = $1)::int AS complete FROM reports', [
        'complete',
      ])
      expect([new Set(ids).size, made]).toEqual([REPORTS, { n: REPORTS + 4, complete: REPORTS + 4 }])
      await expectConsistent(shape)
      expect(await shape.log()).not.toContain('READONLY')
    } finally {
      await shape.close()
      await sentinels.stop()
    }
  })
})
