import { randomUUID } from 'node:crypto'
import { type AlertConditions, type AlertPlace, matchesRule } from '#domain/alerts/match.ts'
import { mayReceive } from '#domain/alerts/may-receive.ts'
import { type SendTimes, sendTime } from '#domain/alerts/send-time.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import type { WatchSubject } from '#domain/closed-sets.ts'
import type { Tx } from '#domain/engines/database.ts'
import { groupBy } from '#domain/kernel/group-by.ts'
import type { JobName } from '#domain/kernel/outbox.ts'
import { traceparent } from '#domain/kernel/trace.ts'

/** A storm day that is new or has more on record than before. */
export interface AlertedDay {
  exposure_id: number
  place: { id: string; subject: WatchSubject }
  /** The records that the exposure cites, as seen from its place. */
  cited: NearbyRecord[]
}

/** The most storm days in one mail, as many as one event carries. Further ones go into the next mail. */
const DAYS_IN_A_MAIL = 50

/**
 * Queues a mail to each recipient of every rule that a storm day meets for the first time, in the transaction that writes the
 * exposures. A rule matches a storm day once, even if exposures are added to the day later. Days found together share a mail, and so do
 * those that wait for the same morning or the same end of quiet hours. The caller has the team's detection lock, so no other
 * process queues at the same time.
 */
export async function queueAlertMails(
  tx: Tx,
  { id: team_id, timezone }: { id: string; timezone: string },
  days: AlertedDay[],
  now: Date,
): Promise<void> {
  if (days.length === 0) return
  const rules = await tx.$queryRawUnsafe<AlertRuleRow[]>(RULES, team_id)
  if (rules.length === 0) return
  const tags = rules.some(({ tag }) => tag !== null) ? await tagsOf(tx, team_id, days) : new Map<string, string[]>()
  const matches = rules.flatMap((rule) =>
    days
      .filter(({ place, cited }) => matchesRule(rule, placeOf(place, tags), cited))
      .map(({ exposure_id }) => ({ rule_id: rule.id, exposure_id })),
  )
  if (matches.length === 0) return
  const inserted = await tx.$queryRawUnsafe<{ rule_id: string; exposure_id: number }[]>(MATCH, team_id, JSON.stringify(matches), now)
  const newMatchesByRule = groupBy(inserted, ({ rule_id }) => rule_id)
  const mails = rules.flatMap((rule) => {
    const exposure_ids = (newMatchesByRule.get(rule.id) ?? []).map(({ exposure_id }) => exposure_id)
    return exposure_ids.length === 0 ? [] : [{ rule, exposure_ids, send_after: sendTime(rule, now, timezone) }]
  })
  for (const mail of mails) await queueForRule(tx, team_id, mail, now)
}

interface AlertRuleRow extends AlertConditions, SendTimes {
  id: string
  name: string
  recipients: string[]
}

const RULES = `
  SELECT r.id, r.name, r.kinds, r.least_hail_in, r.least_gust_mph, r.greatest_miles, r.evidence, r.tag, r.property_id, r.territory_id,
         r.pace, r.quiet_from, r.quiet_until, ARRAY(
           SELECT a.email FROM alert_recipients a
            WHERE a.rule_id = r.id AND a.stopped_at IS NULL AND ${mayReceive('a')} ORDER BY a.email) AS recipients
    FROM alert_rules r WHERE r.team_id = $1::uuid AND r.active ORDER BY r.id`

/** Does not return pairs that had already matched. */
const MATCH = `
  INSERT INTO alert_matches (team_id, rule_id, exposure_id, created_at)
  SELECT $1::uuid, rule_id, exposure_id, $3 FROM jsonb_to_recordset($2::jsonb) AS met (rule_id uuid, exposure_id int)
  ON CONFLICT DO NOTHING RETURNING rule_id, exposure_id`

async function tagsOf(tx: Tx, team_id: string, days: AlertedDay[]): Promise<Map<string, string[]>> {
  const ids = days.flatMap(({ place }) => (place.subject === 'property' ? [place.id] : []))
  const rows = await tx.$queryRawUnsafe<{ id: string; tags: string[] }[]>(
    'SELECT id, tags FROM properties WHERE team_id = $1::uuid AND id = ANY ($2::uuid[])',
    team_id,
    ids,
  )
  return new Map(rows.map(({ id, tags }) => [id, tags]))
}

function placeOf({ id, subject }: AlertedDay['place'], tags: Map<string, string[]>): AlertPlace {
  return { id, subject, tags: tags.get(id) ?? [] }
}

interface RuleMails {
  rule: AlertRuleRow
  exposure_ids: number[]
  send_after: Date
}

async function queueForRule(tx: Tx, team_id: string, { rule, exposure_ids, send_after }: RuleMails, now: Date): Promise<void> {
  const isDelayed = send_after > now
  const waiting = isDelayed
    ? await tx.$queryRawUnsafe<{ id: string; email: string; exposure_ids: number[] }[]>(WAITING, rule.id, send_after, now)
    : []
  const waitingByEmail = new Map(waiting.map((mail) => [mail.email, mail]))
  const mails = rule.recipients.flatMap((email) => {
    const waitingMail = waitingByEmail.get(email)
    const room = waitingMail ? DAYS_IN_A_MAIL - waitingMail.exposure_ids.length : 0
    const extended =
      waitingMail && room > 0
        ? [{ id: waitingMail.id, email, exposure_ids: [...waitingMail.exposure_ids, ...exposure_ids.slice(0, room)] }]
        : []
    const remaining = exposure_ids.slice(room)
    const newMails = Array.from({ length: Math.ceil(remaining.length / DAYS_IN_A_MAIL) }, (_, page) => ({
      id: randomUUID(),
      email,
      exposure_ids: remaining.slice(page * DAYS_IN_A_MAIL, (page + 1) * DAYS_IN_A_MAIL),
    }))
    return [...extended, ...newMails]
  })
  await tx.$executeRawUnsafe(QUEUE, team_id, rule.id, rule.name, JSON.stringify(mails), send_after, now, SEND, traceparent())
}

/** The mail of each recipient that waits for the same moment, has the fewest days, and that no worker has started. */
const WAITING = `
  SELECT DISTINCT ON (email) id, email, exposure_ids FROM alert_mails
   WHERE id IN (SELECT id FROM alert_mails WHERE rule_id = $1::uuid AND status = 'queued' AND attempts = 0 AND send_after = $2 AND send_after > $3 FOR UPDATE)
   ORDER BY email, cardinality(exposure_ids)`

const SEND: JobName = 'alert.send'

/** Adds a job for each new mail; a mail that was waiting already has one. */
const QUEUE = `
  WITH made AS (
    INSERT INTO alert_mails (id, team_id, rule_id, email, subject, exposure_ids, send_after, created_at)
    SELECT id, $1::uuid, $2::uuid, email, $3, exposure_ids, $5, $6
      FROM jsonb_to_recordset($4::jsonb) AS mail (id uuid, email text, exposure_ids int[])
    ON CONFLICT (id) DO UPDATE SET exposure_ids = excluded.exposure_ids
    RETURNING id, xmax = 0 AS is_new)
  INSERT INTO outbox (name, payload, due_at, traceparent)
  SELECT $7, jsonb_build_object('mail_id', id), CASE WHEN $5::timestamptz > $6::timestamptz THEN $5::timestamptz END, $8::text FROM made WHERE is_new`
