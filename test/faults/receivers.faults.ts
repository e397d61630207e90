import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { emit } from '#domain/events/emit.ts'
import { changeDestination, registerDestination, removeDestination } from '#domain/integrations/destinations.ts'
import { rotateSecret } from '#domain/integrations/secret.ts'
import { expectConsistent, waitForIdle } from '#test/support/consistency.ts'
import { exposureContent } from '#test/support/event-content.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { isSigned } from '#test/support/post-signature.ts'
import { openProcesses, type Processes, SECRET_KEYS } from '#test/support/processes.ts'
import { openReceiver, type Post, type Receiver } from '#test/support/receiver.ts'
import { type RedisServer, redisIsHere, startRedis } from '#test/support/redis.ts'
import { openWorld, type World } from '#test/support/world.ts'

const EVENTS = 5
const NETWORKS = '127.0.0.0/8'
/** The promise is 15 s; the rest is for a busy machine. */
const ATTEMPT_MS = 15_000 + 5_000
/** At most 64 KiB of a response are read; data in buffers come on top. */
const READ_MAX = 16 * 1024 * 1024
const SETTLED_WITHIN_MS = 240_000

let world: World
let caller: Caller
let redis: RedisServer | null
let processes: Processes
const receivers: Receiver[] = []
beforeEach(async () => {
  world = await openWorld({ config: { webhook_allowed_networks: [NETWORKS], secret_keys: SECRET_KEYS } })
  world.clock.set(new Date())
  caller = await aCaller(world, await aTeam(world))
  redis = redisIsHere ? await startRedis() : null
  processes = await openProcesses(world.app.config.database_url, {
    WEBHOOK_ALLOWED_NETWORKS: NETWORKS,
    ...(redis && { REDIS_URL: redis.url }),
  })
  processes.start('worker')
  processes.start('worker')
}, 60_000)
afterEach(async () => {
  await processes.close()
  await redis?.stop()
  for (const receiver of receivers.splice(0)) await receiver.close()
})

it('receivers that fail, hang, drip, reset, flood or die delay no other receiver, and get all posts in the end', {
  timeout: 400_000,
}, async () => {
  const durations: number[] = []
  let flooded = 0
  let well = false
  const whileIll = (ill: Answer) => (response: ServerResponse, post: Post, nth: number) =>
    well ? fine(response) : ill(response, post, nth)
  const ill: Record<string, Answer> = {
    fails: (response, _post, nth) => (nth <= 3 * EVENTS ? response.writeHead(500).end('not now') : fine(response)),
    hangs: whileIll((response) => recordDuration(response)),
    drips: whileIll((response) => {
      recordDuration(response)
      response.writeHead(200)
      const timer = setInterval(() => response.write('.'), 1000)
      response.on('close', () => clearInterval(timer))
    }),
    resets: whileIll((response) => response.socket?.resetAndDestroy()),
    floods: (response) => {
      response.writeHead(200, { 'content-length': 1024 ** 3 })
      const part = Buffer.alloc(64 * 1024)
      const flow = () => {
        while (flooded < 1024 ** 3 && !response.destroyed) {
          flooded += part.length
          if (!response.write(part)) return response.once('drain', flow)
        }
      }
      flow()
    },
    // It has received the post, and the service does not know.
    dies: whileIll((response) => response.destroy()),
  }
  function recordDuration(response: ServerResponse) {
    const openedAt = performance.now()
    response.on('close', () => durations.push(performance.now() - openedAt))
  }
  const good = await register(fine)
  const others = Object.fromEntries(
    await Promise.all(Object.entries(ill).map(async ([name, answer]) => [name, await register(answer)] as const)),
  )

  const startedAt = performance.now()
  await happen(EVENTS)
  await until(() => good.receiver.posts.length >= EVENTS)
  const served = performance.now() - startedAt
  // Each has been tried at least once before they recover.
  await until(() => Object.values(others).every(({ receiver }) => receiver.posts.length >= 1) && durations.length >= 2)
  well = true
  const took = await waitForIdle(processes, SETTLED_WITHIN_MS)
  const attempts = await processes.query<{ status: string; n: number }>('SELECT status, count(*)::int AS n FROM deliveries GROUP BY status')
  console.log(
    `the good one had ${EVENTS} posts after ${served.toFixed(0)} ms; attempts held for ${durations.map((ms) => (ms / 1000).toFixed(1)).join(', ')} s; ${(flooded / 1024 / 1024).toFixed(1)} MiB of 1 GiB taken ${others.floods?.receiver.posts.length} times; settled after ${took} ms: ${JSON.stringify(attempts)}`,
  )
  expect(attempts).toEqual([{ status: 'sent', n: EVENTS * 7 }])
  expect(good.receiver.posts).toHaveLength(EVENTS)
  expect(Math.max(...durations)).toBeLessThan(ATTEMPT_MS)
  expect(flooded).toBeLessThan(READ_MAX * EVENTS)
  for (const { receiver } of Object.values(others)) expect(new Set(receiver.posts.map(idOf)).size).toBe(EVENTS)
  await expectConsistent(processes)
})

it('a secret is rotated, an address changed and a destination removed while a retry waits', { timeout: 300_000 }, async () => {
  let well = false
  const answer: Answer = (response) => (well ? fine(response) : response.writeHead(503).end())
  const [rotated, moved, removed] = [await register(answer), await register(answer), await register(answer)]
  const newReceiver = await listening(fine)
  await happen(1)
  const retrying = async () =>
    (await processes.query("SELECT FROM deliveries WHERE status = 'retrying' AND lease_token IS NULL")).length === 3
  await until(retrying)
  const { secret } = await rotateSecret(world.app, caller, rotated.id)
  await changeDestination(world.app, caller, moved.id, { url: newReceiver.url })
  const before = [moved.receiver.posts.length, removed.receiver.posts.length]
  await removeDestination(caller, removed.id)
  well = true
  await waitForIdle(processes, SETTLED_WITHIN_MS)

  const last = rotated.receiver.posts.at(-1) as Post
  expect(signed(secret, last)).toBe(true)
  expect(signed(rotated.secret, last)).toBe(false)
  expect(signed(rotated.secret, rotated.receiver.posts[0] as Post)).toBe(true)
  // The same post with the same id, at the new address alone.
  expect(newReceiver.posts.map(idOf)).toEqual([idOf(moved.receiver.posts[0] as Post)])
  expect([moved.receiver.posts.length, removed.receiver.posts.length]).toEqual(before)
  expect(await processes.query('SELECT status FROM deliveries WHERE integration_id = $1', [removed.id])).toEqual([{ status: 'skipped' }])
  await expectConsistent(processes)
})

type Answer = (response: ServerResponse, post: Post, nth: number) => unknown
const fine = (response: ServerResponse) => response.writeHead(204).end()
const idOf = ({ headers }: Post) => String(headers['x-service-delivery'])

function signed(secret: string, { headers, body }: Post): boolean {
  const header = String(headers['x-service-signature'])
  return isSigned(secret, header, body, new Date(Number(/^t=(\d+)/.exec(header)?.[1]) * 1000))
}

async function listening(answer: Answer): Promise<Receiver> {
  const receiver = await openReceiver(answer)
  receivers.push(receiver)
  return receiver
}

async function register(answer: Answer): Promise<{ receiver: Receiver; id: string; secret: string }> {
  const receiver = await listening(answer)
  const input = { name: 'Receiver', channel: 'webhook', url: receiver.url, events: ['exposure.detected' as const] }
  const { integration, secret } = await registerDestination(world.app, caller, input)
  return { receiver, id: integration.id, secret: secret as string }
}

/** Emits so many events, each about a storm day at a place. */
async function happen(count: number): Promise<void> {
  for (let nth = 0; nth < count; nth++) {
    await world.app.db.$transaction((tx) =>
      emit(
        tx,
        'exposure.detected',
        { team_id: caller.team.id, subject: `Property ${nth}`, exposure_ids: [] },
        exposureContent(`Property ${nth}`),
      ),
    )
  }
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const ends = Date.now() + SETTLED_WITHIN_MS; Date.now() < ends; await pause(100)) if (await holds()) return
  throw new Error(`it never came about: ${holds}`)
}
