import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { seedSample } from '#domain/archive/sample/seed.ts'
import { registerDestination } from '#domain/integrations/destinations.ts'
import { carefulClient } from '#test/support/careful-client.ts'
import { expectConsistent, waitForIdle } from '#test/support/consistency.ts'
import { aCaller, aTeam, aToken } from '#test/support/factories.ts'
import { freezes, networkCuts, type StartFreeze } from '#test/support/freezes.ts'
import { seededRandom, shuffled } from '#test/support/random.ts'
import { openReceiver, type Receiver } from '#test/support/receiver.ts'
import { type Name, names, openShape, type Shape } from '#test/support/shape.ts'
import type { World } from '#test/support/world.ts'

/** Spread over all faults. A thousand take some ten minutes. */
const REPORTS = Number(process.env.REPORTS ?? 200)
const AT_ONCE = 16
const SEED = Number(process.env.FREEZE_SEED ?? Date.now() % 1_000_000)
/** From the last fault. */
const SETTLED_WITHIN_MS = 600_000

it(`${REPORTS} reports while each process is killed, frozen and cut off, and a stand-by takes over: each exists once`, {
  timeout: 2_400_000,
}, async () => {
  const random = seededRandom(SEED)
  const receiver = await openMoodyReceiver()
  const shape = await openShape({}, undefined, { linked: true, followed: true, apart: true })
  try {
    shape.begin('worker-2')
    const world = shape.world as World
    await seedSample(world.app)
    const team = await aTeam(world, { credits: REPORTS })
    const caller = await aCaller(world, team)
    const hook = { name: 'Receiver', channel: 'webhook', url: receiver.url, events: ['report.completed'] } as const
    await registerDestination(world.app, caller, { ...hook, events: [...hook.events] })
    const client = carefulClient(shape.base_urls, (await aToken(world, team)).token)

    const order = [...shuffled(faults, random), failOver]
    console.log(`FREEZE_SEED=${SEED}: ${order.map(({ name }) => name).join(', ')}`)
    const ids: string[] = []
    for (const [nth, fault] of order.entries()) {
      const share = Math.ceil((REPORTS - ids.length) / (order.length - nth))
      const requests = client.ask(share, AT_ONCE)
      await pause(random() * 500)
      await fault.happen({ shape, receiver, random })
      ids.push(...(await requests))
      // A killed part is back before the next one is killed; otherwise a slow machine never has all parts.
      await shape.ready()
    }
    const took = await waitForIdle(shape, SETTLED_WITHIN_MS, ['pending', 'undelivered'])

    const [counts] = await shape.query<Record<string, number>>(`
      SELECT count(*)::int AS reports, count(*) FILTER (WHERE status = 'complete')::int AS complete,
             (SELECT count(*)::int FROM credit_transactions WHERE kind = 'spend') AS spent,
             (SELECT count(*)::int FROM credit_transactions WHERE kind = 'refund') AS refunded,
             (SELECT count(*)::int FROM events WHERE name = 'report.completed') AS announced,
             (SELECT count(*)::int FROM deliveries WHERE status = 'sent') AS sent
        FROM reports`)
    console.log(
      `${order.length} faults; ${client.repeated} requests repeated; ${counts?.complete} of ${REPORTS} complete, all settled ${took} ms after the last fault; ${receiver.posts.length} posts`,
    )
    expect(new Set(ids).size).toBe(REPORTS)
    expect(counts).toEqual({ reports: REPORTS, complete: REPORTS, spent: REPORTS, refunded: 0, announced: REPORTS, sent: REPORTS })
    expect(await shape.query('SELECT balance FROM teams WHERE id = $1', [team.id])).toEqual([{ balance: 0 }])
    await expectConsistent(shape)
  } finally {
    await shape.close()
    await receiver.close()
  }
})

interface Happening {
  shape: Shape
  receiver: MoodyReceiver
  random(): number
}
interface Fault {
  name: string
  happen(now: Happening): Promise<void>
}

/** How long a killed part stays down. */
const AWAY_MS = 1000
/** How long something stays frozen: longer than every timeout of its clients, and every lease except a post's. */
const STILL_MS = 10_000
const REFUSING_MS = 3000

const killings: Fault[] = [
  ...names.map((name: Name) => ({
    name: `${name} is killed`,
    async happen({ shape }: Happening) {
      await shape.kill(shape.process(name))
      await pause(AWAY_MS)
      shape.begin(name)
    },
  })),
  {
    name: 'Redis is killed',
    async happen({ shape: { redis } }) {
      await redis.kill()
      await pause(AWAY_MS)
      await redis.start()
    },
  },
  {
    name: 'Redis loses its data',
    async happen({ shape: { redis } }) {
      await redis.lose()
      await pause(AWAY_MS)
      await redis.start()
    },
  },
  {
    name: 'PostgreSQL is killed',
    async happen({ shape: { postgres } }) {
      await postgres?.kill()
      await pause(AWAY_MS)
      await postgres?.start()
    },
  },
  {
    name: 'the browser is killed',
    async happen({ shape: { browser } }) {
      const last = (await browser.started()).at(-1)
      if (last) endIfThere(last)
    },
  },
]

const interruptions: Fault[] = [
  {
    name: 'every session is ended',
    async happen({ shape }) {
      await shape
        .query('SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()')
        .catch(() => {})
    },
  },
  {
    name: 'a worker is stopped',
    async happen({ shape }) {
      await shape.stop(shape.process('worker'))
      shape.begin('worker')
    },
  },
  {
    name: 'an API process is stopped',
    async happen({ shape }) {
      await shape.stop(shape.process('api-1'))
      shape.begin('api-1')
    },
  },
  {
    name: 'the receiver refuses',
    async happen({ receiver }) {
      receiver.mood = 'refuses'
      await pause(REFUSING_MS)
      receiver.mood = 'takes'
    },
  },
  {
    name: 'the receiver cuts off',
    async happen({ receiver }) {
      receiver.mood = 'cuts off'
      await pause(REFUSING_MS)
      receiver.mood = 'takes'
    },
  },
]

const freezeFault = (start: StartFreeze, name: string): Fault => ({
  name,
  async happen({ shape, random }) {
    const still = await start(shape, random)
    await pause(STILL_MS)
    still.end()
  },
})

const faults: Fault[] = [
  ...killings,
  ...interruptions,
  ...Object.entries(freezes).map(([name, stand]) => freezeFault(stand, `${name} stands still`)),
  ...Object.entries(networkCuts).map(([name, stand]) => freezeFault(stand, `silence of the ${name}`)),
]

/** There is one stand-by, so this happens once. */
const failOver: Fault = {
  name: 'a stand-by takes over',
  async happen({ shape }) {
    await shape.postgres?.freeze()
    await pause(AWAY_MS)
    await shape.failOver()
  },
}

interface MoodyReceiver extends Receiver {
  mood: 'takes' | 'refuses' | 'cuts off'
}

async function openMoodyReceiver(): Promise<MoodyReceiver> {
  const receiver: MoodyReceiver = Object.assign(
    await openReceiver((response) => {
      if (receiver.mood === 'cuts off') return response.destroy()
      return response.writeHead(receiver.mood === 'refuses' ? 500 : 204).end()
    }),
    { mood: 'takes' as const },
  )
  return receiver
}

function endIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has exited by itself.
  }
}
