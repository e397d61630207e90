import type { App } from '#domain/app.ts'
import { listen } from '#domain/engines/notices.ts'
import { builtJobs } from '#workers/jobs.ts'
import type { JobQueue, QueueEntry } from '#workers/queue.ts'
import type { QueueFallback } from '#workers/queue-fallback.ts'

/** Rows handed over in one transaction: short enough that a lost connection repeats little. */
const BATCH = 100
/** The outbox is looked at so often even when no notice comes: a notice may be lost with its connection. */
const LOOK_EVERY_MS = 1000

/**
 * Carries staged jobs to the queue from the moment their transaction commits. Any number of relays share the outbox.
 * A crash between handing over and commit hands over again: jobs judge for themselves what is left to do.
 * @param stand_in makes what does the jobs while the queue cannot; `ring` has the outbox looked at
 * @param look_every_ms longer in tests of the notices, which must not be mistaken for a look
 */
export function startRelay(
  app: Pick<App, 'pool' | 'log' | 'config'>,
  queue: Pick<JobQueue, 'add'>,
  stand_in: ((ring: () => void) => QueueFallback) | null = null,
  look_every_ms = LOOK_EVERY_MS,
): { stop(): Promise<void> } {
  const bell = makeBell()
  const standIn = stand_in?.(bell.ring)
  const ear = listen(app.config.database_url, 'outbox', 'weather relay', { notice: bell.ring, began: bell.ring })
  let stopped = false
  const running = (async () => {
    while (!stopped) {
      const moved = await (standIn?.needed() ? standIn.take() : relayBatch(app, queue)).catch((fault: Error) => {
        app.log.warn({ reason: fault.message }, 'staged jobs could not be handed over')
        return 0
      })
      if (moved < BATCH && !stopped) await bell.wait(look_every_ms)
    }
  })()
  return {
    async stop() {
      stopped = true
      bell.ring()
      await running
      await ear.close()
      await standIn?.idle()
    },
  }
}

/** Moves up to a hundred rows; they leave the outbox exactly when the queue has taken them. Answers how many. */
export async function relayBatch({ pool }: Pick<App, 'pool'>, queue: Pick<JobQueue, 'add'>): Promise<number> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    // Rows that a crash of the server brings back are handed over again.
    await client.query('BEGIN; SET LOCAL synchronous_commit = off')
    const { rows } = await client.query<QueueEntry>({ name: 'take_outbox', text: TAKE, values: [builtJobs, BATCH] })
    if (rows.length > 0) await queue.add(rows)
    await client.query('COMMIT')
    return rows.length
  } catch (fault) {
    await client.query('ROLLBACK').catch((lost: Error) => {
      broken = lost
    })
    throw fault
  } finally {
    client.release(broken)
  }
}

const TAKE = `
  DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE name = ANY($1) ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)
  RETURNING name, payload, greatest(ceil(extract(epoch FROM due_at - clock_timestamp()) * 1000), 0)::float8 AS delay_ms`

/** A bell that is heard even when it rang before the waiting began. */
function makeBell() {
  let rang = false
  let wake = () => {}
  return {
    ring() {
      rang = true
      wake()
    },
    async wait(ms: number): Promise<void> {
      if (!rang) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      rang = false
      wake = () => {}
    },
  }
}
