import type pg from 'pg'
import { longQuery } from '#domain/engines/pool.ts'
import { sessionPool, sharedPool } from '#domain/engines/row-scope.ts'

/**
 * Reads a statement that goes through the whole archive, which may take longer than a question has. Whoever asks while it is
 * read gets the same rows, as the archive was when the first asked: each would take a connection and a processor for as long, and a
 * page that is open asks every few seconds.
 */
export function wholeRead<Row extends pg.QueryResultRow>(text: string): (pool: pg.Pool) => Promise<Row[]> {
  const underWay = new WeakMap<pg.Pool, Promise<Row[]>>()
  return (pool) => {
    const shared = sharedPool(pool)
    const read = underWay.get(shared) ?? longQuery<Row>(sessionPool(pool), text).finally(() => underWay.delete(shared))
    underWay.set(shared, read)
    return read
  }
}
