import type { ChildProcess } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'vitest'
import { seedSample } from '#domain/archive/sample/seed.ts'
import { registerDestination } from '#domain/integrations/destinations.ts'
import { type CarefulClient, carefulClient } from './careful-client.ts'
import { expectConsistent, waitForIdle } from './consistency.ts'
import { aCaller, aTeam, aToken } from './factories.ts'
import { openReceiver, type Receiver } from './receiver.ts'
import { transactionsOf } from './sessions.ts'
import { type Name, openShape, type Shape } from './shape.ts'
import type { World } from './world.ts'

/** The production shape with a second worker. Each process has links of its own that a test can cut, and several teams keep it busy. */
export interface Loaded extends Shape {
  /** Measures another team's requests: those made just before the standstill, and those made after it. */
  serveAnotherTeam(freeze: () => Promise<unknown>): Promise<Served>
  /** Stops the load, waits until all requested work is done, and expects that each report was charged, announced and posted once. */
  settle(): Promise<void>
}

/** Milliseconds from the moment of the standstill. */
export interface Served {
  /** Until the reports that were requested just before it are complete. */
  before: number
  /** Until the reports that were requested after it are complete and posted. */
  after: number
}

/** Teams that keep everything busy all the time with reports of the same evidence. */
const BUSY_TEAMS = 3
const BUSY_AT_ONCE = 3
const REST_MS = 100
const PENDING_MAX = 12
const REPORTS_OF_OTHER_TEAM = 4
/** A proxy in front tries another process after this time without a response. */
const PROXY_TIMEOUT_MS = 5000
/** The test itself waits no longer than this. */
const GIVE_UP_MS = 90_000
const SETTLED_WITHIN_MS = 240_000

export async function openLoaded(how: { followed?: boolean } = {}): Promise<Loaded> {
  const shape = await openShape({}, undefined, { linked: true, apart: true, ...how })
  shape.begin('worker-2')
  const world = shape.world as World
  await seedSample(world.app)
  const receiver = await openReceiver()
  const clients: CarefulClient[] = []
  for (const name of ['another', 'before', ...Array.from({ length: BUSY_TEAMS }, (_, nth) => `team-${nth}`)]) {
    clients.push(await aSubscribedTeam(world, shape, receiver, name))
  }
  const [another, before, ...busy] = clients
  const load = keepBusy(shape, busy)
  const answered: string[] = []
  return {
    ...shape,
    async serveAnotherTeam(freeze) {
      const requestsBefore = (before as CarefulClient).ask(2, 2)
      requestsBefore.catch(() => {})
      await pause(20)
      await freeze()
      const startedAt = performance.now()
      const requestsAfter = (another as CarefulClient).ask(REPORTS_OF_OTHER_TEAM, REPORTS_OF_OTHER_TEAM)
      const after = requestsAfter.then((ids) => msUntil(shape, POSTED, ids, startedAt))
      const served = { before: await msUntil(shape, COMPLETE, await requestsBefore, startedAt), after: await after }
      answered.push(...(await requestsBefore), ...(await requestsAfter))
      return served
    },
    async settle() {
      answered.push(...(await load.stop()))
      const took = await waitForIdle(shape, SETTLED_WITHIN_MS, ['pending', 'undelivered'])
      console.log(`settled after ${took} ms; ${answered.length} reports, ${receiver.posts.length} posts`)
      const [kept] = await shape.query<{ count: number }>('SELECT count(*)::int FROM reports WHERE id = ANY ($1::uuid[])', [answered])
      expect(kept?.count).toBe(answered.length)
      await expectOnce(shape, receiver)
    },
    async close() {
      await load.stop().catch(() => {})
      await shape.close()
      await receiver.close()
    },
  }
}

/** Stops a process while it has a transaction open, if one is found within some tries; returns its statement. */
export async function freezeInTransaction(shape: Pick<Shape, 'query' | 'links' | 'process'>, name: Name): Promise<string> {
  const process: ChildProcess = shape.process(name)
  for (let attempt = 0; attempt < 50; attempt++) {
    process.kill('SIGSTOP')
    // Statements on their way to the server finish there.
    await pause(30)
    const [open] = await transactionsOf(shape.query, process.pid as number, shape.links[name]?.postgres)
    if (open && open.locks > 0) return open.query.replace(/\s+/g, ' ').trim().slice(0, 50)
    process.kill('SIGCONT')
    await pause(Math.random() * 30)
  }
  process.kill('SIGSTOP')
  return 'nothing'
}

async function aSubscribedTeam(world: World, { base_urls }: Shape, { url }: Receiver, name: string): Promise<CarefulClient> {
  const team = await aTeam(world, { credits: 100_000, plan: 'professional' })
  await registerDestination(world.app, await aCaller(world, team), { name, channel: 'webhook', url, events: ['report.completed'] })
  return carefulClient(base_urls, (await aToken(world, team)).token, name, PROXY_TIMEOUT_MS)
}

const pendingIn = async (query: Shape['query']) =>
  (await query<{ count: number }>("SELECT count(*)::int FROM reports WHERE status = 'pending'").catch(() => []))[0]?.count ?? PENDING_MAX

/** Counts the reports that are not finished. */
const COMPLETE = `SELECT count(*)::int AS missing FROM reports WHERE id = ANY ($1::uuid[]) AND status <> 'complete'`
const POSTED = `
  SELECT count(*)::int AS missing FROM reports r LEFT JOIN events e ON e.team_id = r.team_id AND e.content -> 'data' -> 0 ->> 'id' = r.id::text AND e.name = 'report.completed'
    LEFT JOIN deliveries d ON d.event_id = e.id WHERE r.id = ANY ($1::uuid[]) AND d.status IS DISTINCT FROM 'sent'`

async function msUntil({ query }: Pick<Shape, 'query'>, missing: string, ids: string[], startedAt: number): Promise<number> {
  for (;;) {
    // A failover may have closed the test's own connection.
    const [left] = await query<{ missing: number }>(missing, [ids]).catch(() => [])
    const took = Math.round(performance.now() - startedAt)
    if (left?.missing === 0 || took > GIVE_UP_MS) return took
    await pause(100)
  }
}

/** Stops, and returns the ids of all reports that got a response. */
function keepBusy({ query }: Pick<Shape, 'query'>, busy: CarefulClient[]): { stop(): Promise<string[]> } {
  let busyOn = true
  const answered: string[] = []
  const loads = busy.map(async (client) => {
    while (busyOn) {
      answered.push(...(await client.ask(BUSY_AT_ONCE, BUSY_AT_ONCE)))
      // Another team's reports should wait for the standstill, not in a growing queue.
      do await pause(REST_MS)
      while (busyOn && (await pendingIn(query)) >= PENDING_MAX)
    }
  })
  for (const load of loads) load.catch(() => {})
  return {
    async stop() {
      busyOn = false
      await Promise.all(loads)
      return answered
    },
  }
}

async function expectOnce({ query }: Pick<Shape, 'query'>, receiver: Receiver): Promise<void> {
  await expectConsistent({ query })
  const [counts] = await query<Record<string, number>>(`
    SELECT count(*)::int AS reports, count(*) FILTER (WHERE status <> 'complete')::int AS incomplete,
           (SELECT count(*)::int FROM credit_transactions WHERE kind = 'spend') AS spent,
           (SELECT count(*)::int FROM events WHERE name = 'report.completed') AS announced,
           (SELECT count(*)::int FROM deliveries WHERE status = 'sent') AS sent
      FROM reports`)
  const reports = counts?.reports as number
  expect(counts).toEqual({ reports, incomplete: 0, spent: reports, announced: reports, sent: reports })
  expect(new Set(receiver.posts.map(({ headers }) => headers['x-service-delivery'])).size).toBe(reports)
}
