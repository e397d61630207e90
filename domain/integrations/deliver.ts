import type { App } from '#domain/app.ts'
import { type BuiltBody, buildBody } from '#domain/integrations/build-body.ts'
import { findDue, findNext, type Leased, lease, leaseNext } from '#domain/integrations/lease.ts'
import { causeOf, post, unprepared } from '#domain/integrations/post.ts'
import { type Recorded, recordFailure, recordOutcome, recordSkipped } from '#domain/integrations/record-outcome.ts'
import { ATTEMPTS_MAX } from '#domain/integrations/schedule.ts'
import { stage, stageEach } from '#domain/kernel/outbox.ts'
import { inSpan } from '#domain/kernel/trace.ts'

/** How long one job continues with other due deliveries of its destination: as long as a queue's job should last. */
const BATCH_TIME_MS = 20_000

/**
 * Sends a delivery if it is due and its destination has room, then other due deliveries of the same destination. Delivery is at
 * least once. An attempt's outcome is written only under its lease, so a worker that wakes after its lease has ended changes
 * nothing.
 * @param stop aborted when the process stops: the other deliveries are left to other workers
 */
export async function deliver(app: App, delivery_id: string, stop?: AbortSignal): Promise<void> {
  const until = Date.now() + BATCH_TIME_MS
  let leased = await lease(app, delivery_id)
  while (leased) {
    const stopTimer = app.metrics.deliveries.startTimer({ channel: leased.channel })
    stopTimer({ outcome: await tracedAttempt(app, leased) })
    if (stop?.aborted || Date.now() >= until) return stageNext(app, leased.integration_id)
    leased = await leaseNext(app, leased.integration_id)
  }
}

/**
 * Traces the attempt as part of the trace that emitted its event. The job that sends it is only linked, because it also sends
 * deliveries of other events.
 */
function tracedAttempt(app: App, leased: Leased): Promise<Recorded> {
  const { id, event, channel, attempts, team_id, traceparent: parent } = leased
  const ids = { 'weather.delivery_id': id, 'weather.team_id': team_id }
  const facts = { ...ids, 'weather.event': event, 'weather.channel': channel, 'weather.attempt': attempts }
  return inSpan('delivery attempt', { facts, parent }, async (note) => {
    const outcome = await attempt(app, leased)
    note({ 'weather.outcome': outcome })
    return outcome
  })
}

async function attempt(app: App, leased: Leased): Promise<Recorded> {
  let built: BuiltBody | null
  try {
    built = await buildBody(app, leased)
  } catch (fault) {
    return recordOutcome(app, leased, unprepared(app, leased.id, fault, `its body could not be built (${causeOf(fault)})`), null)
  }
  if (!built) return recordSkipped(app, leased, 'The property was removed before this was sent.')
  const { id: delivery_id, event } = leased
  return recordOutcome(app, leased, await post(app, leased, { delivery_id, event, body: built.body }), built.kept)
}

/** Stages a new job, with a new time limit, for the next due delivery of the destination. */
async function stageNext(app: App, integration_id: string): Promise<void> {
  const delivery_id = await findNext(app, integration_id)
  if (delivery_id) await stage(app.db, 'delivery.send', { delivery_id })
}

/**
 * Stages due deliveries that may have no job left: a few of each destination, whose jobs continue with the rest.
 * @returns how many were staged
 */
export async function stageDueDeliveries(app: App): Promise<number> {
  const due = await findDue(app)
  const jobs = due.map((delivery_id) => ({ delivery_id }))
  await stageEach(app.db, 'delivery.send', jobs)
  return due.length
}

const NEVER_ENDED = `The worker stopped during the last of ${ATTEMPTS_MAX} attempts.`

/**
 * Marks deliveries as failed if all attempts are used and the last one never reported back: a post that crashes its worker does
 * so ten times at most.
 */
export async function failExhaustedDeliveries(app: App): Promise<void> {
  const now = app.clock.now()
  await app.db.$transaction(async (tx) => {
    const exhausted = await tx.$queryRawUnsafe<{ integration_id: string }[]>(FAIL_EXHAUSTED, now, NEVER_ENDED)
    for (const { integration_id } of exhausted) await recordFailure(tx, integration_id, { failure: NEVER_ENDED, status: null }, true, now)
  })
}

/**
 * $1: now. Worded like the partial index of deliveries under way. It skips locked deliveries, and returns the destinations in
 * the order of their ids, in which they are locked next: otherwise two concurrent sweeps could deadlock.
 */
export const FAIL_EXHAUSTED = `
  WITH given_up AS (
    UPDATE deliveries
       SET status = 'failed', failed_at = $1::timestamptz, failure_reason = $2, next_attempt_at = NULL, lease_token = NULL, leased_until = NULL
     WHERE id = ANY (ARRAY(
       SELECT id FROM deliveries
        WHERE status IN ('queued', 'retrying') AND leased_until IS NOT NULL AND leased_until < $1::timestamptz AND attempts >= ${ATTEMPTS_MAX}
          FOR UPDATE SKIP LOCKED))
    RETURNING integration_id)
  SELECT integration_id FROM given_up ORDER BY integration_id`
