import { mkdtemp, readFile, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { migrate } from '#domain/engines/migrations.ts'
import { carefulClient } from '#test/support/careful-client.ts'
import { expectConsistent, settled } from '#test/support/consistent.ts'
import { buildEarlier, commitBeforeMigration } from '#test/support/earlier.ts'
import { openPostgres } from '#test/support/own-postgres.ts'
import { openProcesses } from '#test/support/processes.ts'
import { countBy, type FrontProxy, openProxy } from '#test/support/proxy.ts'
import { openReceiver } from '#test/support/receiver.ts'
import { startRedis } from '#test/support/redis.ts'
import { NETWORKS, OPERATOR_KEY } from '#test/support/shape.ts'
import { openTerminal } from '../cli/terminal.ts'

const earlier = commitBeforeMigration()
/** A lost job is issued again after 60 s, found within a further 15. */
const SETTLED_WITHIN_MS = 240_000
/** Some dozens of requests before the migration and after it, on the version before. */
const MEANWHILE_MS = 5_000

it.skipIf(!earlier)(
  `the version before the newest migration serves while it is applied, and is replaced: no request is lost${earlier ? '' : ' (skipped: no history)'}`,
  {
    timeout: 600_000,
  },
  async () => {
    const old = await buildEarlier(earlier as string)
    const home = await mkdtemp(path.join(os.tmpdir(), 'weather-upgrade-'))
    const [postgres, redis, receiver] = await Promise.all([openPostgres(), startRedis(), openReceiver()])
    const service = await openProcesses(postgres.url, {
      REDIS_URL: redis.url,
      WEBHOOK_ALLOWED_NETWORKS: NETWORKS,
      WEATHER_OPERATOR_KEY: OPERATOR_KEY,
    })
    const applied = async () =>
      (await service.query<{ n: number }>('SELECT count(*)::int AS n FROM _prisma_migrations WHERE finished_at IS NOT NULL'))[0]
        ?.n as number
    try {
      await migrate(postgres.url, path.join(old.folder, 'migrations'))
      const [before] = [await applied()]
      // With the sample, and with it a first team whose token it leaves in its home.
      const first = service.start('api', { under: old.under, env: { WEATHER_HOME: home, WEATHER_SAMPLE: '1' } })
      const token = await vi.waitFor(async () => JSON.parse(await readFile(path.join(home, 'ready.json'), 'utf8')).token as string, 60_000)
      const second = service.start('api', { nth: 1, under: old.under })
      const worker = service.start('worker', { under: old.under })
      await service.ready()
      await register(service.base_url, token, receiver.url)

      const load = keepAsking(openProxy(service.base_urls, token))
      const client = carefulClient(service.base_urls, token)
      await client.ask(8, 2)
      await pause(MEANWHILE_MS)
      expect(await service.run('--migrate', '--roles=none')).toBe(0)
      expect(await applied()).toBeGreaterThan(before as number)
      await client.ask(8, 2)
      await pause(MEANWHILE_MS)
      // Up to here nobody had to ask twice.
      expect(client.repeated).toBe(0)

      const reports = client.ask(8, 1)
      await service.stop(worker)
      service.start('worker')
      for (const [nth, api] of [first, second].entries()) {
        await service.stop(api)
        service.start('api', { nth: nth as 0 | 1 })
        await service.ready()
      }
      await reports
      const outcomes = await load.end()
      console.log(JSON.stringify(outcomes))
      expect(Object.keys(outcomes).sort()).toEqual(['200', '201'])

      await settled(service, SETTLED_WITHIN_MS)
      await expectConsistent(service)
      expect(await service.query("SELECT failure_reason FROM reports WHERE status <> 'complete'")).toEqual([])
      const weather = await openTerminal({ WEATHER_URL: service.base_url, WEATHER_OPERATOR_KEY: OPERATOR_KEY })
      expect((await weather('doctor')).status).toBe(0)
    } catch (fault) {
      console.log((await service.log()).slice(-10_000))
      throw fault
    } finally {
      await service.close()
      await Promise.all([postgres.stop(), redis.stop(), receiver.close(), old.close()])
      await rm(home, { recursive: true, force: true })
    }
  },
)

/** A destination that receives the events of what the load makes. */
async function register(base_url: string, token: string, url: string): Promise<void> {
  const answer = await fetch(`${base_url}/api/v1/integrations`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Receiver', channel: 'webhook', url, events: ['report.completed', 'property.created'] }),
  })
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
}

/** Between two requests of one client: it should not keep both processors from what is tested. */
const BREATH_MS = 50

/** Four clients that read and save until they are asked to end; how often each outcome came. */
function keepAsking(proxy: FrontProxy): { end(): Promise<Record<string, number>> } {
  const outcomes: string[] = []
  let asking = true
  const one = async (asked: (turn: number) => Parameters<FrontProxy['ask']>[1]) => {
    for (let turn = 0; asking; turn++) {
      outcomes.push(await proxy.ask(turn, asked(turn)))
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
      asking = false
      await Promise.all(clients)
      return countBy(outcomes)
    },
  }
}
