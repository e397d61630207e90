import type { App } from '#domain/app.ts'
import type { JobPayloads } from '#domain/outbox.ts'
import { type BuiltJob, jobOf } from '#workers/jobs.ts'
import { openQueue, type Perform } from '#workers/queue.ts'
import { startRelay } from '#workers/relay.ts'
import { startSchedule } from '#workers/schedule.ts'

/** A stop waits so long for the jobs at work; what is cut off then is taken up again by another worker. */
const STOP_PATIENCE_MS = 25_000

/**
 * Starts relay, schedule and workers. Any number of processes may do so on one database.
 * @param names the jobs that this process takes; all where none are named
 */
export async function startWorkers(app: App, names?: readonly BuiltJob[]): Promise<{ stop(): Promise<void> }> {
  const queue = await openQueue(app.config, app.log)
  queue.work(performer(app), names)
  const relay = startRelay(app, queue)
  const schedule = startSchedule(app)
  return {
    async stop() {
      await Promise.all([schedule.stop(), relay.stop()])
      await Promise.race([queue.close(), patience(STOP_PATIENCE_MS)])
    },
  }
}

/** Runs a job by its row of the table; after the last try, what the row says of a job that cannot be done. */
function performer(app: App): Perform {
  return async ({ name, payload }, last) => {
    const job = jobOf(name)
    try {
      await job.run(app, payload as JobPayloads[BuiltJob])
    } catch (fault) {
      app.log.error({ job: name, payload, err: fault }, last ? 'a job failed for the last time' : 'a job failed and is tried again')
      if (last) await job.give_up?.(app, payload as JobPayloads[BuiltJob])
      throw fault
    }
  }
}

function patience(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}
