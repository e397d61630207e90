import type { ScopedTx } from '#domain/access/scope.ts'
import { MAIL_ATTEMPTS_MAX } from '#domain/alerts/mail-schedule.ts'
import { mayReceive } from '#domain/alerts/may-receive.ts'
import type { App } from '#domain/app.ts'
import type { TierId } from '#domain/closed-sets.ts'
import { MAIL_DEADLINE_MS } from '#domain/engines/mail.ts'
import { ABANDONED_AFTER_MS } from '#domain/engines/pool.ts'
import { stageEach } from '#domain/kernel/outbox.ts'

/** A lease that outlives a dialogue by so much was left by a worker that died or stood still, and of whose transaction nothing is left. */
const LEASE_MS = MAIL_DEADLINE_MS + ABANDONED_AFTER_MS

/** A mail that this worker alone may send until its lease ends. */
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
  /** Null where the rule is gone. */
  rule_name: string | null
  active: boolean
  /** Whether the recipient is still of the rule, has not left, and is in the team or confirmed. */
  receives: boolean
}

/**
 * Leases a mail that is due; null where it is not, is done, somebody else has it, or somebody is erased from what it would say. One whose end was on its way when its worker
 * was last heard of may be at the server already: that is noted before it is sent again.
 */
export async function leaseMail({ pool, clock }: Pick<App, 'pool' | 'clock'>, mail_id: string): Promise<LeasedMail | null> {
  const now = clock.now()
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

const UNDER_WAY = `status IN ('queued', 'sending', 'retrying')`

const LEASE = `
  WITH leased AS (
    UPDATE alert_mails
       SET lease_token = gen_random_uuid(), leased_until = $3::timestamptz, attempts = attempts + 1,
           maybe_repeated = maybe_repeated OR status = 'sending', status = CASE status WHEN 'sending' THEN 'retrying' ELSE status END
     WHERE id = (SELECT id FROM alert_mails
                  WHERE id = $1::uuid AND ${UNDER_WAY} AND send_after <= $2::timestamptz AND (leased_until IS NULL OR leased_until < $2::timestamptz)
                    AND attempts < ${MAIL_ATTEMPTS_MAX} FOR UPDATE SKIP LOCKED)
    RETURNING *)
  SELECT m.id, m.lease_token AS lease, m.attempts, m.team_id, m.rule_id, m.email, m.exposure_ids, t.name AS team_name,
         t.plan, t.trial_ends_at, t.lapsed_at, t.limit_overrides, r.name AS rule_name, coalesce(r.active, false) AS active,
         EXISTS (SELECT FROM alert_recipients a WHERE a.rule_id = m.rule_id AND a.email = m.email AND a.stopped_at IS NULL AND ${mayReceive('a')}) AS receives
    FROM leased m JOIN teams t ON t.id = m.team_id LEFT JOIN alert_rules r ON r.id = m.rule_id`

/**
 * Ends every lease under which a mail of a team is made, and lets nobody take one before the transaction ends: what was read before is
 * neither written nor sent. The attempts under way do not count, and are made again at once. A mail whose end is on its way is left to it:
 * its row says already what it says.
 */
export async function endMailLeases(tx: ScopedTx, team_id: string, now: Date): Promise<void> {
  const ended = await tx.$queryRaw<{ id: string; due: boolean }[]>`
    UPDATE alert_mails SET attempts = attempts - (lease_token IS NOT NULL AND status <> 'sending')::int, lease_token = NULL, leased_until = NULL
     WHERE team_id = ${team_id}::uuid AND (status IN ('queued', 'retrying') OR status = 'sending' AND leased_until < ${now})
    RETURNING id, send_after <= ${now} AS due`
  const jobs = ended.filter(({ due }) => due).map(({ id }) => ({ mail_id: id }))
  await stageEach(tx, 'alert.send', jobs)
}

/** Whose job is lost: staged so long ago, seconds. */
const LOST_AFTER_S = 60
/** Taken up by one sweep: the next follows within seconds. */
const TAKEN_UP_AT_ONCE = 500

/** Mails that are due and that no job may be left for. */
export async function findDueMails({ pool, clock }: Pick<App, 'pool' | 'clock'>): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({ name: 'alert.due', text: DUE, values: [clock.now(), TAKEN_UP_AT_ONCE] })
  return rows.map(({ id }) => id)
}

const DUE = `
  SELECT id FROM alert_mails
   WHERE ${UNDER_WAY} AND attempts < ${MAIL_ATTEMPTS_MAX}
     AND CASE WHEN leased_until IS NULL THEN send_after < $1::timestamptz - make_interval(secs => ${LOST_AFTER_S}) ELSE leased_until < $1::timestamptz END
   ORDER BY send_after LIMIT $2`
