import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { describe, expect, it, vi } from 'vitest'
import { carefulClient } from '#test/support/careful-client.ts'
import { expectConsistent, waitForIdle } from '#test/support/consistency.ts'
import { buildEarlier, commitBeforeMigration } from '#test/support/earlier-build.ts'
import { fleetIsHere, openFleetServers } from '#test/support/fleet-servers.ts'
import { openPostgres } from '#test/support/own-postgres.ts'
import { startPgBouncer } from '#test/support/pgbouncer.ts'
import { openProcesses, type Processes } from '#test/support/processes.ts'
import { countBy, type FrontProxy, openProxy } from '#test/support/proxy.ts'
import { openReceiver } from '#test/support/receiver.ts'
import { startRedis } from '#test/support/redis.ts'
import { parseScrape } from '#test/support/scrape.ts'
import { BUT_DOCUMENTS, NETWORKS, OPERATOR_KEY } from '#test/support/shape.ts'
import { openTerminal } from '../cli/terminal.ts'

const earlier = commitBeforeMigration()
/** A lost job is issued again after 60 s, and found within another 15 s. */
const SETTLED_WITHIN_MS = 240_000
/** Some dozens of requests before the migration and after it, on the earlier version. */
const MEANWHILE_MS = 5_000

/** The servers of the processes, the same for both versions. */
interface Servers {
  /** For the owner. */
  url: string
  settings: Record<string, string>
  /** Expects that each of the servers was used by those processes. */
  served(service: Processes, token: string): Promise<void>
  close(): Promise<void>
}

async function openSmall(): Promise<Servers> {
  const [postgres, redis] = await Promise.all([openPostgres(), startRedis()])
  return {
    url: postgres.url,
    settings: { DATABASE_URL: postgres.url, REDIS_URL: redis.url },
    served: async () => {},
    close: async () => void (await Promise.all([postgres.stop(), redis.stop()])),
  }
}

async function openFleet(): Promise<Servers> {
  const [postgres, { sentinels, store, settings, close }] = await Promise.all([openPostgres(), openFleetServers()])
  const standby = await postgres.openStandby({ synchronous: false })
  const pooler = await startPgBouncer(postgres.serving)
  const databases = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: postgres.serving, DATABASE_REPLICA_URL: standby.serving }
  return {
    url: postgres.url,
    settings: { ...databases, DATABASE_MIGRATE_URL: postgres.url, ...settings },
    async served({ base_urls }, token) {
      expect(await pooler.transactions()).toBeGreaterThan(0)
      for (const base_url of base_urls) await vi.waitFor(() => expectReplica(base_url, token), 30_000)
      expect(store.checksums.size).toBeGreaterThan(0)
      expect(await keysOf((await sentinels.master()).url)).toBeGreaterThan(0)
    },
    async close() {
      await pooler.stop()
      await standby.stop()
      await Promise.all([postgres.stop(), close()])
    },
  }
}

/** Expects that an API process reads a list from the replica, which may first have to catch up with the team's last write. */
async function expectReplica(base_url: string, token: string): Promise<void> {
  await fetch(`${base_url}/api/v1/exposures`, { headers: { authorization: `Bearer ${token}` } })
  const answer = await fetch(`${base_url}/metrics`, { headers: { authorization: `Bearer ${OPERATOR_KEY}` } })
  expect(parseScrape(await answer.text()).get('weather_replica_reads_total{reason="fresh",server="replica"}')).toBeGreaterThan(0)
}

async function keysOf(url: string): Promise<number> {
  const redis = new Redis(url)
  return redis.dbsize().finally(() => redis.disconnect())
}

const shapes = [
  { name: 'PostgreSQL and Redis', here: true, open: openSmall, workers: [[]] },
  {
    name: 'a fleet of PgBouncer, a replica, sentinels and a bucket',
    here: fleetIsHere,
    open: openFleet,
    workers: [[BUT_DOCUMENTS], [BUT_DOCUMENTS], ['--jobs=report.render']],
  },
]

describe.skipIf(!earlier)(`the version before the newest migration${earlier ? '' : ' (skipped: no history)'}`, () => {
  it.for(shapes)(
    'serves during the migration, and is replaced, on $name: no request is lost',
    { timeout: 900_000 },
    async (shape, { skip }) => {
      if (!shape.here) skip()
      const old = await buildEarlier(earlier as string)
      const home = await mkdtemp(path.join(os.tmpdir(), 'weather-upgrade-'))
      const [servers, receiver] = await Promise.all([shape.open(), openReceiver()])
      const service = await openProcesses(servers.url, {
        ...servers.settings,
        WEBHOOK_ALLOWED_NETWORKS: NETWORKS,
        WEATHER_OPERATOR_KEY: OPERATOR_KEY,
      })
      const applied = async () =>
        (await service.query<{ n: number }>('SELECT count(*)::int AS n FROM _prisma_migrations WHERE finished_at IS NOT NULL'))[0]
          ?.n as number
      const worker = (nth: number, how: { under?: string[] } = {}) =>
        service.start('worker', { ...how, args: shape.workers[nth] ?? [], env: { WEATHER_HOME: path.join(home, `worker-${nth}`) } })
      try {
        // With the sample, which brings a first team, whose token is in the home folder.
        const first = service.start('api', { under: old.under, args: ['--migrate'], env: { WEATHER_HOME: home, WEATHER_SAMPLE: '1' } })
        const token = await vi.waitFor(
          async () => JSON.parse(await readFile(path.join(home, 'ready.json'), 'utf8')).token as string,
          60_000,
        )
        const second = service.start('api', { nth: 1, under: old.under })
        const workers = shape.workers.map((_, nth) => worker(nth, { under: old.under }))
        await service.ready()
        await register(service.base_url, token, receiver.url)
        const before = await applied()

        const load = keepRequesting(openProxy(service.base_urls, token))
        const client = carefulClient(service.base_urls, token)
        const ids = await client.ask(8, 2)
        await pause(MEANWHILE_MS)
        expect(await service.run('--migrate', '--roles=none')).toBe(0)
        expect(await applied()).toBeGreaterThan(before)
        ids.push(...(await client.ask(8, 2)))
        await pause(MEANWHILE_MS)
        // Up to here no request had to be repeated.
        expect(client.repeated).toBe(0)

        const reports = client.ask(8, 1)
        for (const [nth, one] of workers.entries()) {
          await service.stop(one)
          worker(nth)
        }
        for (const [nth, api] of [first, second].entries()) {
          await service.stop(api)
          service.start('api', { nth: nth as 0 | 1 })
          await service.ready()
        }
        ids.push(...(await reports))
        const outcomes = await load.end()
        console.log(`${shape.name}: ${JSON.stringify(outcomes)}`)
        expect(Object.keys(outcomes).sort()).toEqual(['200', '201'])

        await waitForIdle(service, SETTLED_WITHIN_MS)
        await expectConsistent(service)
        expect(await service.query("SELECT failure_reason FROM reports WHERE status <> 'complete'")).toEqual([])
        const [counts] = await service.query(ONCE)
        expect(new Set(ids).size).toBe(ids.length)
        expect(counts).toEqual({ reports: ids.length, spent: ids.length, documents: ids.length, saved: outcomes['201'] })
        // A post that was cut off may have arrived twice, with the same id.
        const posts = new Set(receiver.posts.map(({ body }) => JSON.parse(body)).map((post) => post.id))
        expect(posts.size).toBe(ids.length + (outcomes['201'] ?? 0))
        const weather = await openTerminal({ WEATHER_URL: service.base_url, WEATHER_OPERATOR_KEY: OPERATOR_KEY })
        expect((await weather('doctor')).status).toBe(0)
        await servers.served(service, token)
      } catch (fault) {
        console.log((await service.log()).slice(-10_000))
        throw fault
      } finally {
        await service.close()
        await Promise.all([servers.close(), receiver.close(), old.close()])
        await rm(home, { recursive: true, force: true })
      }
    },
  )
})

/** Each request exactly once, not counting the sample's own report and properties of the first team. */
const ONCE = `
  SELECT count(*)::int AS reports,
         (SELECT count(*)::int FROM credit_transactions WHERE kind = 'spend') AS spent,
         (SELECT count(*)::int FROM documents) AS documents,
         (SELECT count(*)::int FROM properties WHERE query LIKE '% Main St, Moore, OK 73160') AS saved
    FROM reports`

/** A destination that receives the events that the load causes. */
async function register(base_url: string, token: string, url: string): Promise<void> {
  const answer = await fetch(`${base_url}/api/v1/integrations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Receiver', channel: 'webhook', url, events: ['report.completed', 'property.created'] }),
  })
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
}

/** Pause between two requests of one client, so that the load leaves processor time for the tested processes. */
const BREATH_MS = 50

/** Four clients that read and write until they are stopped; returns how often each outcome came. */
function keepRequesting(proxy: FrontProxy): { end(): Promise<Record<string, number>> } {
  const outcomes: string[] = []
  let running = true
  const one = async (requestFor: (turn: number) => Parameters<FrontProxy['ask']>[1]) => {
    for (let turn = 0; running; turn++) {
      outcomes.push(await proxy.ask(turn, requestFor(turn)))
      await pause(BREATH_MS)
    }
  }
  const clients = [
    one(() => ({ path: '/account' })),
    one(() => ({ path: '/reports?per_page=5' })),
    one(() => ({ path: '/exposures' })),
    one((turn) => ({ path: '/properties', method: 'POST', body: { address: `${turn + 1} Main St, Moore, OK 73160` } })),
  ]
  return {
    async end() {
      running = false
      await Promise.all(clients)
      return countBy(outcomes)
    },
  }
}
