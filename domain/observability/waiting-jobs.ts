import type { App } from '#domain/app.ts'

/** Jobs of one name that are still to be done. */
export interface WaitingJobs {
  name: string
  /** Staged, and not yet handed to the queue. */
  staged: number
  /** Rows until they are done: they are issued again when a try failed. */
  durable: number
  /** Of the durable ones, those of which a try failed. */
  retrying: number
  /** When the longest-waiting of those that are due now was to begin. */
  oldest_at: Date | null
}

/** What waits to be done, by name: nothing is listed that is done, or due later and never tried. */
export async function listWaitingJobs({ pool, clock }: Pick<App, 'pool' | 'clock'>): Promise<WaitingJobs[]> {
  const { rows } = await pool.query<WaitingJobs>({ name: 'waiting_jobs', text: WAITING, values: [clock.now()] })
  return rows
}

const WAITING = `
  WITH waiting AS (
    SELECT name, 1 AS staged, 0 AS durable, 0 AS retrying, coalesce(due_at, created_at) AS due_at FROM outbox
     UNION ALL
    SELECT job, 0, 1, (tries > 0)::int, due_at FROM lasting_jobs)
  SELECT name, sum(staged)::int AS staged, sum(durable)::int AS durable, sum(retrying)::int AS retrying,
         min(due_at) FILTER (WHERE due_at <= $1) AS oldest_at
    FROM waiting GROUP BY name ORDER BY name`
