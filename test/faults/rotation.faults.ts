import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { expectConsistent, waitForIdle } from '#test/support/consistency.ts'
import { openPostgres } from '#test/support/own-postgres.ts'
import { openProcesses } from '#test/support/processes.ts'
import { countBy, type FrontProxy, type Outcome, openProxy } from '#test/support/proxy.ts'
import { openReceiver } from '#test/support/receiver.ts'
import { startRedis } from '#test/support/redis.ts'
import { NETWORKS, OPERATOR_KEY } from '#test/support/shape.ts'
import type { SecretKeys } from '../../cli/commands/keys.ts'
import { openTerminal, type Terminal } from '../cli/terminal.ts'

/** Rotates the secret key and the operator key as docs/production.md describes, under load: no request fails. */

const OLD = `before:${Buffer.alloc(32, 7).toString('base64')}`
const NEW = `after:${Buffer.alloc(32, 8).toString('base64')}`
/** Some dozens of requests of each client while every process has the same keys. */
const STEADY_MS = 5_000
/** Pause between two requests of one client, so that the load leaves processor time for the tested processes. */
const BREATH_MS = 50
/** One request in so many creates a destination under the current key ring; every property then causes a post to each destination. */
const [PROPERTY_EVERY, DESTINATION_EVERY] = [8, 160]
const SETTLED_WITHIN_MS = 240_000

it('the secret key and the operator key are rotated under load: no request fails', { timeout: 900_000 }, async () => {
  const [postgres, redis, receiver] = await Promise.all([openPostgres(), startRedis(), openReceiver()])
  const service = await openProcesses(postgres.url, {
    REDIS_URL: redis.url,
    WEBHOOK_ALLOWED_NETWORKS: NETWORKS,
    WEATHER_OPERATOR_KEY: OPERATOR_KEY,
  })
  const places = [
    { role: 'api', nth: 0 },
    { role: 'api', nth: 1 },
    { role: 'worker', nth: 0 },
  ] as const
  const start = ({ role, nth }: (typeof places)[number], ring: string) => service.start(role, { nth, env: { WEATHER_SECRET_KEY: ring } })
  try {
    expect(await service.run('--migrate', '--roles=none')).toBe(0)
    const running = places.map((place) => start(place, OLD))
    await service.ready()
    const weather = await openTerminal({ WEATHER_URL: service.base_url, WEATHER_OPERATOR_KEY: OPERATOR_KEY })
    const team = await json<{ id: string }>(weather, 'admin', 'team', 'create', '--name', 'First team', '--plan', 'enterprise')
    const named = ['--team', team.id, '--name', 'desk', '--all-abilities']
    const { token } = await json<{ token: string }>(weather, 'admin', 'token', 'issue', ...named)
    const issue = async (name: string) =>
      (await json<{ key: string }>(weather, 'operator', 'keys', 'issue', '--name', name, '--role', 'read')).key
    const replaceAll = async (ring: string) => {
      for (const [at, place] of places.entries()) {
        expect((await service.stop(running[at] as (typeof running)[number])).code).toBe(0)
        running[at] = start(place, ring)
        await service.ready()
      }
      await pause(STEADY_MS)
    }

    const operator = { proxy: openProxy(service.base_urls, await issue('first'), '') }
    const load = keepRequesting(openProxy(service.base_urls, token), operator, receiver.url)
    await pause(STEADY_MS)

    await replaceAll(`${OLD},${NEW}`)
    expect(await reported(weather, 'before')).toMatchObject({ seals: true })
    expect(await reported(weather, 'after')).toMatchObject({ said: expect.stringContaining('it may go first') })
    operator.proxy = openProxy(service.base_urls, await issue('second'), '')
    await replaceAll(`${NEW},${OLD}`)
    expect((await weather('operator', 'keys', 'revoke', '--name', 'first')).status).toBe(0)
    expect((await weather('keys', 'reseal', '--wait')).status).toBe(0)
    expect(await reported(weather, 'after')).toMatchObject({ seals: true, values: expect.any(Number) })
    expect(await reported(weather, 'before')).toMatchObject({ seals: false, values: 0 })
    await replaceAll(NEW)
    expect(await json<SecretKeys>(weather, 'keys', 'status')).toMatchObject([{ name: 'after', seals: true }])

    const outcomes = await load.end()
    console.log(JSON.stringify(outcomes))
    expect(Object.keys(outcomes).sort()).toEqual(['200', '201'])
    await waitForIdle(service, SETTLED_WITHIN_MS)
    await expectConsistent(service)
    expect(await service.query("SELECT id, status FROM deliveries WHERE status <> 'sent'")).toEqual([])
    expect((await weather('doctor')).status).toBe(0)
  } catch (fault) {
    console.log((await service.log()).slice(-10_000))
    throw fault
  } finally {
    await service.close()
    await Promise.all([postgres.stop(), redis.stop(), receiver.close()])
  }
})

async function json<Answer>(weather: Terminal, ...words: string[]): Promise<Answer> {
  const run = await weather(...words, '--json')
  expect(run).toMatchObject({ status: 0 })
  return JSON.parse(run.stdout)
}

/** The report about the key with that name. */
async function reported(weather: Terminal, name: string): Promise<SecretKeys['keys'][number] | undefined> {
  return (await json<SecretKeys['keys']>(weather, 'keys', 'status')).find((key) => key.name === name)
}

/** A team that reads, writes, and uses encrypted values, and an operator, until they are stopped; returns how often each outcome came. */
function keepRequesting(proxy: FrontProxy, operator: { proxy: FrontProxy }, url: string): { end(): Promise<Record<Outcome, number>> } {
  const outcomes: Outcome[] = []
  let running = true
  const one = async (ask: (turn: number) => Promise<Outcome>) => {
    for (let turn = 0; running; turn++) {
      outcomes.push(await ask(turn))
      await pause(BREATH_MS)
    }
  }
  const destination = { name: 'Receiver', channel: 'webhook', url, events: ['property.created'] }
  const clients = [
    one((turn) => proxy.ask(turn, { path: '/account' })),
    one((turn) => proxy.ask(turn, { path: '/reports?per_page=5' })),
    one((turn) =>
      proxy.ask(
        turn,
        turn % PROPERTY_EVERY ? {} : { path: '/properties', method: 'POST', body: { address: `${turn + 1} Main St, Moore, OK 73160` } },
      ),
    ),
    // Each secret is encrypted by the process that responds, and decrypted by the worker that posts.
    one((turn) => proxy.ask(turn, turn % DESTINATION_EVERY ? {} : { path: '/integrations', method: 'POST', body: destination })),
    one((turn) => operator.proxy.ask(turn, { path: '/graphql', method: 'POST', body: { query: '{ secretKeys { unopened } }' } })),
  ]
  return {
    async end() {
      running = false
      await Promise.all(clients)
      return countBy(outcomes)
    },
  }
}
