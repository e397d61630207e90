import { setTimeout as pause } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { seedSample } from '#domain/archive/sample/seed.ts'
import { registerDestination } from '#domain/integrations/destinations.ts'
import { carefulClient } from '#test/support/careful-client.ts'
import { aCaller, aTeam, aToken } from '#test/support/factories.ts'
import { openReceiver } from '#test/support/receiver.ts'
import { type Name, names, openShape, type Shape } from '#test/support/shape.ts'
import { expectWhole, settled } from '#test/support/whole.ts'
import type { World } from '#test/support/world.ts'

const REPORTS = 1000
const AT_ONCE = 16
const COMPLETE_AT_LEAST = 999
/** From the last fault. */
const SETTLED_WITHIN_MS = 600_000

it(`${REPORTS} reports at once while every process is killed in turn: none lost, none charged twice, none told of twice`, {
  timeout: 1_500_000,
}, async () => {
  const shape = await openShape()
  const receiver = await openReceiver()
  try {
    const world = shape.world as World
    await seedSample(world.app)
    const team = await aTeam(world, { credits: REPORTS })
    const caller = await aCaller(world, team)
    const hook = { name: 'Receiver', channel: 'webhook', url: receiver.url, events: ['report.completed'] } as const
    await registerDestination(world.app, caller, { ...hook, events: [...hook.events] })
    const client = carefulClient(shape.base_urls, (await aToken(world, team)).token)

    let asking = true
    const asked = client.ask(REPORTS, AT_ONCE).finally(() => {
      asking = false
    })
    const happened: string[] = []
    // Each fault once while reports are asked for, then on in turn for as long as that lasts.
    for (let turn = 0; turn < faults.length || asking; turn++) {
      const fault = faults[turn % faults.length] as Fault
      await pause(turn < faults.length ? 1000 : 5000)
      happened.push(fault.name)
      await fault.happen(shape)
      // What was killed is back before the next goes: otherwise a slow machine never has it whole.
      await shape.ready()
    }
    const ids = await asked
    const took = await settled(shape, SETTLED_WITHIN_MS, ['pending', 'undelivered'])

    const [counts] = await shape.query<Record<string, number>>(`
      SELECT count(*)::int AS reports, count(*) FILTER (WHERE status = 'complete')::int AS complete,
             count(*) FILTER (WHERE failure_reason = 'internal_error')::int AS internal,
             (SELECT count(*)::int FROM credit_transactions WHERE kind = 'spend') AS spent,
             (SELECT count(*)::int FROM credit_transactions WHERE kind = 'refund') AS refunded,
             (SELECT count(*)::int FROM events WHERE name = 'report.completed') AS told,
             (SELECT count(*)::int FROM deliveries WHERE status = 'sent') AS sent
        FROM reports`)
    const complete = counts?.complete as number
    console.log(
      `${happened.length} faults (${happened.join(', ')}); ${client.repeated} requests repeated; ${complete} of ${REPORTS} complete, all settled ${took} ms after the last fault; ${receiver.posts.length} posts`,
    )
    expect(new Set(ids).size).toBe(REPORTS)
    expect(complete).toBeGreaterThanOrEqual(COMPLETE_AT_LEAST)
    expect(counts).toEqual({
      reports: REPORTS,
      complete,
      internal: 0,
      spent: REPORTS,
      refunded: REPORTS - complete,
      told: complete,
      sent: complete,
    })
    expect(await shape.query('SELECT balance FROM teams WHERE id = $1', [team.id])).toEqual([{ balance: REPORTS - complete }])
    await expectWhole(shape)
  } finally {
    await shape.close()
    await receiver.close()
  }
})

interface Fault {
  name: string
  happen(shape: Shape): Promise<void>
}

/** How long what was killed stays away. */
const AWAY_MS = 1000

const processFaults = names.map((name: Name) => ({
  name,
  async happen(shape: Shape) {
    await shape.kill(shape.process(name))
    await pause(AWAY_MS)
    shape.begin(name)
  },
}))

const faults: Fault[] = [
  ...processFaults,
  {
    name: 'redis',
    async happen({ redis }) {
      await redis.kill()
      await pause(AWAY_MS)
      await redis.start()
    },
  },
  {
    name: 'redis and its data',
    async happen({ redis }) {
      await redis.lose()
      await pause(AWAY_MS)
      await redis.start()
    },
  },
  {
    name: 'postgres',
    async happen({ postgres }) {
      await postgres?.kill()
      await pause(AWAY_MS)
      await postgres?.start()
    },
  },
  {
    name: 'browser',
    async happen({ browser }) {
      const last = (await browser.started()).at(-1)
      if (last) endIfThere(last)
    },
  },
]

function endIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
