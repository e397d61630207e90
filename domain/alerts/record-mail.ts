import type { LeasedMail } from '#domain/alerts/lease-mail.ts'
import { MAIL_ATTEMPTS_MAX, MAIL_RETRY_DELAYS_SECONDS } from '#domain/alerts/mail-schedule.ts'
import type { App } from '#domain/app.ts'
import type { RawTx } from '#domain/engines/database.ts'
import { MAIL_RESPONSE_MS } from '#domain/engines/mail.ts'
import { ABANDONED_AFTER_MS } from '#domain/engines/pool.ts'
import { stage } from '#domain/kernel/outbox.ts'

/** Why an attempt failed. */
export interface MailFailure {
  reason: string
  /** The server rejected the recipient or the mail permanently: no further attempt follows. */
  final: boolean
  /** The end of the mail was sent and the server did not respond: it may have the mail. */
  maybe_sent: boolean
}

type Leased = Pick<LeasedMail, 'id' | 'lease' | 'attempts'>

/** As long as the lease of a dialogue, but for the response to the end of a mail, which may take longer. */
const SENDING_LEASE_MS = MAIL_RESPONSE_MS + ABANDONED_AFTER_MS

/**
 * Records, only under the lease, that the end of the mail is about to be sent, and extends the lease until its response.
 * @throws Error if the lease has ended: another worker may have the mail
 */
export async function recordSending({ pool, clock }: Pick<App, 'pool' | 'clock'>, { id, lease }: Leased, subject: string): Promise<void> {
  const now = clock.now()
  const values = [id, lease, now, subject, new Date(now.getTime() + SENDING_LEASE_MS)]
  const { rowCount } = await pool.query({ name: 'alert.sending', text: SENDING, values })
  if (rowCount !== 1) throw new Error('the lease of the mail has ended')
}

const SENDING = `
  UPDATE alert_mails SET status = 'sending', subject = $4, leased_until = $5 WHERE id = $1 AND lease_token = $2 AND leased_until > $3`

/** Records that the mail server has accepted the mail, and which storm days it named, in their order: some may have gone since it was queued. */
export async function recordSent(app: Pick<App, 'pool' | 'clock'>, leased: Leased, exposure_ids: number[]): Promise<void> {
  const values = [app.clock.now(), exposure_ids]
  await endLease(app, leased, `status = 'sent', failure_reason = NULL, sent_at = $3, exposure_ids = $4::int[]`, values)
}

/** Records that there is nothing to send, or no recipient. */
export async function recordSkipped(app: Pick<App, 'pool'>, leased: Leased, why: string): Promise<void> {
  await endLease(app, leased, `status = 'skipped', failure_reason = $3`, [why])
}

/** Records a failed attempt. Schedules the next attempt with a job for its time, or marks the mail as failed. */
export async function recordFailure(
  app: Pick<App, 'db' | 'pool' | 'clock'>,
  leased: Leased,
  { reason, final, maybe_sent }: MailFailure,
): Promise<void> {
  const wait = final ? undefined : MAIL_RETRY_DELAYS_SECONDS[leased.attempts - 1]
  const now = app.clock.now()
  if (wait === undefined)
    return endLease(app, leased, `status = 'failed', failure_reason = $3, failed_at = $4, maybe_repeated = maybe_repeated OR $5`, [
      reason,
      now,
      maybe_sent,
    ])
  const retryAt = new Date(now.getTime() + wait * 1000)
  await app.db.$transaction(async (tx: RawTx) => {
    const updated = await tx.$executeRaw`
      UPDATE alert_mails SET status = 'retrying', failure_reason = ${reason}, send_after = ${retryAt}, maybe_repeated = maybe_repeated OR ${maybe_sent},
             lease_token = NULL, leased_until = NULL
       WHERE id = ${leased.id}::uuid AND lease_token = ${leased.lease}::uuid`
    if (updated === 1) await stage(tx, 'alert.send', { mail_id: leased.id }, retryAt)
  })
}

/** Records that the mail waits for the end of quiet hours, with a job for that time. Nothing was sent, so no attempt is used. */
export async function recordPostponed(app: Pick<App, 'db'>, leased: Leased, until: Date): Promise<void> {
  await app.db.$transaction(async (tx: RawTx) => {
    const updated = await tx.$executeRaw`
      UPDATE alert_mails SET attempts = attempts - 1, send_after = ${until}, lease_token = NULL, leased_until = NULL
       WHERE id = ${leased.id}::uuid AND lease_token = ${leased.lease}::uuid`
    if (updated === 1) await stage(tx, 'alert.send', { mail_id: leased.id }, until)
  })
}

/** Ends the lease. A worker that wakes after its lease has ended changes nothing. */
async function endLease({ pool }: Pick<App, 'pool'>, { id, lease }: Leased, set: string, values: unknown[]): Promise<void> {
  await pool.query(`UPDATE alert_mails SET ${set}, lease_token = NULL, leased_until = NULL WHERE id = $1 AND lease_token = $2`, [
    id,
    lease,
    ...values,
  ])
}

const NEVER_ENDED = `The worker stopped during the last of ${MAIL_ATTEMPTS_MAX} attempts.`

/**
 * Marks mails as failed if all attempts are used and the last one never reported back: a mail that crashes its worker does so
 * ten times at most.
 */
export async function failExhaustedMails({ pool, clock }: Pick<App, 'pool' | 'clock'>): Promise<void> {
  await pool.query(
    `UPDATE alert_mails SET status = 'failed', failed_at = $1, failure_reason = $2, maybe_repeated = maybe_repeated OR status = 'sending', lease_token = NULL, leased_until = NULL
      WHERE id = ANY (ARRAY(
        SELECT id FROM alert_mails
         WHERE status IN ('queued', 'sending', 'retrying') AND leased_until < $1 AND attempts >= ${MAIL_ATTEMPTS_MAX}
           FOR UPDATE SKIP LOCKED))`,
    [clock.now(), NEVER_ENDED],
  )
}
