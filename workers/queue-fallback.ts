import type { App } from '#domain/app.ts'
import { stageDueDeliveries } from '#domain/integrations/deliver.ts'
import { stage } from '#domain/kernel/outbox.ts'
import { reissuePending } from '#domain/reports/reissue.ts'
import { type BuiltJob, builtJobs, jobs } from '#workers/jobs.ts'
import type { JobQueue, Perform, Rules, TakenEntry } from '#workers/queue.ts'

/** Does what is staged while the store of the queue is away, so that nobody waits for it. */
export interface QueueFallback {
  /** Whether the store is away now. */
  needed(): boolean
  /** Begins as many staged jobs as there is room for; answers how many. */
  take(): Promise<number>
  /** Resolves when what was begun has ended. */
  idle(): Promise<void>
}

/** What was asked for before the store went lies where nobody can read it, and is issued again: some hundred at a time, so often. */
const REISSUE_EVERY_MS = 5000
/** A job that failed is staged again for then. Nothing is given up meanwhile: once the store is back its tries begin anew. */
const AGAIN_AFTER_MS = 5000

/**
 * Takes jobs out of the outbox and runs them in this process, each name as many at once as in the queue. A process that ends in
 * mid-work loses them, as a store would that loses its data: the rows that they are about say what is still to do.
 * @param names the jobs that this process takes
 * @param hasRoom called whenever a job has ended
 */
export function openQueueFallback(
  app: Pick<App, 'pool' | 'db' | 'clock' | 'log'>,
  queue: Pick<JobQueue, 'away'>,
  perform: Perform,
  { names = builtJobs, rules = jobs, hasRoom = () => {} }: { names?: readonly BuiltJob[]; rules?: Rules; hasRoom?: () => void } = {},
): QueueFallback {
  const atWork = new Map<Promise<void>, BuiltJob>()
  let reissuedAt = Number.NEGATIVE_INFINITY
  let since: number | null = null
  /** Each is issued again once: what waits here for its turn is not lost. */
  let lostAt = app.clock.now()
  return {
    needed() {
      const away = queue.away()
      if (away !== (since !== null)) {
        if (away) app.log.warn('the queue has lost its store: staged jobs are done without it')
        else app.log.info({ ms: Math.round(performance.now() - (since as number)) }, 'the queue has its store again')
        since = away ? performance.now() : null
        lostAt = app.clock.now()
      }
      return away
    },
    async take() {
      if (performance.now() - reissuedAt > REISSUE_EVERY_MS) {
        const first = since !== null && reissuedAt < since
        reissuedAt = performance.now()
        await reissuePending(app, lostAt)
        // From then on the sweep does so.
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
        once ? undefined : stage(app.db, entry.name, entry.payload as never, new Date(app.clock.now().getTime() + AGAIN_AFTER_MS)),
      )
      // With the database away too, the sweep finds it.
      .catch((fault: Error) => app.log.warn({ reason: fault.message }, 'a job that failed could not be staged again'))
      .finally(() => {
        atWork.delete(work)
        hasRoom()
      })
    atWork.set(work, entry.name)
  }
}

/** Their order within a name is that in which they were staged. What is to be done later waits for its time. */
const TAKE = `
  DELETE FROM outbox WHERE id = ANY (ARRAY (
    SELECT due.id FROM unnest($1::text[], $2::int[]) AS room (name, places)
     CROSS JOIN LATERAL (
       SELECT o.id FROM outbox o WHERE o.name = room.name AND (o.due_at IS NULL OR o.due_at <= clock_timestamp())
        ORDER BY o.id LIMIT room.places FOR UPDATE SKIP LOCKED) due))
  RETURNING 'outbox-' || id AS id, name, payload, coalesce(due_at, created_at) AS due_at, traceparent`
