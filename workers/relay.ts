import type { App } from '#domain/app.ts'
import { listen } from '#domain/engines/notices.ts'
import type { Traces } from '#domain/engines/traces.ts'
import { type BuiltJob, builtJobs } from '#workers/jobs.ts'
import type { JobQueue, QueueEntry } from '#workers/queue.ts'
import type { QueueFallback } from '#workers/queue-fallback.ts'
import { teamOfPayload } from '#workers/team-of-payload.ts'
import { Turns } from '#workers/turns.ts'

/** Rows handed over in one transaction: short enough that a lost connection repeats little. */
const BATCH = 100
/** The outbox is looked at so often even when no notice comes: a notice may be lost with its connection. */
const LOOK_EVERY_MS = 1000
/** The queue is asked so often at most how far the turns of teams have come. */
const ASK_TURNS_EVERY_MS = 250

/**
 * Carries staged jobs to the queue from the moment their transaction commits. Any number of relays share the outbox.
 * A crash between handing over and commit hands over again: jobs judge for themselves what is left to do.
 * @param openFallback makes what does the jobs while the queue cannot; `ring` has the outbox looked at
 * @param look_every_ms longer in tests of the notices, which must not be mistaken for a look
 */
export function startRelay(
  app: Pick<App, 'pool' | 'log' | 'config' | 'traces'>,
  queue: Pick<JobQueue, 'add' | 'nextTurn'>,
  openFallback: ((ring: () => void) => QueueFallback) | null = null,
  look_every_ms = LOOK_EVERY_MS,
): { stop(): Promise<void> } {
  const bell = makeBell()
  const fallback = openFallback?.(bell.ring)
  const listening = listen(app.config.database_direct_url, 'outbox', 'weather relay', { notice: bell.ring, began: bell.ring })
  const turns = new Turns()
  const followTurns = turnsFollower(queue, turns)
  let stopped = false
  const running = (async () => {
    void followTurns(builtJobs)
    while (!stopped) {
      void followTurns(turns.counted())
      const moved = await (fallback?.needed() ? fallback.take() : relayBatch(app, queue, turns)).catch((fault: Error) => {
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
      await listening.close()
      await fallback?.idle()
    },
  }
}

/**
 * Asks the queue how far the turns at these jobs have come; not again while it is asked or was just asked. Nobody waits for it: a
 * queue that is away says nothing, and turns given meanwhile are only less even.
 */
function turnsFollower(queue: Pick<JobQueue, 'nextTurn'>, turns: Turns) {
  let asked_at = Number.NEGATIVE_INFINITY
  let asking = false
  return async (names: readonly BuiltJob[]): Promise<void> => {
    if (asking || performance.now() - asked_at < ASK_TURNS_EVERY_MS) return
    asking = true
    asked_at = performance.now()
    await Promise.all(names.map(async (name) => turns.heard(name, await queue.nextTurn(name)))).catch(() => {})
    asking = false
  }
}

/** Moves up to a hundred rows; they leave the outbox exactly when the queue has taken them. Answers how many. */
export async function relayBatch(
  { pool, traces }: Pick<App, 'pool' | 'traces'>,
  queue: Pick<JobQueue, 'add'>,
  turns: Turns,
): Promise<number> {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    // Rows that a crash of the server brings back are handed over again.
    await client.query('BEGIN; SET LOCAL synchronous_commit = off')
    const { rows } = await client.query<StagedRow>({ name: 'take_outbox', text: TAKE, values: [builtJobs, BATCH] })
    const inOrder = rows.sort((one, other) => one.id - other.id)
    if (rows.length > 0)
      await queue.add(
        inOrder.map(({ id, team_id, created_at, ...entry }) => ({
          ...entry,
          turn: turns.take({ ...entry, team_id }),
          traceparent: handedOver(traces, entry, created_at),
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

/** The place of a job in its trace, behind the time that it lay in the outbox; null where it has none. */
function handedOver(traces: Traces | null, { name, traceparent: parent = null }: QueueEntry, began: Date): string | null {
  if (!traces || !parent) return parent
  const span = traces.begin(`outbox ${name}`, 'producer', { parent, began, facts: { 'weather.job': name } })
  span.end()
  return span.traceparent
}

// As an array, which is made once: planned as a join, the inner question may be asked again, and takes more than its limit.
const TAKE = `
  DELETE FROM outbox WHERE id = ANY (ARRAY(SELECT id FROM outbox WHERE name = ANY($1) ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED))
  RETURNING id::float8, ${teamOfPayload('payload')} AS team_id, name, payload, traceparent, created_at,
         greatest(ceil(extract(epoch FROM due_at - clock_timestamp()) * 1000), 0)::float8 AS delay_ms`

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
