import type { App } from '#domain/app.ts'
import type { JobName } from '#domain/kernel/outbox.ts'
import { STARTS_MAX } from '#domain/kernel/starts.ts'
import { tiersWith } from '#domain/plans/plans.ts'

/** The unfinished jobs of one name. */
export interface WaitingJobs {
  name: string
  /** Staged, and not yet passed to the queue. */
  staged: number
  /** Durable jobs, whose rows stay until they are done; a failed try is retried. */
  durable: number
  /** Durable jobs with a failed try. */
  retrying: number
  /** Jobs whose process died in each of their starts: they are issued once an hour. */
  crashing: number
  /** When the job that has been due for longest was to begin. */
  oldest_at: Date | null
}

/** Returns the unfinished jobs, grouped by name. */
export async function listWaitingJobs({ pool, clock }: Pick<App, 'pool' | 'clock'>): Promise<WaitingJobs[]> {
  const { rows } = await pool.query<WaitingJobs>({ name: 'waiting_jobs', text: WAITING, values: [...CRASHING_VALUES, clock.now()] })
  return rows
}

/** How many jobs of each name are issued only once an hour, because their process died in each of their starts. */
export async function countCrashingJobs({ pool }: Pick<App, 'pool'>): Promise<Pick<WaitingJobs, 'name' | 'crashing'>[]> {
  const { rows } = await pool.query({ name: 'crashing_jobs', text: COUNT_CRASHING, values: CRASHING_VALUES })
  return rows
}

const RENDER: JobName = 'report.render'
const CRASHING_VALUES = [RENDER, tiersWith('pdf_export')]
/** $1, $2: `CRASHING_VALUES`. Each part reads a small table or a partial index of documents to print. */
const CRASHING = `
  SELECT job AS name FROM lasting_jobs WHERE starts >= ${STARTS_MAX}
   UNION ALL
  SELECT $1::text FROM reports
   WHERE status = 'complete' AND pdf_status IS NULL AND plan_tier = ANY ($2::text[]) AND render_starts >= ${STARTS_MAX}
   UNION ALL
  SELECT $1::text FROM reports WHERE status = 'complete' AND pdf_status = 'failed' AND render_starts >= ${STARTS_MAX}`
const COUNT_CRASHING = `
  SELECT name, count(*)::int AS crashing FROM (${CRASHING}) crashing GROUP BY name ORDER BY name`

const WAITING = `
  WITH waiting AS (
    SELECT name, 1 AS staged, 0 AS durable, 0 AS retrying, 0 AS crashing, coalesce(due_at, created_at) AS due_at FROM outbox
     UNION ALL
    SELECT job, 0, 1, (tries > 0)::int, 0, due_at FROM lasting_jobs
     UNION ALL
    SELECT name, 0, 0, 0, 1, NULL FROM (${CRASHING}) crashing)
  SELECT name, sum(staged)::int AS staged, sum(durable)::int AS durable, sum(retrying)::int AS retrying, sum(crashing)::int AS crashing,
         min(due_at) FILTER (WHERE due_at <= $3) AS oldest_at
    FROM waiting GROUP BY name ORDER BY name`
