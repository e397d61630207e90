import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scopedDb } from '#domain/access/scope.ts'
import { pagesOf } from '#domain/engines/cursor.ts'
import { type Database, openDatabase, transact } from '#domain/engines/database.ts'
import { type Limits, openPool, setSessionLimits } from '#domain/engines/pool.ts'
import { scopedPool, sessionPool, sharedPool } from '#domain/engines/row-scope.ts'
import { aTeam } from '#test/support/factories.ts'
import { type PgBouncer, pgBouncerIsHere, startPgBouncer } from '#test/support/pgbouncer.ts'
import { openWorld, type World } from '#test/support/world.ts'

/** Sessions of the server: each connection of a pool of eight may get another one at each statement. */
const SESSIONS = 3

describe.skipIf(!pgBouncerIsHere)('through a pooler that gives each transaction another session', () => {
  let world: World
  let pooler: PgBouncer
  let database: Database
  beforeAll(async () => {
    world = await openWorld()
    const direct_url = world.app.config.database_direct_url
    pooler = await startPgBouncer(direct_url, SESSIONS)
    database = openDatabase(pooler.url, 8, 15_000, direct_url)
  })
  afterAll(async () => {
    await database.close()
    await pooler.stop()
    await world.close()
  })

  it('a thousand concurrent statements in three scopes see only their own rows', async () => {
    const teams = [await aTeam(world), await aTeam(world)].map(({ id }) => id)
    const every = teams.length
    const named = { name: 'teams', text: 'SELECT id FROM teams ORDER BY created_at, id' }
    const ask = async (turn: number) => {
      const [scope, expected] = [
        ['system', every],
        [{ team_id: teams[0] as string }, 1],
        [{ team_id: teams[1] as string }, 1],
      ][turn % 3] as ['system' | { team_id: string }, number]
      const pool = scopedPool(database.pool, scope)
      const statements = [
        () => pool.query<{ id: string }>(named),
        () => pool.query<{ id: string }>('SELECT id FROM teams'),
        () => pool.query<{ id: string }>('SELECT id FROM teams WHERE created_at < $1', [new Date('2999-01-01')]),
      ]
      const { rows } = await (statements[(turn % 7) % 3] as () => Promise<pg.QueryResult<{ id: string }>>)()
      expect(rows).toHaveLength(expected)
      if (scope !== 'system') expect(rows[0]?.id).toBe(scope.team_id)
    }
    await Promise.all(Array.from({ length: 1000 }, (_, turn) => ask(turn)))
    expect((await sharedPool(database.pool).query('SELECT id FROM teams')).rows).toEqual([])
    // The pool remembers the one for shared tables.
    expect(sharedPool(database.pool)).toBe(sharedPool(scopedPool(database.pool, { team_id: teams[0] as string })))
  })

  it('the client and manual transactions work, and a team’s client sees its team only', async () => {
    const [one, other] = [await aTeam(world), await aTeam(world)]
    const all = Array.from({ length: 40 }, async (_, turn) => {
      const team = turn % 2 ? one : other
      expect(await scopedDb(database.db, team.id).team.findMany({ select: { id: true } })).toEqual([{ id: team.id }])
      expect(await database.db.team.count({ where: { id: { in: [one.id, other.id] } } })).toBe(2)
      const ids = await transact(database.pool, (tx) => tx.$queryRaw<{ id: string }[]>`SELECT id FROM teams WHERE id = ${team.id}::uuid`)
      expect(ids).toEqual([{ id: team.id }])
    })
    await Promise.all(all)
  })

  it('settings of a transaction end with it, on any session', async () => {
    await Promise.all(Array.from({ length: 20 }, () => scopedPool(database.pool, { team_id: crypto.randomUUID() }).query('SELECT 1')))
    const bare = openPool(pooler.url, { max: SESSIONS, application_name: 'weather test', by_transaction: true })
    const left = await Promise.all(
      Array.from({ length: 20 }, () =>
        bare.query(`SELECT coalesce(current_setting('app.team_id', true), '') AS team, current_setting('statement_timeout') AS timeout`),
      ),
    )
    await bare.end()
    expect(new Set(left.map(({ rows }) => JSON.stringify(rows[0])))).toEqual(new Set([JSON.stringify({ team: '', timeout: '0' })]))
  })

  /** Limits short enough for a test to wait for. */
  const SHORT: Limits = { statement: 400, lock: 200, idle_in_transaction: 2000 }
  const codeOf = (fault: { code?: string }) => fault.code

  it("the pool's limits apply to each statement and transaction, however it is sent", async () => {
    const under = openPool(pooler.url, { max: 4, application_name: 'weather test', limits: SHORT, by_transaction: true })
    const pool = scopedPool(under, 'system')
    await expect(pool.query('SELECT pg_sleep(1)').catch(codeOf)).resolves.toBe('57014')
    await expect(pool.query('SELECT pg_sleep($1)', [1]).catch(codeOf)).resolves.toBe('57014')
    await expect(
      sharedPool(pool)
        .query({ name: 'sleep', text: 'SELECT pg_sleep($1)', values: [1] })
        .catch(codeOf),
    ).resolves.toBe('57014')
    const still = await pool.connect()
    await still.query('BEGIN')
    await still.query('SELECT pg_advisory_xact_lock(1)')
    await expect(pool.query('SELECT pg_advisory_xact_lock($1)', [1]).catch(codeOf)).resolves.toBe('55P03')
    // The server ends the stalled transaction and releases the lock.
    await expect.poll(() => pool.query('SELECT pg_advisory_xact_lock($1)', [1]).then(() => 'taken', codeOf)).toBe('taken')
    still.release(true)
    await pool.end()
  })

  it('work that needs a session gets a direct one, and a connection to the pooler accepts no limits', async () => {
    const pages: number[] = []
    for await (const page of pagesOf<{ n: number }>(database.pool, 'SELECT n FROM generate_series(1, $1) n', [450])) pages.push(page.length)
    expect(pages).toEqual([200, 200, 50])
    const session = await sessionPool(database.pool).connect()
    await session.query('CREATE TEMP TABLE kept AS SELECT 1 AS one')
    expect((await session.query('SELECT one FROM kept')).rows).toEqual([{ one: 1 }])
    session.release(true)
    const client = await database.pool.connect()
    await expect(setSessionLimits(client, SHORT)).rejects.toThrow('keeps no limits')
    client.release()
  })
})
