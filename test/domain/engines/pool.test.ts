import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Limits, LONG, longQuery, newConnection, ORDINARY, openPool, returnSession, setSessionLimits } from '#domain/engines/pool.ts'
import { type Link, openLink } from '#test/support/link.ts'
import { openWorld } from '#test/support/world.ts'

let url: string
beforeAll(async () => {
  url = (await openWorld()).app.config.database_url
})

const opened: pg.Pool[] = []
const open = (limits?: Limits, to = url) => {
  const pool = openPool(to, { max: 4, application_name: 'weather test', ...(limits && { limits }) })
  opened.push(pool)
  return pool
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.end()))
})

/** Limits short enough for a test to wait for. */
const SHORT: Limits = { statement: 400, lock: 200, idle_in_transaction: 1000 }
const codeOf = (fault: { code?: string }) => fault.code

describe('a session', () => {
  it('has the limits of the pool, whatever the role sets', async () => {
    const { rows } = await open().query(
      `SELECT name, setting FROM pg_settings WHERE name ~ '^(statement_timeout|lock_timeout|idle_in_transaction_session_timeout|tcp_.*|client_connection_check_interval)$' ORDER BY name`,
    )
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, Number(setting)]))).toEqual({
      client_connection_check_interval: 5000,
      idle_in_transaction_session_timeout: ORDINARY.idle_in_transaction,
      lock_timeout: ORDINARY.lock,
      statement_timeout: ORDINARY.statement,
      tcp_keepalives_count: 3,
      tcp_keepalives_idle: 5,
      tcp_keepalives_interval: 3,
      tcp_user_timeout: 12_000,
    })
  })

  it('is ended if its process stalls in a transaction, and its lock is released', async () => {
    const pool = open(SHORT)
    const still = await pool.connect()
    await still.query('BEGIN; SELECT pg_advisory_xact_lock(1)')
    await expect(pool.query('SELECT pg_advisory_xact_lock(1)').catch(codeOf)).resolves.toBe('55P03')
    await expect.poll(() => pool.query('SELECT pg_advisory_xact_lock(1)').then(() => 'taken', codeOf)).toBe('taken')
    still.release(true)
  })

  it('runs one long statement when asked to, and no other', async () => {
    const pool = open(SHORT)
    expect(await longQuery(pool, "SELECT 'done' AS said FROM pg_sleep(0.8)")).toEqual([{ said: 'done' }])
    await expect(pool.query('SELECT pg_sleep(0.8)').catch(codeOf)).resolves.toBe('57014')
  })

  it('is returned as it was opened, and closed if its transaction is still open', async () => {
    const pool = open()
    const used = await pool.connect()
    await setSessionLimits(used, LONG)
    await used.query(
      'SET jit = off; SELECT pg_advisory_lock(7); CREATE TEMP TABLE mine (id int); DECLARE paged CURSOR WITH HOLD FOR SELECT 1',
    )
    await returnSession(used)
    const left = `
      SELECT current_setting('statement_timeout') AS limit, current_setting('jit') AS jit, to_regclass('mine') AS tables,
             (SELECT count(*)::int FROM pg_cursors WHERE is_holdable) AS cursors,
             (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks, pg_backend_pid() AS pid`
    const [again] = (await pool.query(left)).rows
    expect(again).toMatchObject({ limit: '8s', jit: 'on', tables: null, cursors: 0, locks: 0 })

    const torn = await pool.connect()
    await torn.query('BEGIN')
    await returnSession(torn)
    expect((await pool.query(left)).rows[0].pid).not.toBe(again.pid)
  })
})

describe('an unused connection', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('is kept for a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const pool = open()
    await pool.query('SELECT 1')
    vi.advanceTimersByTime(59_000)
    expect(pool.totalCount).toBe(1)
    vi.advanceTimersByTime(1000)
    expect(pool.totalCount).toBe(0)
  })

  it('is noticed at once if its server goes away', async () => {
    const link = await openLink(Number(new URL(url).port))
    const pool = open(ORDINARY, url.replace(/:\d+\//, `:${link.port}/`))
    await pool.query('SELECT 1')
    await link.close()
    await expect.poll(() => pool.totalCount).toBe(0)
  })
})

describe('a connection that goes silent', () => {
  let link: Link
  const openThrough = async () => {
    link = await openLink(Number(new URL(url).port))
    return url.replace(/:\d+\//, `:${link.port}/`)
  }
  afterEach(() => link.close())

  it('ends busy and idle sessions, and the pool works again when the network returns', async () => {
    const pool = open(SHORT, await openThrough())
    // One session is busy in a transaction, one is idle.
    const [busy, idle] = [await pool.connect(), await pool.connect()]
    idle.release()
    link.cut()
    const failed = await busy.query('SELECT 1').catch((fault: Error) => fault)
    expect(failed).toBeInstanceOf(Error)
    busy.release(true)
    await expect.poll(() => pool.totalCount).toBe(0)
    link.mend()
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  })

  it('also ends a connection that listens for notifications', async () => {
    const { client, open: opening } = newConnection(await openThrough(), 'weather test')
    const lost = new Promise((resolve) => client.on('error', resolve))
    await opening()
    link.cut()
    client.query('SELECT').catch(() => {})
    expect(await lost).toMatchObject({ message: 'The database does not answer.' })
    await client.end().catch(() => {})
  })

  it('does not end a session that works within its limit or is only idle', async () => {
    const pool = open(SHORT, await openThrough())
    const client = await pool.connect()
    await pause(SHORT.statement + 2000)
    expect((await client.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
    client.release()
  })
})
