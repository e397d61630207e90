import type { App } from '#domain/app.ts'
import type { BuiltBody } from '#domain/integrations/build-body.ts'
import type { Leased } from '#domain/integrations/lease.ts'
import type { Outcome } from '#domain/integrations/post.ts'
import { ATTEMPTS_MAX, nextAttempt } from '#domain/integrations/schedule.ts'
import { stageDurable } from '#domain/kernel/durable-jobs.ts'
import { HOUR_MS } from '#domain/kernel/durations.ts'
import { stage } from '#domain/kernel/outbox.ts'

/** A destination that has received nothing for this long is switched off when another delivery fails. */
export const SILENCE_MS = 120 * HOUR_MS
const GONE = 410

/** The recorded outcome of an attempt; `late` if its lease had ended and nothing was written. */
export type Recorded = 'sent' | 'retrying' | 'failed' | 'skipped' | 'late'

type Tx = Parameters<Parameters<App['db']['$transaction']>[0]>[0]

/**
 * Records the outcome of an attempt, only under its lease, and what it means for the destination. A retry gets a job for its
 * time. A failure at an address that the destination no longer has does not count against it, and the delivery goes to the new
 * address at once.
 * @param kept the body to store in the ledger
 */
export async function recordOutcome(app: App, leased: Leased, outcome: Outcome, kept: BuiltBody['kept'] | null): Promise<Recorded> {
  const now = app.clock.now()
  return app.db.$transaction(async (tx) => {
    const moved = outcome.failure !== null && (await hasMoved(tx, leased))
    const again = outcome.failure === null ? null : againAt(leased.attempts, outcome, moved, now)
    const status = outcome.failure === null ? 'sent' : again ? 'retrying' : 'failed'
    const ended = { response_code: outcome.status, failure_reason: outcome.failure, next_attempt_at: again, ...kept }
    const stamp = { ...(status === 'sent' && { sent_at: now }), ...(status === 'failed' && { failed_at: now }) }
    if (!(await endLease(tx, leased, { status, ...ended, ...stamp }))) return 'late'
    const id = leased.integration_id
    if (again) await stage(tx, 'delivery.send', { delivery_id: leased.id }, again)
    if (status === 'sent') await tx.integration.updateMany({ where: { id }, data: { last_sent_at: now, failure_streak: 0 } })
    else if (!moved) await recordFailure(tx, id, outcome, status === 'failed', now)
    return status
  })
}

/**
 * Whether the destination's address has changed since the attempt. The delivery is locked before the destination, in the same
 * order as when waiting deliveries are skipped.
 */
async function hasMoved(tx: Tx, { id, integration_id, url_encrypted }: Leased): Promise<boolean> {
  await tx.$queryRaw`SELECT FROM deliveries WHERE id = ${id}::uuid FOR UPDATE`
  const [held] = await tx.$queryRaw<{ same: boolean }[]>`
    SELECT url_encrypted = ${url_encrypted} AS same FROM integrations WHERE id = ${integration_id}::uuid FOR NO KEY UPDATE`
  return held?.same === false
}

function againAt(attempts: number, outcome: Outcome, moved: boolean, now: Date): Date | null {
  return moved && attempts < ATTEMPTS_MAX ? now : nextAttempt(attempts, outcome, now, Math.random())
}

/** Records that there is nothing left to send. */
export async function recordSkipped(app: App, leased: Leased, why: string): Promise<Recorded> {
  const data = { status: 'skipped' as const, failure_reason: why, next_attempt_at: null, body: null }
  return (await endLease(app.db, leased, data)) ? 'skipped' : 'late'
}

async function endLease(
  tx: Pick<Tx, 'delivery'>,
  { id, lease }: Leased,
  data: Parameters<Tx['delivery']['updateMany']>[0]['data'],
): Promise<boolean> {
  const kept = await tx.delivery.updateMany({
    where: { id, lease_token: lease, status: { in: ['queued', 'retrying'] } },
    data: { ...data, lease_token: null, leased_until: null },
  })
  return kept.count === 1
}

/** Records a failed attempt on the destination, and switches the destination off if it is gone or has been silent too long. */
export async function recordFailure(
  tx: Tx,
  id: string,
  { failure, status }: Pick<Outcome, 'failure' | 'status'>,
  given_up: boolean,
  now: Date,
): Promise<void> {
  await tx.integration.updateMany({
    where: { id },
    data: { last_failed_at: now, last_failure: failure, ...(given_up && { failure_streak: { increment: 1 } }) },
  })
  if (!given_up) return
  const silent = new Date(now.getTime() - SILENCE_MS)
  const unheard = { OR: [{ last_sent_at: { lt: silent } }, { last_sent_at: null, created_at: { lt: silent } }] }
  const why = status === GONE ? 'The destination answered 410: it is gone for good.' : `${failure} Nothing arrived there for five days.`
  const off = await tx.integration.updateMany({
    where: { id, active: true, ...(status !== GONE && unheard) },
    data: { active: false, switched_off_at: now, switched_off_for: why, acknowledged_at: null },
  })
  if (off.count === 1) await stageDurable(tx, 'integration.switched_off', { integration_id: id })
}
