import type { ChildProcess } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import { expect, it } from 'vitest'
import type { EventName } from '#domain/events/catalogue.ts'
import { emit } from '#domain/events/emit.ts'
import { registerDestination } from '#domain/integrations/destinations.ts'
import { expectConsistent } from '#test/support/consistency.ts'
import { exposureContent } from '#test/support/event-content.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { isSigned } from '#test/support/post-signature.ts'
import { openProcesses, SECRET_KEYS } from '#test/support/processes.ts'
import { openReceiver, type Post, type Receiver } from '#test/support/receiver.ts'
import { redisIsHere, startRedis } from '#test/support/redis.ts'
import { openWorld } from '#test/support/world.ts'

const EVENTS = 2500
const BATCH = 25
const KILLS = 5
/** If nothing settles for so long, nothing will: the lease of a killed worker ends after 20 s, and the sweeper runs every 15 s. */
const SETTLING_MAX_MS = 60_000
/** Largest number of refusals for one delivery, so that none runs out of its ten attempts by bad luck alone. */
const REFUSED_MAX = 5
const NETWORKS = '127.0.0.0/8'

it.each(redisIsHere ? ['redis', 'database'] : ['database'])(
  `${EVENTS} events to receivers that refuse two in five, while workers and the %s behind their queue are killed: none is missing, each has one row, and repeats have the same id`,
  {
    timeout: 900_000,
  },
  async (store) => {
    const redis = store === 'redis' ? await startRedis() : null
    const world = await openWorld({ config: { webhook_allowed_networks: [NETWORKS], secret_keys: SECRET_KEYS } })
    world.clock.set(new Date())
    const caller = await aCaller(world, await aTeam(world))
    const [both, updates] = [await flakyReceiver(), await flakyReceiver()]
    const register = (receiver: Receiver, events: EventName[]) =>
      registerDestination(world.app, caller, { name: 'Receiver', channel: 'webhook', url: receiver.url, events })
    const subscribedToBoth = await register(both, ['exposure.detected', 'exposure.escalated'])
    const subscribedToUpdates = await register(updates, ['exposure.escalated'])
    const processes = await openProcesses(world.app.config.database_url, {
      WEBHOOK_ALLOWED_NETWORKS: NETWORKS,
      ...(redis && { REDIS_URL: redis.url }),
    })
    try {
      const workers = [processes.start('worker'), processes.start('worker')]
      const emitting = happenAll()
      for (let turn = 0; turn < KILLS; turn++) {
        await wait(2000 + Math.random() * 4000)
        await hurry(processes)
        // The database behind the queue has faults of its own; a killed Redis loses up to a second of its log, and the last time all of it.
        if (turn === KILLS - 1) await redis?.lose()
        else if (Math.random() < 0.5) await redis?.kill()
        await processes.kill(workers.shift() as ChildProcess)
        workers.push(processes.start('worker'))
        await redis?.start()
      }
      await emitting

      for (let [left, since] = [Infinity, Date.now()]; left > 0 && Date.now() - since < SETTLING_MAX_MS; ) {
        const now = await waiting(processes)
        if (now < left) [left, since] = [now, Date.now()]
        await hurry(processes)
        await wait(500)
      }
      const rows = await processes.query<{ id: string; integration_id: string; event_id: string; status: string }>(
        'SELECT id, integration_id, event_id, status FROM deliveries',
      )
      expect(await processes.query("SELECT count(*)::int AS n FROM events WHERE name LIKE 'exposure.%'")).toEqual([{ n: EVENTS }])
      expect(countBy(rows.map(({ status }) => status))).toEqual({ sent: EVENTS + EVENTS / 5 })
      expect(countBy(rows.map(({ integration_id }) => integration_id))).toEqual({
        [subscribedToBoth.integration.id]: EVENTS,
        [subscribedToUpdates.integration.id]: EVENTS / 5,
      })
      expect(new Set(rows.map(({ event_id, integration_id }) => `${event_id} ${integration_id}`)).size).toBe(rows.length)
      for (const [receiver, { integration, secret }] of [
        [both, subscribedToBoth],
        [updates, subscribedToUpdates],
      ] as const) {
        const expected = rows.filter(({ integration_id }) => integration_id === integration.id).map(({ id }) => id)
        expect(new Set(receiver.arrived)).toEqual(new Set(expected))
        expectSameBodies(receiver.posts)
        expect(receiver.posts.every((post) => signedNow(secret as string, post))).toBe(true)
      }
      const posts = both.posts.length + updates.posts.length
      const refused = posts - both.arrived.length - updates.arrived.length
      console.log(
        `${store}: ${rows.length} deliveries in ${posts} posts, ${refused} of them refused, ${posts - refused - rows.length} repeats of what had arrived`,
      )
      await expectConsistent(processes)
    } finally {
      await processes.close()
      await redis?.stop()
      await both.close()
      await updates.close()
    }

    async function happenAll(): Promise<void> {
      for (let emitted = 0; emitted < EVENTS; emitted += BATCH) await happen(BATCH, emitted)
    }

    /** Both destinations are subscribed to every fifth event. */
    async function happen(count: number, from: number): Promise<void> {
      await world.app.db.$transaction(async (tx) => {
        for (let nth = from; nth < from + count; nth++) {
          const name = nth % 5 === 0 ? 'exposure.escalated' : 'exposure.detected'
          const subject = `Property ${nth}`
          await emit(tx, name, { team_id: caller.team.id, subject, exposure_ids: [] }, exposureContent(subject))
        }
      }, PATIENT)
    }
  },
)

/** The machine is busy with the kills. */
const PATIENT = { maxWait: 30_000, timeout: 30_000 }

const wait = (ms: number) => new Promise((later) => setTimeout(later, ms))

type Processes = Awaited<ReturnType<typeof openProcesses>>

/** Makes waiting deliveries due now, even if a killed worker made the last attempt: the schedule has its own test. */
const hurry = ({ query }: Processes) =>
  query(`UPDATE deliveries SET next_attempt_at = now()
          WHERE status IN ('queued', 'retrying') AND next_attempt_at > now() AND (leased_until IS NULL OR leased_until < now())`)

const waiting = async ({ query }: Processes) =>
  (await query<{ n: number }>("SELECT count(*)::int AS n FROM deliveries WHERE status IN ('queued', 'retrying')"))[0]?.n as number

/** Responds 500 to three posts in ten and closes the connection on one more. `arrived` are the ids that it accepted, repeats included. */
async function flakyReceiver(): Promise<Receiver & { arrived: string[] }> {
  const arrived: string[] = []
  const refused = new Map<string, number>()
  const receiver = await openReceiver((response: ServerResponse, post: Post) => {
    const id = String(post.headers['x-service-delivery'])
    const before = refused.get(id) ?? 0
    const draw = before < REFUSED_MAX ? Math.random() : 1
    if (draw < 0.4) refused.set(id, before + 1)
    if (draw < 0.3) return response.writeHead(500).end('not now')
    if (draw < 0.4) return response.destroy()
    arrived.push(id)
    return response.writeHead(204).end()
  })
  return Object.assign(receiver, { arrived })
}

/** A repeat has the same bytes and the same id. */
function expectSameBodies(posts: Post[]): void {
  const bodies = new Map<string, string>()
  for (const { headers, body } of posts) {
    const id = String(headers['x-service-delivery'])
    expect(JSON.parse(body).id).toBe(id)
    expect(bodies.get(id) ?? body).toBe(body)
    bodies.set(id, body)
  }
}

function signedNow(secret: string, { headers, body }: Post): boolean {
  const header = String(headers['x-service-signature'])
  const seconds = Number(/^t=(\d+)/.exec(header)?.[1])
  return isSigned(secret, header, body, new Date(seconds * 1000))
}

function countBy(values: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1
  return counts
}
