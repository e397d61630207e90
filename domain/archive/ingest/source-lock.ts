import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { keepSession, LONG, setSessionLimits } from '#domain/engines/pool.ts'
import { sessionPool } from '#domain/engines/row-scope.ts'
import { Refusal } from '#domain/kernel/refusal.ts'

/** A file of a year takes a few minutes: who waits behind more than one or two of them asks again. */
const WAIT_MS = 900_000
const TRY_EVERY_MS = 250
const ASK_AGAIN_S = 60

/**
 * Does work on a source over a session of its own while nobody else reads the source into the archive or forgets it. Both take
 * many statements, an import many transactions: two at once would meet in the same rows, or leave half of what was read. The lock
 * is tried for again and again, and no connection is held meanwhile; a process that stands still loses it with its session.
 * @throws Refusal engine_unavailable where the source is not free within a quarter of an hour
 */
export async function withSource<Result>(
  { pool }: Pick<App, 'pool'>,
  source: string,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const client = await lockSource(pool, source)
  const session = await keepSession(client)
  try {
    await setSessionLimits(client, LONG)
    const result = await work(client)
    // Who comes next finds it free: the end of the session reaches the database a moment later.
    await client.query('SELECT pg_advisory_unlock(hashtextextended($1, 0))', [keyOf(source)]).catch(() => {})
    return result
  } finally {
    session.stop()
    // What was set, a transaction that failed and its lock end with the session.
    client.release(true)
  }
}

/** Waits for a further source until the transaction ends, over a session of `withSource`, within whose limit for locks it is had. */
export async function lockSourceWithin(client: Pick<pg.ClientBase, 'query'>, source: string): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [keyOf(source)])
}

/** Whether the source is free; it is kept until the transaction ends. */
export async function tryToLockSource(client: Pick<pg.ClientBase, 'query'>, source: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>('SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS taken', [
    keyOf(source),
  ])
  return rows[0]?.taken === true
}

async function lockSource(pool: pg.Pool, source: string): Promise<pg.PoolClient> {
  for (const ends = Date.now() + WAIT_MS; Date.now() < ends; await pause(TRY_EVERY_MS)) {
    const client = await sessionPool(pool).connect()
    const taken = await client
      .query<{ taken: boolean }>('SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS taken', [keyOf(source)])
      .catch((fault) => {
        client.release(true)
        throw fault
      })
    if (taken.rows[0]?.taken) return client
    client.release()
  }
  throw new Refusal('engine_unavailable', 'This source is being read or forgotten. Try again later.', { retry_after: ASK_AGAIN_S })
}

const keyOf = (source: string) => `archive ${source}`
