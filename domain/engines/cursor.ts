import type pg from 'pg'
import { LONG, returnSession, setSessionLimits } from '#domain/engines/pool.ts'
import { sessionPool } from '#domain/engines/row-scope.ts'

/** Rows fetched at once. */
const PAGE = 200

/**
 * Yields the rows of a query page by page. The database keeps them until they are fetched: memory does not grow with their number,
 * and no transaction stays open while the pages are processed.
 */
export async function* pagesOf<Row extends object>(pool: pg.Pool, text: string, values: unknown[]): AsyncGenerator<Row[]> {
  const client = await sessionPool(pool).connect()
  let isRead = false
  try {
    await setSessionLimits(client, LONG)
    await client.query('BEGIN')
    // JIT compilation does not pay off for a plan of some milliseconds.
    await client.query('SET LOCAL jit = off')
    await client.query(`DECLARE paged NO SCROLL CURSOR WITH HOLD FOR ${text}`, values)
    await client.query('COMMIT')
    for (;;) {
      const { rows } = await client.query<Row>(`FETCH ${PAGE} FROM paged`)
      isRead = rows.length === 0
      if (isRead) return
      yield rows
    }
  } finally {
    // The cursor of a reader that left ends with its session.
    if (isRead) await returnSession(client)
    else client.release(true)
  }
}

/** Yields the rows of a query page by page within the caller's transaction. Only one such cursor at a time. */
export async function* pagesWithin<Row extends object>(
  client: Pick<pg.ClientBase, 'query'>,
  text: string,
  values: unknown[],
  page: number = PAGE,
): AsyncGenerator<Row[]> {
  await client.query(`DECLARE paged NO SCROLL CURSOR FOR ${text}`, values)
  try {
    for (;;) {
      const { rows } = await client.query<Row>(`FETCH ${page} FROM paged`)
      if (rows.length > 0) yield rows
      if (rows.length < page) return
    }
  } finally {
    // A failed transaction has already closed its cursors.
    await client.query('CLOSE paged').catch(() => {})
  }
}
