import type { App } from '#domain/app.ts'

/** The unfinished jobs of one name. */
export interface WaitingJobs {
  name: string
  /** Staged, and not yet passed to the queue. */
  staged: number
  /** Durable jobs, whose rows stay until they are done; a failed try is retried. */
  durable: number
  /** Durable jobs with a failed try. */
  retrying: number
  /** When the job that has been due for longest was to begin. */
  oldest_at: Date | null
}

/** Returns the unfinished jobs, grouped by name. */
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
