import type pg from 'pg'
import { longQuery } from '#domain/engines/pool.ts'
import { sessionPool, sharedPool } from '#domain/engines/row-scope.ts'

/** What is being read, by the pool and by the statement. */
const underWay = new WeakMap<pg.Pool, Map<string, Promise<unknown[]>>>()

/**
 * Rows of a statement that goes through the whole archive, which may take longer than a question has. Whoever asks for the same while it is
 * read gets the same rows: each would take a connection and a processor for as long, and a page that is open asks every few seconds.
 */
export async function readWhole<Row extends pg.QueryResultRow>(pool: pg.Pool, text: string): Promise<Row[]> {
  const shared = sharedPool(pool)
  const reads = underWay.get(shared) ?? new Map<string, Promise<unknown[]>>()
  underWay.set(shared, reads)
  const read = reads.get(text) ?? longQuery<Row>(sessionPool(pool), text).finally(() => reads.delete(text))
  reads.set(text, read)
  return (await read) as Row[]
}
