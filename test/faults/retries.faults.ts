import { expect, it, vi } from 'vitest'
import { emit } from '#domain/events/emit.ts'
import { registerDestination } from '#domain/integrations/destinations.ts'
import { expectConsistent } from '#test/support/consistency.ts'
import { exposureContent } from '#test/support/event-content.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openProcesses, SECRET_KEYS } from '#test/support/processes.ts'
import { openReceiver } from '#test/support/receiver.ts'
import { redisIsHere, startRedis } from '#test/support/redis.ts'
import { NETWORKS } from '#test/support/shape.ts'
import { openWorld } from '#test/support/world.ts'

const POSTS = 40
const WITHIN_MS = 120_000
/** The promise is a second. The sweep would run once in this time, and no retry may wait for it. */
const SWEEP_MS = 15_000

it.each(redisIsHere ? ['redis', 'database'] : ['database'])(
  'a refused post is sent again when it is due, with the queue in the %s',
  { timeout: 300_000 },
  async (store) => {
    const world = await openWorld({ config: { webhook_allowed_networks: [NETWORKS], secret_keys: SECRET_KEYS } })
    world.clock.set(new Date())
    const caller = await aCaller(world, await aTeam(world))
    const redis = store === 'redis' ? await startRedis() : null
    const arrived = new Map<string, number[]>()
    const receiver = await openReceiver((response, { headers }) => {
      const id = String(headers['webhook-id'])
      arrived.set(id, [...(arrived.get(id) ?? []), Date.now()])
      response.writeHead(arrived.get(id)?.length === 1 ? 500 : 204).end()
    })
    const processes = await openProcesses(world.app.config.database_url, {
      WEBHOOK_ALLOWED_NETWORKS: NETWORKS,
      ...(redis && { REDIS_URL: redis.url }),
    })
    try {
      processes.start('worker')
      processes.start('worker')
      await registerDestination(world.app, caller, { name: 'R', channel: 'webhook', url: receiver.url, events: ['exposure.detected'] })
      // All at once: the first may be due again while the last is still being emitted.
      await world.app.db.$transaction(async (tx) => {
        for (let nth = 0; nth < POSTS; nth++) {
          const about = { team_id: caller.team.id, subject: `Hail ${nth}`, exposure_ids: [nth] }
          await emit(tx, 'exposure.detected', about, exposureContent('HQ'))
        }
      })
      const due = new Map<string, number>()
      await vi.waitFor(
        async () => {
          const rows = await processes.query<{ id: string; at: Date }>(
            'SELECT id, next_attempt_at AS at FROM deliveries WHERE attempts = 1 AND next_attempt_at IS NOT NULL AND lease_token IS NULL',
          )
          for (const { id, at } of rows) due.set(id, at.getTime())
          expect([...arrived.values()].filter(({ length }) => length === 2)).toHaveLength(POSTS)
        },
        { timeout: WITHIN_MS, interval: 250 },
      )
      const unseen = [...arrived].filter(([id]) => !due.has(id)).map(([id, times]) => ({ id, times: times.map((at) => new Date(at)) }))
      expect(unseen).toEqual([])
      const late = [...due].map(([id, at]) => (arrived.get(id)?.[1] as number) - at).toSorted((a, b) => a - b)
      console.log(`${store}: ${POSTS} retries began ${late[0]} to ${late.at(-1)} ms after their time, the median ${late[POSTS / 2]} ms`)
      expect(late[0]).toBeGreaterThanOrEqual(0)
      expect(late.at(-1)).toBeLessThan(SWEEP_MS)
      await vi.waitFor(async () => expect(await processes.query("SELECT FROM deliveries WHERE status <> 'sent'")).toEqual([]), WITHIN_MS)
      await expectConsistent(processes)
    } finally {
      await processes.close()
      await Promise.all([receiver.close(), redis?.stop()])
    }
  },
)
