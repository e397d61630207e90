import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, it } from 'vitest'
import { seedSample } from '#domain/archive/sample/seed.ts'
import { checkLog } from '#domain/fingerprint-log/check-log.ts'
import { registerDestination } from '#domain/integrations/destinations.ts'
import { carefulClient } from '#test/support/careful-client.ts'
import { expectConsistent, waitForIdle } from '#test/support/consistency.ts'
import { aCaller, aTeam, aToken } from '#test/support/factories.ts'
import { type FleetServers, fleetIsHere, openFleetServers } from '#test/support/fleet-servers.ts'
import { seededRandom, shuffled } from '#test/support/random.ts'
import { openReceiver } from '#test/support/receiver.ts'
import type { Sentinels } from '#test/support/sentinels.ts'
import { type Name, names, openShape, type Shape } from '#test/support/shape.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import type { World } from '#test/support/world.ts'

/** Spread over all faults. */
const REPORTS = Number(process.env.REPORTS ?? 90)
const AT_ONCE = 6
const SEED = Number(process.env.FREEZE_SEED ?? Date.now() % 1_000_000)
/** From the last fault: a job that was lost with a Redis master is issued again after 60 s. */
const SETTLED_WITHIN_MS = 300_000
/** How long a killed part stays down. */
const AWAY_MS = 1500

describe.skipIf(!fleetIsHere)('the whole fleet', () => {
  it(`${REPORTS} reports while each part is killed, and finally all parts together: each report exists once, with one post, one document and one log entry`, {
    timeout: 1_800_000,
  }, async () => {
    const random = seededRandom(SEED)
    const [servers, receiver] = await Promise.all([openFleetServers(), openReceiver()])
    const { sentinels, store } = servers
    const shape = await openShape(servers.settings, undefined, { pooled: true, replicated: true, apart: true })
    try {
      shape.begin('worker-2')
      const world = shape.world as World
      await seedSample(world.app)
      const team = await aTeam(world, { credits: REPORTS })
      const hook = { name: 'Receiver', channel: 'webhook', url: receiver.url, events: ['report.completed'] } as const
      await registerDestination(world.app, await aCaller(world, team), { ...hook, events: [...hook.events] })
      const { token } = await aToken(world, team)
      const client = carefulClient(shape.base_urls, token)

      const fleet = { shape, sentinels, store }
      const order = [...shuffled(faults, random), together]
      console.log(`FREEZE_SEED=${SEED}: ${order.map(({ name }) => name).join(', ')}`)
      const ids: string[] = []
      for (const [nth, { happen }] of order.entries()) {
        const requests = client.ask(Math.ceil((REPORTS - ids.length) / (order.length - nth)), AT_ONCE)
        await pause(random() * 500)
        await happen(fleet)
        ids.push(...(await requests))
        await shape.ready()
      }
      const took = await waitForIdle(shape, SETTLED_WITHIN_MS)

      const [counts] = await shape.query<Record<string, number>>(`
        SELECT count(*)::int AS reports, count(*) FILTER (WHERE status = 'complete')::int AS complete,
               (SELECT count(*)::int FROM credit_transactions WHERE kind = 'spend') AS spent,
               (SELECT count(*)::int FROM credit_transactions WHERE kind = 'refund') AS refunded,
               (SELECT count(*)::int FROM events WHERE name = 'report.completed') AS announced,
               (SELECT count(*)::int FROM deliveries WHERE status = 'sent') AS sent,
               (SELECT count(*)::int FROM documents) AS documents
          FROM reports`)
      console.log(`${order.length} faults; ${client.repeated} requests repeated; settled ${took} ms after the last`, counts)
      expect(await shape.query("SELECT id, failure_reason, failure_message, created_at FROM reports WHERE status = 'failed'")).toEqual([])
      expect(new Set(ids).size).toBe(REPORTS)
      const each = { reports: REPORTS, complete: REPORTS, spent: REPORTS, announced: REPORTS, sent: REPORTS, documents: REPORTS }
      expect(counts).toEqual({ ...each, refunded: 0 })
      // A post that was cut off may have arrived twice, with the same id.
      const posts = new Map(receiver.posts.map(({ body }) => [JSON.parse(body).id as string, body]))
      expect(posts.size).toBe(REPORTS)
      const bodies = [...posts.values()].join('\n')
      expect(ids.filter((id) => !bodies.includes(id))).toEqual([])
      for (const [nth, id] of ids.entries()) {
        const answer = await fetch(`${shape.base_urls[nth % 2]}/api/v1/reports/${id}/pdf`, {
          headers: { authorization: `Bearer ${token}` },
        })
        expect([
          answer.status,
          Buffer.from(await answer.arrayBuffer())
            .subarray(0, 5)
            .toString(),
        ]).toEqual([200, '%PDF-'])
      }
      expect(store.checksums.size).toBeGreaterThanOrEqual(REPORTS)
      expect(await checkLog(world.app)).toEqual([])
      await expectConsistent(shape)
    } finally {
      await shape.close()
      await Promise.all([servers.close(), receiver.close()])
    }
  })
})

interface Fleet extends Pick<FleetServers, 'sentinels' | 'store'> {
  shape: Shape
}
interface Fault {
  name: string
  happen(fleet: Fleet): Promise<void>
}

/** Kills something, and starts it again later. */
interface Part {
  name: string
  kill(fleet: Fleet): Promise<void>
  back(fleet: Fleet): Promise<void>
}

const processes: Part[] = [...names, 'worker-2' as const].map((name: Name) => ({
  name,
  kill: ({ shape }) => shape.kill(shape.process(name)),
  back: async ({ shape }) => void shape.begin(name),
}))

/** The current master: its replica replaces it, and it comes back as the replica. */
function masterOfRedis(): Part {
  let lost: Awaited<ReturnType<Sentinels['master']>>
  return {
    name: 'the master of Redis',
    async kill({ sentinels }) {
      lost = await sentinels.master()
      await lost.kill()
    },
    back: () => lost.start(),
  }
}

const servers: Part[] = [
  masterOfRedis(),
  { name: 'PgBouncer', kill: async ({ shape }) => shape.pooler?.kill(), back: async ({ shape }) => shape.pooler?.start() },
  { name: 'the replica', kill: async ({ shape }) => shape.standby?.kill(), back: async ({ shape }) => shape.standby?.start() },
  {
    name: 'PostgreSQL',
    kill: async ({ shape }) => shape.postgres?.kill(),
    async back({ shape }) {
      await shape.postgres?.start()
      await waitUntil(() => answers(shape.postgres?.url as string))
    },
  },
]

const faults: Fault[] = [
  ...[...processes, ...servers].map(({ name, kill, back }) => ({
    name,
    async happen(fleet: Fleet) {
      await kill(fleet)
      await pause(AWAY_MS)
      await back(fleet)
    },
  })),
  { name: 'a sentinel, for good', happen: ({ sentinels }) => sentinels.killSentinel(0) },
  {
    name: 'the store of documents is in trouble',
    async happen({ store }) {
      store.faults.push(...Array.from({ length: 4 }, () => ({ answer: [503, 'SlowDown'] as [number, string] })), { silent: true })
    },
  },
]

const together: Fault = {
  name: 'all together',
  async happen(fleet) {
    const all = [...processes, ...servers]
    await Promise.all(all.map(({ kill }) => kill(fleet)))
    await pause(AWAY_MS)
    // Servers before the processes that need them, as a supervisor starts them.
    for (const { back } of [...servers].reverse()) await back(fleet)
    for (const { back } of processes) await back(fleet)
  },
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url })
  const there = await client.connect().then(
    () => true,
    () => false,
  )
  await client.end().catch(() => {})
  return there
}
