import { expect } from 'vitest'
import type { Processes } from './processes.ts'

type QueryProcesses = Pick<Processes, 'query'>

/**
 * Expects what must be true after any fault: no invariant is broken, and each event has exactly one delivery row
 * for each subscribed destination.
 */
export async function expectConsistent({ query }: QueryProcesses): Promise<void> {
  expect(await query('SELECT * FROM invariant_violations')).toEqual([])
  expect(await query(NOT_ONCE)).toEqual([])
}

/**
 * Events that do not appear exactly once in the ledger of a destination that subscribes to them and was registered
 * before them. The margin is one second: a destination that is being registered while the event is emitted may or
 * may not get it.
 */
const NOT_ONCE = `
  SELECT e.id AS event_id, e.name, i.id AS integration_id, count(d.id)::int AS rows
    FROM events e
    JOIN integrations i ON i.team_id = e.team_id AND e.name = ANY (i.events) AND i.active AND i.created_at < e.created_at - interval '1 second'
    LEFT JOIN deliveries d ON d.event_id = e.id AND d.integration_id = i.id AND d.kind = 'event'
   GROUP BY e.id, i.id HAVING count(d.id) <> 1`

/** Counts of requested work that is not finished. */
export interface Waiting {
  pending: number
  unprinted: number
  undelivered: number
}

async function waitingIn({ query }: QueryProcesses): Promise<Waiting> {
  const [waiting] = await query<Waiting & Record<string, number>>(`
    SELECT (SELECT count(*)::int FROM reports WHERE status = 'pending') AS pending,
           (SELECT count(*)::int FROM reports WHERE status = 'complete' AND pdf_status IS NULL AND plan_tier <> 'free') AS unprinted,
           (SELECT count(*)::int FROM deliveries WHERE status IN ('queued', 'retrying')) AS undelivered`)
  return waiting as Waiting
}

const LOOK_EVERY_MS = 500

/**
 * Waits until all requested work is finished, and returns how many milliseconds that took. Deliveries that wait for
 * their next attempt are made due at once, because the retry schedule has a test of its own.
 * @throws Error if work is still waiting after `within_ms`
 */
export async function waitForIdle(
  processes: QueryProcesses,
  within_ms: number,
  of: readonly (keyof Waiting)[] = ['pending', 'unprinted', 'undelivered'],
): Promise<number> {
  const startedAt = performance.now()
  for (;;) {
    const waiting = await waitingIn(processes).catch(() => null)
    const took = Math.round(performance.now() - startedAt)
    if (waiting && of.every((kind) => waiting[kind] === 0)) return took
    if (took > within_ms) throw new Error(`after ${took} ms there still wait: ${JSON.stringify(waiting)}`)
    await processes
      .query(`UPDATE deliveries SET next_attempt_at = now()
               WHERE status IN ('queued', 'retrying') AND next_attempt_at > now() AND (leased_until IS NULL OR leased_until < now())`)
      .catch(() => {})
    await new Promise((later) => setTimeout(later, LOOK_EVERY_MS))
  }
}
