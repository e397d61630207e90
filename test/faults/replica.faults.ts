import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Caller } from '#domain/access/caller.ts'
import { readFromReplica } from '#domain/access/read-replica.ts'
import { type App, closeApp, openApp } from '#domain/app.ts'
import { seedSample } from '#domain/archive/sample/seed.ts'
import type { Log } from '#domain/engines/log.ts'
import { migrate } from '#domain/engines/migrations.ts'
import { openReplica } from '#domain/engines/replica.ts'
import { scopedPool, sharedPool } from '#domain/engines/row-scope.ts'
import { grantService } from '#domain/engines/service-role.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { seedPlaces } from '#domain/places/places.ts'
import { createApiServer } from '#rest/host.ts'
import { configFor } from '#test/support/config-for.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openLink } from '#test/support/link.ts'
import { type OwnPostgres, openPostgres, type Standby } from '#test/support/own-postgres.ts'
import { blankPrinter } from '#test/support/printer.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import type { World } from '#test/support/world.ts'

/** A real server that follows another, under one fault after the other. */

let postgres: OwnPostgres
let standby: Standby
let app: App
let api: FastifyInstance
const teams: { id: string; token: string }[] = []

beforeAll(async () => {
  postgres = await openPostgres()
  await migrate(postgres.url, path.resolve('migrations'))
  await grantService(postgres.url, postgres.serving)
  standby = await postgres.openStandby({ synchronous: false })
  const [database_url, database_replica_url] = [postgres.serving, standby.serving]
  app = await openApp(configFor({ database_url, database_replica_url, rate_limit_per_minute: 1_000_000 }), { printer: blankPrinter })
  api = await createApiServer(app)
  await seedPlaces(app.pool)
  await seedSample(app)
  await refreshMaps(app)
  const world = { app, clock: app.clock } as unknown as World
  for (const _ of [1, 2]) {
    const team = await aTeam(world, { plan: 'professional' })
    teams.push({ id: team.id, token: (await aToken(world, team)).token })
  }
}, 180_000)
afterAll(async () => {
  await api.close()
  await closeApp(app)
  await standby.stop()
  await postgres.stop()
}, 60_000)
beforeEach(async () => {
  await waitUntil(async () => app.replica?.unfit() === null)
  app.metrics.reads.reset()
})

const ask = (nth: number, url = '/properties', body?: object) =>
  api.inject({ method: body ? 'POST' : 'GET', url: `/api/v1${url}`, headers: tokenOf(nth), ...(body && { payload: body }) })

const tokenOf = (nth: number) => ({ authorization: `Bearer ${teams[nth]?.token}` })

/** How many reads each server has served, and why, since the test began. */
async function served(): Promise<Record<string, number>> {
  const { values } = await app.metrics.reads.get()
  return Object.fromEntries(values.map(({ labels, value }) => [`${labels.server}: ${labels.reason}`, value]))
}

async function onStandby(text: string): Promise<void> {
  const client = new pg.Client({ connectionString: standby.url })
  await client.connect()
  await client.query(text).finally(() => client.end())
}

let streets = 100
const write = (nth: number) => ask(nth, '/properties', { address: `${streets++} Main Street, Frisco, TX 75034` })
const total = async (nth: number) => (await ask(nth)).json().meta.total as number

it('the replica serves listings, tiles, playback, places, features and swaths, and each team’s rows only to that team', async () => {
  expect((await write(0)).statusCode).toBe(201)
  await waitUntil(async () => (await total(0)) === 1 && Object.keys(await served()).includes('replica: fresh'))
  app.metrics.reads.reset()
  expect([await total(0), await total(1)]).toEqual([1, 0])
  expect((await ask(0, '/tiles/4/3/6.mvt')).rawPayload.length).toBeGreaterThan(0)
  expect((await ask(0, '/playback?date=2025-05-28&south=33&west=-97&north=33.4&east=-96.6')).statusCode).toBe(200)
  expect((await ask(0, '/places?search=Frisco')).json().data.length).toBeGreaterThan(0)
  const features = await api.inject({ url: '/ogc/collections/records/items?limit=2', headers: tokenOf(0) })
  expect(features.json().numberReturned).toBe(2)
  expect(
    (await api.inject({ url: `/ogc/collections/records/items/${features.json().features[0].id}`, headers: tokenOf(0) })).statusCode,
  ).toBe(200)
  expect((await api.inject({ url: '/swaths/2025-05-28.geojson', headers: tokenOf(0) })).json().features.length).toBeGreaterThan(0)
  expect(await served()).toEqual({ 'replica: fresh': 8 })
  const replica = app.replica?.pool as pg.Pool
  const ids = async (pool: pg.Pool) => (await pool.query<{ id: string }>('SELECT id FROM teams')).rows.map(({ id }) => id)
  expect(await ids(scopedPool(replica, { team_id: teams[1]?.id as string }))).toEqual([teams[1]?.id])
  expect(await ids(sharedPool(replica))).toEqual([])
  // Single records and writes go to the primary.
  app.metrics.reads.reset()
  await ask(0, '/team')
  expect(await served()).toEqual({})
})

it('a team reads what it has just written, while a replica without that write serves another team', async () => {
  const before = await total(0)
  await onStandby('SELECT pg_wal_replay_pause()')
  try {
    app.metrics.reads.reset()
    await write(0)
    expect([await total(0), await total(1)]).toEqual([before + 1, 0])
    expect(await served()).toEqual({ 'primary: behind': 1, 'replica: fresh': 1 })
    // It lags by more than the limit, and serves no reads.
    await waitUntil(async () => app.replica?.unfit() === 'lagging', 10_000)
    app.metrics.reads.reset()
    expect(await total(1)).toBe(0)
    expect(await served()).toEqual({ 'primary: lagging': 1 })
  } finally {
    await onStandby('SELECT pg_wal_replay_resume()')
  }
  await waitUntil(async () => app.replica?.unfit() === null)
  app.metrics.reads.reset()
  expect(await total(0)).toBe(before + 1)
  expect(await served()).toEqual({ 'replica: fresh': 1 })
})

it('a hundred writes, each read at once: none is missed', async () => {
  const before = await total(0)
  for (let nth = 1; nth <= 100; nth++) {
    expect((await write(0)).statusCode).toBe(201)
    expect(await total(0)).toBe(before + nth)
  }
  console.log(await served())
})

/** Reads without a pause during an action: returns the statuses with their counts, and the longest time of one. */
async function readsWhile(happens: () => Promise<unknown>) {
  const statuses: Record<number, number> = {}
  let [over, longest] = [false, 0]
  const read = async () => {
    while (!over) {
      const startedAt = performance.now()
      const { statusCode } = await ask(1)
      longest = Math.max(longest, performance.now() - startedAt)
      statuses[statusCode] = (statuses[statusCode] ?? 0) + 1
    }
  }
  const readers = Array.from({ length: 4 }, read)
  await happens()
  over = true
  await Promise.all(readers)
  console.log(statuses, `longest ${Math.round(longest)} ms`, await served())
  return { statuses: Object.keys(statuses), longest }
}

const LEFT_WITHIN_MS = 2000

it('the replica is killed under reads, and comes back: no read fails', { timeout: 120_000 }, async () => {
  const { statuses, longest } = await readsWhile(async () => {
    await pause(500)
    await standby.kill()
    await waitUntil(async () => app.replica?.unfit() === 'away', LEFT_WITHIN_MS)
    await pause(1000)
    await standby.start()
    await waitUntil(async () => app.replica?.unfit() === null, 30_000)
    await pause(500)
  })
  expect(statuses).toEqual(['200'])
  expect(longest).toBeLessThan(LEFT_WITHIN_MS)
  expect(Object.keys(await served())).toEqual(expect.arrayContaining(['replica: fresh', 'primary: away']))
})

it('the replica freezes under reads, and continues: no read fails, and none waits for it', { timeout: 120_000 }, async () => {
  const { statuses, longest } = await readsWhile(async () => {
    await pause(500)
    await standby.freeze()
    await pause(3000)
    standby.thaw()
    await waitUntil(async () => app.replica?.unfit() === null, 30_000)
  })
  expect(statuses).toEqual(['200'])
  expect(longest).toBeLessThan(LEFT_WITHIN_MS)
})

it('a primary whose pool is busy does not make the replica unfit', { timeout: 60_000 }, async () => {
  const pool = sharedPool(app.pool)
  const busy = Promise.all(Array.from({ length: app.config.database_pool }, () => pool.query('SELECT pg_sleep(3)')))
  const states = new Set<string | null | undefined>()
  let over = false
  busy.finally(() => {
    over = true
  })
  for (; !over; await pause(20)) states.add(app.replica?.unfit())
  expect([...states]).toEqual([null])
})

it('a primary that does not answer makes the replica lag, and no read there fails', { timeout: 60_000 }, async () => {
  const link = await openLink(Number(new URL(postgres.serving).port))
  const logged: object[] = []
  const log = { info: (facts: object) => logged.push(facts) } as unknown as Log
  const replica = openReplica(standby.serving, postgres.serving.replace(/:\d+\//, `:${link.port}/`), 2, log)
  try {
    await waitUntil(async () => replica.unfit() === null)
    logged.length = 0
    link.cut()
    const { rows } = await replica.whileItAnswers(replica.pool.query("SELECT 'read' AS was FROM pg_sleep(3)"))
    expect(rows).toEqual([{ was: 'read' }])
    expect(logged).toEqual([expect.objectContaining({ unfit: 'lagging', reason: 'The database does not answer: the primary.' })])
    link.mend()
    await waitUntil(async () => replica.unfit() === null, 30_000)
  } finally {
    await replica.close()
    link.close()
  }
})

it('a read that times out on the replica is not sent to the primary as well', { timeout: 60_000 }, async () => {
  const caller = { team: { id: teams[1]?.id } } as Caller
  await expect(readFromReplica(app, caller, ({ pool }) => pool.query('SELECT pg_sleep(60)'))).rejects.toMatchObject({ code: '57014' })
  expect(await served()).toEqual({})
})

it('a replica that was promoted to primary follows no server, and serves no reads', { timeout: 60_000 }, async () => {
  await standby.promote()
  await waitUntil(async () => app.replica?.unfit() === 'away', 10_000)
  app.metrics.reads.reset()
  await total(1)
  expect(await served()).toEqual({ 'primary: away': 1 })
})
