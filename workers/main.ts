import type { App } from '#domain/app.ts'
import { followDatabaseClock } from '#workers/database-clock.ts'
import type { BuiltJob } from '#workers/jobs.ts'
import { performer } from '#workers/perform.ts'
import { openQueue } from '#workers/queue.ts'
import { openQueueFallback } from '#workers/queue-fallback.ts'
import { declareQueueGauges } from '#workers/queue-gauges.ts'
import { startRelay } from '#workers/relay.ts'
import { startSchedule } from '#workers/schedule.ts'

/** A stop waits so long for the jobs at work; what is cut off then is taken up again by another worker. */
const STOP_PATIENCE_MS = 25_000

/**
 * Starts relay, schedule and workers. Any number of processes may do so on one database.
 * @param names the jobs that this process takes; all where none are named
 */
export async function startWorkers(opened: App, names?: readonly BuiltJob[]): Promise<{ stop(): Promise<void> }> {
  const time = await followDatabaseClock(opened)
  const app = { ...opened, clock: time.clock }
  const queue = await openQueue(app.config, app.log)
  const perform = performer(app)
  queue.work(perform, names)
  declareQueueGauges(app, queue)
  const relay = startRelay(app, queue, (hasRoom) => openQueueFallback(app, queue, perform, { ...(names && { names }), hasRoom }))
  const schedule = startSchedule(app)
  return {
    async stop() {
      const stopped = Promise.all([schedule.stop(), relay.stop()]).then(() => queue.close())
      await Promise.race([stopped, patience(STOP_PATIENCE_MS)])
      time.stop()
    },
  }
}

function patience(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
