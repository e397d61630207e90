import type pg from 'pg'
import { longQuery } from '#domain/engines/pool.ts'
import { sessionPool, sharedPool } from '#domain/engines/row-scope.ts'

/**
 * Returns a function that runs a statement over the whole archive, which may take longer than a request allows. Callers
 * that arrive during a run share its rows, which show the archive as of the first call. Otherwise each would occupy a
 * connection and a processor for as long, and an open page polls every few seconds.
 */
export function sharedLongQuery<Row extends pg.QueryResultRow>(text: string): (pool: pg.Pool) => Promise<Row[]> {
  const inFlight = new WeakMap<pg.Pool, Promise<Row[]>>()
  return (pool) => {
    const shared = sharedPool(pool)
    const read = inFlight.get(shared) ?? longQuery<Row>(sessionPool(pool), text).finally(() => inFlight.delete(shared))
    inFlight.set(shared, read)
    return read
  }
}
