import type { App } from '#domain/app.ts'
import type { Tx } from '#domain/engines/database.ts'
import { openSealed } from '#domain/engines/sealed.ts'
import type { BuiltBody } from '#domain/integrations/build-body.ts'
import type { Leased } from '#domain/integrations/lease.ts'
import type { Outcome } from '#domain/integrations/post.ts'
import { ATTEMPTS_MAX, HTTP_GONE, holdSeconds, nextAttempt } from '#domain/integrations/schedule.ts'
import { stageDurable } from '#domain/kernel/durable-jobs.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { stage } from '#domain/kernel/outbox.ts'

/**
 * A destination that was active for this long and received nothing is switched off when a delivery fails for good, or when its
 * receiver has asked for pauses all the time. Without a post it stays on.
 */
export const SILENCE_MS = 5 * DAY_MS
/** A hold that ended longer ago than this is over, even if nothing has arrived since: nothing was waiting, so nothing was posted. */
const HOLD_OVER_MS = DAY_MS

/** The recorded outcome of an attempt; `late` if its lease had ended and nothing was written. */
export type Recorded = 'sent' | 'retrying' | 'failed' | 'skipped' | 'late'

/**
 * Records the outcome of an attempt, only under its lease, and what it means for the destination. A retry gets a job for its
 * time. A receiver that asks for a pause gets it from every delivery. A failure at an address that the destination no longer has
 * does not count against it, and the delivery goes to the new address at once.
 * @param kept the body to store in the ledger
 */
export async function recordOutcome(app: App, leased: Leased, outcome: Outcome, kept: BuiltBody['kept'] | null): Promise<Recorded> {
  const now = app.clock.now()
  return app.db.$transaction(async (tx) => {
    const destination = outcome.failure === null ? null : await lockDestination(app, tx, leased)
    const addressChanged = destination?.same_address === false
    const retryAt = outcome.failure === null ? null : retryTime(leased.attempts, outcome, addressChanged, now)
    const status = outcome.failure === null ? 'sent' : retryAt ? 'retrying' : 'failed'
    const ended = { response_code: outcome.status, failure_reason: outcome.failure, next_attempt_at: retryAt, ...kept }
    const timestamps = { ...(status === 'sent' && { sent_at: now }), ...(status === 'failed' && { failed_at: now }) }
    if (!(await endLease(tx, leased, { status, ...ended, ...timestamps }))) return 'late'
    const id = leased.integration_id
    if (retryAt) await stage(tx, 'delivery.send', { delivery_id: leased.id }, retryAt)
    if (status === 'sent') {
      await tx.integration.updateMany({ where: { id }, data: { last_sent_at: now, failure_streak: 0 } })
      await endHold(tx, leased)
    } else if (!addressChanged) {
      if (destination) await hold(tx, leased, { outcome, destination, retryAt, now })
      await recordFailure(tx, id, outcome, status === 'failed', now)
      // The attempts of a destination that is held are spread over its deliveries: for weeks, none may be the last of one.
      const since = destination && continuesHold(destination, now) ? destination.held_since : null
      if (since && since.getTime() < now.getTime() - SILENCE_MS) await switchOffIfSilent(tx, id, outcome, now)
    }
    return status
  })
}

interface LockedDestination {
  /** Whether its address is still the one of the attempt. */
  same_address: boolean
  held_until: Date | null
  hold_count: number
  /** When the first of these holds began. */
  held_since: Date | null
}

/**
 * Locks and reads the destination of an attempt; null if it was removed. The delivery is locked before it, in the same order as
 * when waiting deliveries are skipped.
 */
async function lockDestination(
  app: Pick<App, 'config'>,
  tx: Tx,
  { id, integration_id, url_encrypted: posted }: Leased,
): Promise<LockedDestination | null> {
  await tx.$queryRaw`SELECT FROM deliveries WHERE id = ${id}::uuid FOR UPDATE`
  const [destination] = await tx.$queryRaw<(Omit<LockedDestination, 'same_address'> & { url_encrypted: Uint8Array })[]>`
    SELECT url_encrypted, held_until, hold_count, held_since
      FROM integrations WHERE id = ${integration_id}::uuid FOR NO KEY UPDATE`
  if (!destination) return null
  const { url_encrypted, ...held } = destination
  return { ...held, same_address: isSameAddress(app, integration_id, posted, url_encrypted) }
}

/** The same address may meanwhile have been sealed again, under another secret key. */
function isSameAddress(app: Pick<App, 'config'>, integration_id: string, posted: Uint8Array, current: Uint8Array): boolean {
  if (Buffer.compare(posted, current) === 0) return true
  const [one, other] = [posted, current].map((sealed) => openSealed(app, sealed, `url ${integration_id}`)?.text)
  return one !== undefined && one === other
}

/**
 * Holds the destination as long as its receiver asks for, and stages a job for the end of the hold unless the delivery itself has
 * one for then. Of attempts that were under way together, the longest pause counts, and as one.
 */
async function hold(
  tx: Tx,
  { id: delivery_id, integration_id: id, held_until }: Leased,
  { outcome, destination, retryAt, now }: { outcome: Outcome; destination: LockedDestination; retryAt: Date | null; now: Date },
): Promise<void> {
  const continues = continuesHold(destination, now)
  const isFirst = destination.held_until?.getTime() === held_until?.getTime()
  const holds = continues ? Math.max(destination.hold_count + (isFirst ? 1 : 0), 1) : 1
  const seconds = holdSeconds(outcome, holds - 1, now)
  const until = new Date(now.getTime() + 1000 * seconds)
  if (seconds === 0 || (destination.held_until && destination.held_until >= until)) return
  await tx.integration.updateMany({
    where: { id },
    data: { held_until: until, hold_count: holds, held_since: (continues && destination.held_since) || now },
  })
  if (retryAt?.getTime() !== until.getTime()) await stage(tx, 'delivery.send', { delivery_id }, until)
}

/** Whether an attempt that fails now follows the last hold of its destination, or comes after a time in which nothing was posted. */
function continuesHold({ held_until }: LockedDestination, now: Date): boolean {
  return held_until !== null && held_until.getTime() > now.getTime() - HOLD_OVER_MS
}

/** The columns of a destination that is not held. */
export const NOT_HELD = { held_until: null, hold_count: 0, held_since: null }

/** Ends the hold that was over when the delivery was leased. A post that was sent before a hold says nothing about it. */
async function endHold(tx: Tx, { integration_id: id, held_until }: Leased): Promise<void> {
  if (held_until) await tx.integration.updateMany({ where: { id, held_until }, data: NOT_HELD })
}

function retryTime(attempts: number, outcome: Outcome, addressChanged: boolean, now: Date): Date | null {
  return addressChanged && attempts < ATTEMPTS_MAX ? now : nextAttempt(attempts, outcome, now, Math.random())
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
  const updated = await tx.delivery.updateMany({
    where: { id, lease_token: lease, status: { in: ['queued', 'retrying'] } },
    data: { ...data, lease_token: null, leased_until: null },
  })
  return updated.count === 1
}

/** Records a failed attempt on the destination, and switches the destination off if it is gone or has been silent too long. */
export async function recordFailure(
  tx: Tx,
  id: string,
  { failure, status }: Pick<Outcome, 'failure' | 'status'>,
  isFinal: boolean,
  now: Date,
): Promise<void> {
  await tx.integration.updateMany({
    where: { id },
    data: { last_failed_at: now, last_failure: failure, ...(isFinal && { failure_streak: { increment: 1 } }) },
  })
  if (isFinal) await switchOffIfSilent(tx, id, { failure, status }, now)
}

async function switchOffIfSilent(tx: Tx, id: string, { failure, status }: Pick<Outcome, 'failure' | 'status'>, now: Date): Promise<void> {
  const silentBefore = new Date(now.getTime() - SILENCE_MS)
  const silentCondition = {
    AND: [
      { OR: [{ last_sent_at: { lt: silentBefore } }, { last_sent_at: null, created_at: { lt: silentBefore } }] },
      // While it was inactive, nothing could arrive.
      { OR: [{ activated_at: null }, { activated_at: { lt: silentBefore } }] },
    ],
  }
  const why =
    status === HTTP_GONE ? 'The destination answered 410: it is gone for good.' : `${failure} Nothing arrived there for five days.`
  const switchedOff = await tx.integration.updateMany({
    where: { id, active: true, ...(status !== HTTP_GONE && silentCondition) },
    data: { active: false, switched_off_at: now, switched_off_for: why, acknowledged_at: null },
  })
  if (switchedOff.count === 1) await stageDurable(tx, 'integration.switched_off', { integration_id: id })
}
