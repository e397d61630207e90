import type pg from 'pg'
import type { Logger } from 'pino'
import { HOUR_MS } from '#domain/kernel/durations.ts'

/**
 * After so many starts without an end, neither done nor failed, a job is issued again only once an hour: its process dies each time, for example
 * of too little memory, and takes other jobs with it. It is never dropped, because its machines may have been killed for other reasons.
 */
export const STARTS_MAX = 20
export const RARELY_MS = HOUR_MS

/** A job that runs in this process: the row that counts its starts without an end, in a column. The statement that begins the job counts its start. */
interface Started {
  table: string
  column: string
  id: number | string
}

/** Jobs that run on a pool now, by table and id. */
const running = new WeakMap<pg.Pool, Map<string, Started>>()

/**
 * Runs a started job. If it throws, its starts no longer count, because its process survived it. Once it is done, the caller deletes its row or
 * calls `endStarts`.
 * @param starts its starts so far, with this one
 */
export async function runStarted<Result>(
  { pool, log }: { pool: pg.Pool; log: Pick<Logger, 'error'> },
  started: Started & { starts: number },
  work: () => Promise<Result>,
): Promise<Result> {
  const { id, starts } = started
  if (starts > STARTS_MAX)
    log.error({ id, starts: starts - 1 }, 'the process of a job died in each of its starts: the job is issued once an hour')
  const all = running.get(pool) ?? new Map()
  const key = `${started.table} ${id}`
  running.set(pool, all.set(key, started))
  try {
    return await work()
  } catch (fault) {
    await endStarts({ pool }, started).catch(() => {})
    throw fault
  } finally {
    all.delete(key)
  }
}

/** Forgets the starts of a job that ended: the next one begins to count anew. */
export async function endStarts({ pool }: { pool: pg.Pool }, { table, column, id }: Started): Promise<void> {
  await pool.query(`UPDATE ${table} SET ${column} = 0 WHERE id = $1 AND ${column} > 0`, [id])
}

/** Takes back the starts of the jobs that run now, because this process stops before they end: that is no fault of theirs. */
export async function returnStarts({ pool }: { pool: pg.Pool }): Promise<void> {
  for (const { table, column, id } of running.get(pool)?.values() ?? [])
    await pool.query(`UPDATE ${table} SET ${column} = ${column} - 1 WHERE id = $1 AND ${column} > 0`, [id])
}
