import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { keepSession, withLongSession } from '#domain/engines/pool.ts'
import { sessionPool } from '#domain/engines/row-scope.ts'
import { Refusal } from '#domain/kernel/refusal.ts'

/** A year file takes a few minutes. A caller behind more than one or two of them should retry later. */
const WAIT_MS = 900_000
const TRY_EVERY_MS = 250
const RETRY_AFTER_S = 60

/**
 * Runs work on a source in a session of its own, while nobody else imports or forgets the source. Both take many
 * statements, and an import many transactions: two at once would conflict on the same rows, or leave half of the data. The
 * lock is retried without holding a connection. A stalled process loses the lock with its session.
 * @throws Refusal engine_unavailable if the source is not free within 15 minutes
 */
export async function withSource<Result>(
  { pool }: Pick<App, 'pool'>,
  source: string,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  return withLongSession(await lockSource(pool, source), async (client) => {
    const session = await keepSession(client)
    try {
      return await work(client)
    } finally {
      session.stop()
    }
  })
}

/** Locks a further source until the transaction ends, in a session of `withSource`. Waits within that session's lock timeout. */
export async function lockSourceWithin(client: Pick<pg.ClientBase, 'query'>, source: string): Promise<void> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [keyOf(source)])
}

/** Locks the source until the transaction ends if it is free. Returns whether it was. */
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
  throw new Refusal('engine_unavailable', 'This source is being read or forgotten. Try again later.', { retry_after: RETRY_AFTER_S })
}

const keyOf = (source: string) => `archive ${source}`
