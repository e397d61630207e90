import type { App } from '#domain/app.ts'
import { builtJobs, jobOf } from '#workers/jobs.ts'

/** How often a worker looks for due jobs: the shortest interval of the table is a few seconds. */
const POLL_INTERVAL_MS = 1000

/** Stages scheduled jobs when they are due. Every worker looks, but each run is staged only once. */
export function startSchedule(app: Pick<App, 'pool' | 'clock' | 'log'>): { stop(): Promise<void> } {
  let looking: Promise<void> | null = null
  // While the database hangs, looks do not pile up: a stop waits for the one under way.
  const look = () => {
    looking ??= stageDue(app)
      .catch((fault: Error) => app.log.warn({ reason: fault.message }, 'scheduled jobs could not be staged'))
      .finally(() => {
        looking = null
      })
  }
  look()
  const timer = setInterval(look, POLL_INTERVAL_MS)
  return {
    async stop() {
      clearInterval(timer)
      await looking
    },
  }
}

const intervals = builtJobs.flatMap((name) => {
  const { every } = jobOf(name)
  return every ? [{ name, every }] : []
})

/**
 * Stages the jobs that are due now; a job that has never run is due immediately, and so is one that is due much later than its interval:
 * the clock was set back since. The schedule row decides between workers. A job that still waits in the outbox is not staged again.
 */
export async function stageDue({ pool, clock }: Pick<App, 'pool' | 'clock'>): Promise<void> {
  const names = intervals.map(({ name }) => name)
  const everyMs = intervals.map(({ every }) => every)
  await pool.query({ name: 'stage_due', text: STAGE_DUE, values: [names, everyMs, clock.now()] })
}

/**
 * A due time that is later by less was set by another worker: its clock is ahead by a little, or this worker read its own before that run
 * was staged, and its statement came after.
 */
const CLOCKS_APART_MAX_S = 60

const STAGE_DUE = `
  WITH due AS (
    INSERT INTO schedules (job, due_at)
    SELECT wanted.job, $3::timestamptz + make_interval(secs => wanted.every / 1000.0)
      FROM unnest($1::text[], $2::int[]) AS wanted (job, every) LEFT JOIN schedules s ON s.job = wanted.job
     WHERE s.due_at IS NULL OR s.due_at <= $3 OR s.due_at > $3::timestamptz + make_interval(secs => wanted.every / 1000.0 + ${CLOCKS_APART_MAX_S})
    ON CONFLICT (job) DO UPDATE SET due_at = excluded.due_at WHERE schedules.due_at <= $3 OR schedules.due_at > excluded.due_at + make_interval(secs => ${CLOCKS_APART_MAX_S})
    RETURNING job)
  INSERT INTO outbox (name, payload)
  SELECT job, '{}' FROM due WHERE NOT EXISTS (SELECT FROM outbox o WHERE o.name = due.job)`
