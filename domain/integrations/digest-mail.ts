import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { messageIdOf, sendMail } from '#domain/engines/mail.ts'
import type { EventPayload } from '#domain/events/payloads.ts'
import { digestSent } from '#domain/integrations/announcements/digest-sent.ts'
import { DIGEST_HOUR, UNTIL_HOUR } from '#domain/integrations/digest-event.ts'
import { RETRY_AFTER_MIN, runWithRetry, type TRIED_AGAIN } from '#domain/kernel/durable-jobs.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/kernel/durations.ts'

/** Minutes before the tries that follow the usual ones: with these they span the morning. */
const FURTHER_RETRIES_MIN = [15, 30, 60, 60, 60, 60]

/**
 * Mails the team the digest of an event, as a staged job that is tried until noon of its day. A digest made shortly before noon is
 * tried a little longer, on the usual schedule. One that is given up says so in the row of the digest.
 * @throws the fault of the last try
 */
export async function mailDigest(
  app: App,
  { lasting_id, event_id }: { lasting_id: number; event_id: string },
): Promise<typeof TRIED_AGAIN | undefined> {
  const minutesAfter = async (tries: number) => RETRY_AFTER_MIN[tries - 1] ?? minutesBeforeNoon(app, event_id, tries)
  return runWithRetry(app, lasting_id, () => sendDigestMail(app, event_id), { minutesAfter, giveUp: () => recordFailure(app, event_id) })
}

/** Returns the minutes before the next try; the last one is at noon. Undefined if noon has come. */
async function minutesBeforeNoon(app: Pick<App, 'pool' | 'clock'>, event_id: string, tries: number): Promise<number | undefined> {
  const mail = await readMail(app, event_id)
  const wait = FURTHER_RETRIES_MIN[tries - RETRY_AFTER_MIN.length - 1]
  if (!mail || wait === undefined) return undefined
  // Clocks change at night, so the hours of a morning are as long as others.
  const noon = Date.parse(mail.content.period.to) + (UNTIL_HOUR - DIGEST_HOUR) * HOUR_MS
  const left = Math.floor((noon - app.clock.now().getTime()) / MINUTE_MS)
  return left < 1 ? undefined : Math.min(wait, left)
}

/**
 * Sends the mail, if the team still has a mail address. Each try sends it under the same Message-ID: a server that accepted it but
 * whose response was lost can recognise the repeat.
 * @throws Error if the mail server does not accept the mail; the message does not contain the address
 */
async function sendDigestMail(app: Pick<App, 'pool' | 'mail' | 'config'>, event_id: string): Promise<void> {
  if (!app.mail.configured) return
  const mail = await readMail(app, event_id)
  if (!mail) return
  const { content, email } = mail
  const { headline, lede, rows, link } = digestSent.announce(content, { base_url: app.config.base_url, total: content.data.length })
  const text = [lede, '', ...rows, '', link ?? ''].join('\n')
  await sendMail(app, { to: email, subject: headline, text, message_id: messageIdOf(app.config, event_id) })
}

/** Returns null if the event was removed or the team has no mail address any more. */
async function readMail({ pool }: Pick<App, 'pool'>, event_id: string) {
  const { rows } = await pool.query<{ email: string; content: EventPayload['digest.sent'] }>(MAILED, [event_id])
  return rows[0] ?? null
}

const MAILED = `
  SELECT t.email, e.content FROM events e JOIN teams t ON t.id = e.team_id
   WHERE e.id = $1 AND e.content IS NOT NULL AND t.email IS NOT NULL`

async function recordFailure({ pool, clock }: Pick<App, 'pool' | 'clock'>, event_id: string): Promise<void> {
  await pool.query(FAILED, [event_id, clock.now()])
}

/** The digest of an event is the one whose period ended when the event's did. */
const FAILED = `
  UPDATE digests d SET mail_failed_at = $2 FROM events e
   WHERE e.id = $1 AND d.team_id = e.team_id AND d.status = 'sent' AND d.until = (e.content -> 'period' ->> 'to')::timestamptz`

/** A digest that could not be mailed. */
export interface FailedDigestView {
  /** Date of its morning in the team's time zone, YYYY-MM-DD. */
  date: string
  failed_at: Date
}

/** Returns the team's newest digest if its mail was given up; null if it was mailed, and if it is more than a week old. */
export async function findFailedDigest(
  { pool, clock }: Pick<App, 'pool' | 'clock'>,
  { team }: Pick<Caller, 'team'>,
): Promise<FailedDigestView | null> {
  const { rows } = await pool.query<{ date: string; failed_at: Date | null }>({
    name: 'digest.failed',
    text: NEWEST,
    values: [team.id, new Date(clock.now().getTime() - SHOWN_MS)],
  })
  const [newest] = rows
  return newest?.failed_at ? { ...newest, failed_at: newest.failed_at } : null
}

/** The storm days of an older digest are long known. */
const SHOWN_MS = 7 * DAY_MS
const NEWEST = `
  SELECT to_char(local_date, 'YYYY-MM-DD') AS date, mail_failed_at AS failed_at FROM digests
   WHERE team_id = $1 AND status = 'sent' AND until > $2 ORDER BY local_date DESC LIMIT 1`
