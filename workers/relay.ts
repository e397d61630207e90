import type { App } from '#domain/app.ts'
import { listen } from '#domain/engines/notices.ts'
import type { Traces } from '#domain/engines/traces.ts'
import { type BuiltJob, builtJobs } from '#workers/jobs.ts'
import type { JobQueue, QueueEntry } from '#workers/queue.ts'
import type { QueueFallback } from '#workers/queue-fallback.ts'
import { teamOfPayload } from '#workers/team-of-payload.ts'
import { openTurns, type Turns } from '#workers/turns.ts'

/** Rows moved in one transaction: few enough that a lost connection repeats little. */
const BATCH = 100
/** Polling interval of the outbox. A notification may be lost with its connection. */
const POLL_INTERVAL_MS = 1000
/** Shortest interval between queries for the current turns. */
const TURNS_REFRESH_MS = 250

/**
 * Moves staged jobs to the queue as soon as their transaction commits. Any number of relays can share the outbox.
 * After a crash between adding and commit, jobs are added again; each job decides what is left to do.
 * @param openFallback opens the fallback that runs jobs while the queue cannot; `wake` triggers a look at the outbox
 * @param poll_interval_ms longer in tests of notifications, so that polling does not hide a missing one
 */
export function startRelay(
  app: Pick<App, 'pool' | 'log' | 'config' | 'traces'>,
  queue: Pick<JobQueue, 'add' | 'nextTurn'>,
  openFallback: ((wake: () => void) => QueueFallback) | null = null,
  poll_interval_ms = POLL_INTERVAL_MS,
): { stop(): Promise<void> } {
  const signal = openSignal()
  const fallback = openFallback?.(signal.wake)
  const listening = listen(app.config.database_direct_url, 'outbox', 'weather relay', { notice: signal.wake, started: signal.wake })
  const turns = openTurns()
  const refreshTurns = turnsRefresher(queue, turns)
  let stopped = false
  const running = (async () => {
    void refreshTurns(builtJobs)
    while (!stopped) {
      void refreshTurns(turns.counted())
      const moved = await (fallback?.needed() ? fallback.take() : relayBatch(app, queue, turns)).catch((fault: Error) => {
        app.log.warn({ reason: fault.message }, 'staged jobs could not be added to the queue')
        return 0
      })
      if (moved < BATCH && !stopped) await signal.wait(poll_interval_ms)
    }
  })()
  return {
    async stop() {
      stopped = true
      signal.wake()
      await running
      await listening.close()
      await fallback?.idle()
    },
  }
}

/**
 * Queries the queue for the current turns of these jobs, unless a query is running or recent. Nothing waits for the result: without it,
 * the turns given meanwhile are only less even.
 */
function turnsRefresher(queue: Pick<JobQueue, 'nextTurn'>, turns: Turns) {
  let queriedAt = Number.NEGATIVE_INFINITY
  let isQuerying = false
  return async (names: readonly BuiltJob[]): Promise<void> => {
    if (isQuerying || performance.now() - queriedAt < TURNS_REFRESH_MS) return
    isQuerying = true
    queriedAt = performance.now()
    await Promise.all(names.map(async (name) => turns.recordNext(name, await queue.nextTurn(name)))).catch(() => {})
    isQuerying = false
  }
}

/** Moves up to a hundred rows and returns their number. Rows leave the outbox only after the queue has accepted them. */
export async function relayBatch(
  { pool, traces }: Pick<App, 'pool' | 'traces'>,
  queue: Pick<JobQueue, 'add'>,
  turns: Turns,
): Promise<number> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    // Rows that reappear after a crash of the server are moved again.
    await client.query('BEGIN; SET LOCAL synchronous_commit = off')
    const { rows } = await client.query<StagedRow>({ name: 'take_outbox', text: TAKE, values: [builtJobs, BATCH] })
    const inOrder = rows.sort((one, other) => one.id - other.id)
    if (rows.length > 0)
      await queue.add(
        inOrder.map(({ id, team_id, created_at, ...entry }) => ({
          ...entry,
          turn: turns.take({ ...entry, team_id }),
          traceparent: outboxTraceparent(traces, entry, created_at),
        })),
      )
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

interface StagedRow extends QueueEntry {
  id: number
  team_id: string | null
  created_at: Date
}

/** Returns the trace context of a job, after a span for its time in the outbox; null if it has none. */
function outboxTraceparent(traces: Traces | null, { name, traceparent: parent = null }: QueueEntry, stagedAt: Date): string | null {
  if (!traces || !parent) return parent
  const span = traces.begin(`outbox ${name}`, 'producer', { parent, started_at: stagedAt, facts: { 'weather.job': name } })
  span.end()
  return span.traceparent
}

// The array is evaluated once. As a join, the planner may evaluate the subquery repeatedly and take more rows than its limit.
const TAKE = `
  DELETE FROM outbox WHERE id = ANY (ARRAY(SELECT id FROM outbox WHERE name = ANY($1) ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED))
  RETURNING id::float8, ${teamOfPayload('payload')} AS team_id, name, payload, traceparent, created_at,
         greatest(ceil(extract(epoch FROM due_at - clock_timestamp()) * 1000), 0)::float8 AS delay_ms`

/** Opens a signal that ends a wait, also the next one if none is under way. */
function openSignal() {
  let isSet = false
  let endWait = () => {}
  return {
    wake() {
      isSet = true
      endWait()
    },
    async wait(ms: number): Promise<void> {
      if (!isSet) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, ms)
          endWait = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      }
      isSet = false
      endWait = () => {}
    },
  }
}
