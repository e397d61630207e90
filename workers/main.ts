import type { App } from '#domain/app.ts'
import { returnStarts } from '#domain/kernel/starts.ts'
import { followDatabaseClock } from '#workers/database-clock.ts'
import { type BuiltJob, builtJobs } from '#workers/jobs.ts'
import { crashHandler, performer } from '#workers/perform.ts'
import { openQueue } from '#workers/queue.ts'
import { openQueueFallback } from '#workers/queue-fallback.ts'
import { declareQueueGauges } from '#workers/queue-gauges.ts'
import { startRelay } from '#workers/relay.ts'
import { startSchedule } from '#workers/schedule.ts'

/** How long a stop waits for running jobs. Another worker repeats jobs that are cut off then. */
const STOP_TIMEOUT_MS = 25_000

/** The workers of a process. */
export interface Workers {
  /**
   * Takes no more jobs and waits for the running ones. False if some still run at the limit: then end the process and close nothing that they use.
   * They would fail, and record as a fault of others what is only the stop.
   */
  stop(): Promise<boolean>
}

/**
 * Starts relay, schedule and workers. Any number of processes can share one database.
 * @param names the jobs that this process runs; all by default
 * @param stop_timeout_ms shorter in tests
 */
export async function startWorkers(opened: App, names?: readonly BuiltJob[], stop_timeout_ms = STOP_TIMEOUT_MS): Promise<Workers> {
  const time = await followDatabaseClock(opened)
  const app = { ...opened, clock: time.clock }
  const queue = await openQueue(app.config, app.log)
  const stopping = new AbortController()
  const perform = performer(app, stopping.signal)
  // As in metrics.ts: alerts watch the increase of these.
  for (const job_name of names ?? builtJobs)
    for (const outcome of ['done', 'failed', 'given_up']) app.metrics.jobs.zero({ job_name, outcome })
  queue.work(perform, names, crashHandler(app))
  declareQueueGauges(app, queue)
  const relay = startRelay(app, queue, (wake) => openQueueFallback(app, queue, perform, { ...(names && { names }), onRoom: wake }))
  const schedule = startSchedule(app)
  return {
    async stop() {
      stopping.abort()
      const stopped = Promise.all([queue.stopWork(), schedule.stop(), relay.stop()]).then(() => queue.close())
      const ended = await Promise.race([stopped.then(() => true), delay(stop_timeout_ms).then(() => false)])
      time.stop()
      if (!ended) await returnStarts(app).catch((fault: Error) => app.log.warn({ reason: fault.message }, 'cut-off jobs count as started'))
      return ended
    },
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
