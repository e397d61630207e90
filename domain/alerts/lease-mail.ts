import { setTimeout as pause } from 'node:timers/promises'
import type { ScopedTx } from '#domain/access/scope.ts'
import { MAIL_ATTEMPTS_MAX } from '#domain/alerts/mail-schedule.ts'
import { mayReceive } from '#domain/alerts/may-receive.ts'
import type { App } from '#domain/app.ts'
import type { TierId } from '#domain/closed-sets.ts'
import { CLOCKS_APART_MS } from '#domain/engines/clock.ts'
import { MAIL_DEADLINE_MS } from '#domain/engines/mail.ts'
import { ABANDONED_AFTER_MS } from '#domain/engines/pool.ts'
import { stageEach } from '#domain/kernel/outbox.ts'

/** A lease that outlives an SMTP dialogue up to the end of the mail by this much belongs to a worker that died or stalled, and whose transaction is gone. */
const LEASE_MS = MAIL_DEADLINE_MS + ABANDONED_AFTER_MS

/** A mail that only this worker may send until the lease ends. */
export interface LeasedMail {
  id: string
  lease: string
  attempts: number
  team_id: string
  rule_id: string
  email: string
  exposure_ids: number[]
  team_name: string
  subscription: { plan: TierId; trial_ends_at: Date | null; lapsed_at: Date | null; limit_overrides: unknown }
  /** Null if the rule is gone. */
  rule_name: string | null
  active: boolean
  /** The rule's quiet hours in the time zone of the team; null if it has none. */
  quiet_from: string | null
  quiet_until: string | null
  timezone: string
  /** Whether the recipient is still in the rule, has not left, and is in the team or confirmed. */
  receives: boolean
}

/**
 * Leases a mail that is due. Returns null if it is not due, is done, is leased by another worker, or if a person is being
 * erased from its content. If a worker stopped while it was sending the end of the mail, the server may already have it: the
 * row records that before the mail is sent again.
 *
 * The job of a retry, or of the end of quiet hours, is the only one until the sweep: if it runs slightly early, it waits.
 */
export async function leaseMail(app: Pick<App, 'pool' | 'clock'>, mail_id: string): Promise<LeasedMail | null> {
  const now = app.clock.now()
  const leased = await leaseDue(app, mail_id, now)
  if (leased) return leased
  const early_ms = await readEarly(app, mail_id, now)
  if (early_ms <= 0 || early_ms > CLOCKS_APART_MS) return null
  await pause(Math.ceil(early_ms))
  return leaseDue(app, mail_id, app.clock.now())
}

/** Returns the milliseconds until the mail is due; 0 if there is no such mail, negative if it was due before. */
async function readEarly({ pool }: Pick<App, 'pool'>, mail_id: string, now: Date): Promise<number> {
  const { rows } = await pool.query<{ early_ms: number }>({
    name: 'alert.early',
    text: 'SELECT (extract(epoch FROM send_after - $2::timestamptz) * 1000)::float8 AS early_ms FROM alert_mails WHERE id = $1',
    values: [mail_id, now],
  })
  return rows[0]?.early_ms ?? 0
}

async function leaseDue({ pool }: Pick<App, 'pool'>, mail_id: string, now: Date): Promise<LeasedMail | null> {
  const { rows } = await pool.query<Omit<LeasedMail, 'subscription'> & LeasedMail['subscription']>({
    name: 'alert.lease',
    text: LEASE,
    values: [mail_id, now, new Date(now.getTime() + LEASE_MS)],
  })
  const [row] = rows
  if (!row) return null
  const { plan, trial_ends_at, lapsed_at, limit_overrides, ...mail } = row
  return { ...mail, subscription: { plan, trial_ends_at, lapsed_at, limit_overrides } }
}

/** SQL condition: the mail has not reached its end, so it may still be sent. */
export const NOT_ENDED = `status IN ('queued', 'sending', 'retrying')`

const LEASE = `
  WITH leased AS (
    UPDATE alert_mails
       SET lease_token = gen_random_uuid(), leased_until = $3::timestamptz, attempts = attempts + 1,
           maybe_repeated = maybe_repeated OR status = 'sending', status = CASE status WHEN 'sending' THEN 'retrying' ELSE status END
     WHERE id = (SELECT id FROM alert_mails
                  WHERE id = $1::uuid AND ${NOT_ENDED} AND send_after <= $2::timestamptz AND (leased_until IS NULL OR leased_until < $2::timestamptz)
                    AND attempts < ${MAIL_ATTEMPTS_MAX} FOR UPDATE SKIP LOCKED)
    RETURNING *)
  SELECT m.id, m.lease_token AS lease, m.attempts, m.team_id, m.rule_id, m.email, m.exposure_ids, t.name AS team_name, t.timezone,
         t.plan, t.trial_ends_at, t.lapsed_at, t.limit_overrides, r.name AS rule_name, coalesce(r.active, false) AS active, r.quiet_from, r.quiet_until,
         EXISTS (SELECT FROM alert_recipients a WHERE a.rule_id = m.rule_id AND a.email = m.email AND a.stopped_at IS NULL AND ${mayReceive('a')}) AS receives
    FROM leased m JOIN teams t ON t.id = m.team_id LEFT JOIN alert_rules r ON r.id = m.rule_id`

/**
 * Ends the leases of a team's mails that are not yet being sent and blocks new ones until the transaction ends: workers neither
 * write nor send what they read before. Attempts under way do not count and are repeated at once. A mail whose end is being
 * sent keeps its lease: its row already has the final content.
 */
export async function endMailLeases(tx: ScopedTx, team_id: string, now: Date): Promise<void> {
  const ended = await tx.$queryRaw<{ id: string; due: boolean }[]>`
    UPDATE alert_mails SET attempts = attempts - (lease_token IS NOT NULL AND status <> 'sending')::int, lease_token = NULL, leased_until = NULL
     WHERE team_id = ${team_id}::uuid AND (status IN ('queued', 'retrying') OR status = 'sending' AND leased_until < ${now})
    RETURNING id, send_after <= ${now} AS due`
  const jobs = ended.filter(({ due }) => due).map(({ id }) => ({ mail_id: id }))
  await stageEach(tx, 'alert.send', jobs)
}

/** Seconds after its due time at which a mail without a lease counts as having lost its job. */
const LOST_AFTER_S = 60
/** Mails that one sweep stages: the next sweep follows within seconds. */
const DUE_MAILS_MAX = 500

/** Returns due mails that may have no job left. */
export async function findDueMails({ pool, clock }: Pick<App, 'pool' | 'clock'>): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({ name: 'alert.due', text: DUE, values: [clock.now(), DUE_MAILS_MAX] })
  return rows.map(({ id }) => id)
}

const DUE = `
  SELECT id FROM alert_mails
   WHERE ${NOT_ENDED} AND attempts < ${MAIL_ATTEMPTS_MAX}
     AND CASE WHEN leased_until IS NULL THEN send_after < $1::timestamptz - make_interval(secs => ${LOST_AFTER_S}) ELSE leased_until < $1::timestamptz END
   ORDER BY send_after LIMIT $2`
