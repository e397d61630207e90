import { beforeEach, expect, test } from 'vitest'
import { stage } from '#domain/kernel/outbox.ts'
import { aPendingReport, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import type { QueueEntry } from '#workers/queue.ts'
import { relayBatch, startRelay } from '#workers/relay.ts'
import { openTurns } from '#workers/turns.ts'

/** Time between two polls of a relay that should be notified of its jobs: longer than any test waits. */
const MINUTE = 60_000

let world: World
beforeEach(async () => {
  await world?.close()
  world = await openWorld()
})

/** The receiving end of the relay: keeps the jobs. */
const receiving = (taken: QueueEntry[]) => ({
  async add(entries: QueueEntry[]) {
    taken.push(...entries)
  },
  nextTurn: async () => null,
})
const stageReports = (...ids: string[]) =>
  world.app.db.$transaction((tx) => Promise.all(ids.map((report_id) => stage(tx, 'report.generate', { report_id }))))
const idsOf = (taken: QueueEntry[]) => taken.map(({ payload }) => (payload as { report_id: string }).report_id)
const left = () => world.app.db.outboxJob.count()

test('rows are moved a hundred at a time, until none is left', async () => {
  const ids = Array.from({ length: 130 }, (_, number) => String(number))
  await stageReports(...ids)
  const taken: QueueEntry[] = []
  expect([
    await relayBatch(world.app, receiving(taken), openTurns()),
    await relayBatch(world.app, receiving(taken), openTurns()),
    await relayBatch(world.app, receiving(taken), openTurns()),
  ]).toEqual([100, 30, 0])
  expect(idsOf(taken).sort()).toEqual(ids.sort())
  const entry = { name: 'report.generate', payload: { report_id: expect.any(String) }, delay_ms: 0, turn: 0, traceparent: null }
  expect(taken[0]).toEqual(entry)
})

test('a job with a time is handed over at once, with its delay', async () => {
  const { now } = (await world.app.pool.query<{ now: Date }>('SELECT clock_timestamp() AS now')).rows[0] as { now: Date }
  for (const due of [30_000, -30_000]) await stage(world.app.db, 'delivery.send', { delivery_id: `${due}` }, new Date(now.getTime() + due))
  const taken: QueueEntry[] = []
  await relayBatch(world.app, receiving(taken), openTurns())
  const [later, past] = taken.toSorted((one, other) => (other.delay_ms ?? 0) - (one.delay_ms ?? 0))
  expect(later?.delay_ms).toBeGreaterThan(0)
  expect(later?.delay_ms).toBeLessThanOrEqual(30_000)
  expect(past?.delay_ms).toBe(0)
})

test('each job has a turn of the team that owns its row', async () => {
  const [many, one] = [await aTeam(world, { credits: 10 }), await aTeam(world, { credits: 10 })]
  const ids = await world.app.db.$transaction(async (tx) => [
    await aPendingReport(tx, many, world.clock.now()),
    await aPendingReport(tx, many, world.clock.now()),
    await aPendingReport(tx, one, world.clock.now()),
  ])
  await stageReports(...ids, 'no id of a row')
  await stage(world.app.db, 'digest.send', { team_id: many.id, local_date: '2024-05-01' })
  const taken: QueueEntry[] = []
  await relayBatch(world.app, receiving(taken), openTurns())
  const turnOf = (id: string) => taken.find(({ payload }) => Object.values(payload).includes(id))?.turn
  expect(ids.map(turnOf)).toEqual([expect.any(Number), expect.any(Number), 1])
  expect(ids.slice(0, 2).map(turnOf).sort()).toEqual([1, 2])
  expect([turnOf('no id of a row'), turnOf(many.id)]).toEqual([0, 1])
})

test('rows stay when the queue refuses them, and the pool keeps its connections', async () => {
  await stageReports('a', 'b')
  const refusing = { add: () => Promise.reject(new Error('the queue is away')) }
  for (let attempt = 0; attempt < 10; attempt++)
    await expect(relayBatch(world.app, refusing, openTurns())).rejects.toThrow('the queue is away')
  expect(await left()).toBe(2)
  const taken: QueueEntry[] = []
  await relayBatch(world.app, receiving(taken), openTurns())
  expect(idsOf(taken).sort()).toEqual(['a', 'b'])
})

test('concurrent relays share the rows', async () => {
  await stageReports(...Array.from({ length: 60 }, (_, number) => String(number)))
  const taken: QueueEntry[] = []
  await Promise.all(Array.from({ length: 4 }, () => relayBatch(world.app, receiving(taken), openTurns())))
  await relayBatch(world.app, receiving(taken), openTurns())
  expect(new Set(idsOf(taken)).size).toBe(60)
  expect(taken).toHaveLength(60)
})

test('a job whose row is not in the table yet waits for it', async () => {
  await world.app.db.outboxJob.create({ data: { name: 'moon.watch', payload: {} } })
  await stageReports('a')
  expect(await relayBatch(world.app, receiving([]), openTurns())).toBe(1)
  expect(await left()).toBe(1)
})

test('a staged job is handed over on the notice of its commit', async () => {
  const taken: QueueEntry[] = []
  const relay = startRelay(world.app, receiving(taken), null, MINUTE)
  try {
    await expect.poll(() => listeners()).toBe(1)
    // The first may come from the poll when listening began; no other is due before the test times out.
    for (const id of ['a', 'b', 'c', 'd']) {
      await stageReports(id)
      await expect.poll(() => idsOf(taken).at(-1), { interval: 5 }).toBe(id)
    }
  } finally {
    await relay.stop()
  }
})

test('a relay whose connections are closed continues', async () => {
  const taken: QueueEntry[] = []
  const relay = startRelay(world.app, receiving(taken))
  try {
    await expect.poll(() => listeners()).toBe(1)
    await world.app.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`,
    )
    await expect
      .poll(() =>
        stageReports('after').then(
          () => 'staged',
          () => 'refused',
        ),
      )
      .toBe('staged')
    await expect.poll(() => idsOf(taken)).toEqual(['after'])
    await expect.poll(() => listeners()).toBe(1)
  } finally {
    await relay.stop()
  }
  expect(await listeners()).toBe(0)
})

async function listeners(): Promise<number> {
  const { rows } = await world.app.pool.query(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'weather relay' AND query IN ('LISTEN outbox', 'SELECT')`,
  )
  return rows[0].count
}
