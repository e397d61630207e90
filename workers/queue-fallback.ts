import type { App } from '#domain/app.ts'
import { stageDueDeliveries } from '#domain/integrations/deliver.ts'
import { stage } from '#domain/kernel/outbox.ts'
import { reissuePending } from '#domain/reports/reissue.ts'
import { type BuiltJob, builtJobs, jobs } from '#workers/jobs.ts'
import type { JobQueue, Perform, Rules, TakenEntry } from '#workers/queue.ts'

/** Runs staged jobs while the queue's store is unavailable, so that nobody has to wait for it. */
export interface QueueFallback {
  /** Whether the store is unavailable now. */
  needed(): boolean
  /** Starts as many staged jobs as there is room for. Returns their number. */
  take(): Promise<number>
  /** Resolves when all started jobs have ended. */
  idle(): Promise<void>
}

/** Interval for reissuing, some hundred at a time, the jobs that are in the unreachable store. */
const REISSUE_EVERY_MS = 5000
/** A failed job is staged again after this time. No job fails for good meanwhile: its attempts start again once the store is back. */
const RETRY_AFTER_MS = 5000

/**
 * Takes jobs from the outbox and runs them in this process, with the concurrency of the queue. A process that stops during a job
 * loses it, as a store that loses its data would. The rows that jobs work on state what is still to do.
 * @param names the jobs that this process runs
 * @param onRoom called whenever a job has ended: there is room for another
 */
export function openQueueFallback(
  app: Pick<App, 'pool' | 'db' | 'clock' | 'log'>,
  queue: Pick<JobQueue, 'isUnavailable'>,
  perform: Perform,
  { names = builtJobs, rules = jobs, onRoom = () => {} }: { names?: readonly BuiltJob[]; rules?: Rules; onRoom?: () => void } = {},
): QueueFallback {
  const atWork = new Map<Promise<void>, BuiltJob>()
  let reissuedAt = Number.NEGATIVE_INFINITY
  let since: number | null = null
  /** Only jobs older than this are reissued, and only once: jobs that wait in this process are not lost. */
  let lostAt = app.clock.now()
  return {
    needed() {
      const isUnavailable = queue.isUnavailable()
      if (isUnavailable !== (since !== null)) {
        if (isUnavailable) app.log.warn('the queue’s store is unavailable: staged jobs run without it')
        else app.log.info({ ms: Math.round(performance.now() - (since as number)) }, 'the queue’s store is available again')
        since = isUnavailable ? performance.now() : null
        lostAt = app.clock.now()
      }
      return isUnavailable
    },
    async take() {
      if (performance.now() - reissuedAt > REISSUE_EVERY_MS) {
        const first = since !== null && reissuedAt < since
        reissuedAt = performance.now()
        await reissuePending(app, lostAt)
        // After that the sweep does this.
        if (first && names.includes('delivery.send')) await stageDueDeliveries(app as App)
      }
      const busy = [...atWork.values()]
      const room = names.map((name) => rules[name].concurrency - busy.filter((one) => one === name).length)
      const { rows } = await app.pool.query<TakenEntry>({ name: 'fallback_take', text: TAKE, values: [names, room] })
      for (const entry of rows) begin(entry)
      return rows.length
    },
    async idle() {
      await Promise.all(atWork.keys())
    },
  }

  function begin(entry: TakenEntry): void {
    const once = rules[entry.name].attempts === 1
    const work = perform(entry, once)
      .catch(() =>
        once ? undefined : stage(app.db, entry.name, entry.payload as never, new Date(app.clock.now().getTime() + RETRY_AFTER_MS)),
      )
      // If the database is unavailable too, the sweep finds the job later.
      .catch((fault: Error) => app.log.warn({ reason: fault.message }, 'a job that failed could not be staged again'))
      .finally(() => {
        atWork.delete(work)
        onRoom()
      })
    atWork.set(work, entry.name)
  }
}

/** Takes jobs of each name in the order of staging. Delayed jobs wait for their time. */
const TAKE = `
  DELETE FROM outbox WHERE id = ANY (ARRAY (
    SELECT due.id FROM unnest($1::text[], $2::int[]) AS room (name, places)
     CROSS JOIN LATERAL (
       SELECT o.id FROM outbox o WHERE o.name = room.name AND (o.due_at IS NULL OR o.due_at <= clock_timestamp())
        ORDER BY o.id LIMIT room.places FOR UPDATE SKIP LOCKED) due))
  RETURNING 'outbox-' || id AS id, name, payload, coalesce(due_at, created_at) AS due_at, traceparent`
