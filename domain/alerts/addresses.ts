import type { Caller } from '#domain/access/caller.ts'
import { lockTeamRow } from '#domain/access/lock-team-row.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import { type AlertAddressInput, checkAddress } from '#domain/alerts/check-rule.ts'
import type { App } from '#domain/app.ts'
import { appendEntry, auditWrite } from '#domain/audit/audit-log.ts'
import type { Tx } from '#domain/engines/database.ts'
import { sendMail } from '#domain/engines/mail.ts'
import { localTime } from '#domain/geo/local-time.ts'
import { stageDurable } from '#domain/kernel/durable-jobs.ts'
import { DAY_MS, HOUR_MS } from '#domain/kernel/durations.ts'
import type { AlertAddressTask } from '#domain/kernel/outbox.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { runTeamByTeam } from '#domain/kernel/team-by-team.ts'
import { gatherFaults, refuseField } from '#domain/kernel/validation.ts'
import { countInvited } from '#domain/people/count-invited.ts'
import { drawSecret, hashSecret } from '#domain/people/secrets.ts'
import { Prisma } from '#generated/prisma/client.ts'

/** As long as an invitation: a person may be away for a week. */
const CONFIRM_MS = 7 * DAY_MS
/** The least time between two link mails to an address that has not confirmed: its owner never requested one. */
const RESEND_INTERVAL_MS = HOUR_MS
/** The most addresses that a team may ask in that time: ten rules, each with the most recipients. */
const CONFIRMATIONS_MAX = 200

/**
 * Asks each address that is no team member's and not confirmed whether it wants alerts: once, and again when a rule includes it
 * after its link has expired.
 */
export async function requestConfirmations(tx: ScopedTx, team_id: string, emails: string[], now: Date): Promise<void> {
  await mailLinks(tx, team_id, emails, now, now)
}

/**
 * Counts the addresses that are about to be mailed a link against the limit for invitations; counts none if mail is not
 * configured. Call it before the transaction that mails them, because the counter may be in the database and use a connection
 * of its own; and after all checks that may refuse them.
 * @param ends_by addresses whose link expires later are not counted
 * @throws Refusal rate_limited
 */
export async function countConfirmations(
  app: Pick<App, 'limiter' | 'clock' | 'mail'>,
  { db, team }: Pick<Caller, 'db' | 'team'>,
  emails: string[],
  ends_by: Date,
): Promise<void> {
  if (!app.mail.configured) return
  const [members, addresses] = await Promise.all([
    db.membership.findMany({ where: { person: { email: { in: emails } } }, select: { person: { select: { email: true } } } }),
    db.alertAddress.findMany({
      where: { email: { in: emails }, OR: [{ confirmed_at: { not: null } }, { expires_at: { gt: ends_by } }] },
      select: { email: true },
    }),
  ])
  const known = new Set([...members.map(({ person }) => person.email), ...addresses.map(({ email }) => email)])
  await countInvited(
    app,
    team.id,
    emails.filter((email) => !known.has(email)),
  )
}

/** Mails a link to addresses that have none, or one that expires by `ends_by`. Returns how many. */
async function mailLinks(tx: ScopedTx, team_id: string, emails: string[], now: Date, ends_by: Date): Promise<number> {
  const expires_at = new Date(now.getTime() + CONFIRM_MS)
  const mailed = await tx.$queryRaw<{ email: string }[]>`
    INSERT INTO alert_addresses (team_id, email, expires_at, created_at)
    SELECT ${team_id}::uuid, requested.email, ${expires_at}, ${now} FROM unnest(${emails}::text[]) AS requested (email)
     WHERE NOT EXISTS (SELECT FROM memberships m JOIN people p ON p.id = m.person_id WHERE m.team_id = ${team_id}::uuid AND p.email = requested.email)
    ON CONFLICT (team_id, email) DO UPDATE SET expires_at = excluded.expires_at
      WHERE alert_addresses.confirmed_at IS NULL AND alert_addresses.expires_at <= ${ends_by}
    RETURNING email`
  if (mailed.length > 0) await refuseTooMany(tx, team_id, now)
  for (const { email } of mailed) await stageDurable(tx, 'alert_address.mail', { team_id, email })
  return mailed.length
}

/** @throws Refusal 429 if more addresses were asked within the hour, including those of removed rules */
async function refuseTooMany(tx: ScopedTx, team_id: string, now: Date): Promise<void> {
  const recent = { team_id, confirmed_at: null, expires_at: { gt: mailedAnHourBefore(now) } }
  const { _count: count, _min: earliest } = await tx.alertAddress.aggregate({ where: recent, _count: true, _min: { expires_at: true } })
  if (count <= CONFIRMATIONS_MAX) return
  throw new Refusal('rate_limited', `At most ${CONFIRMATIONS_MAX} new recipients can be asked to confirm in an hour.`, {
    retry_after: secondsUntilFree(earliest.expires_at ?? now, now),
  })
}

/** Returns the seconds until an address with a link that expires at this time may be asked again. */
function secondsUntilFree(expires_at: Date, now: Date): number {
  return Math.ceil((expires_at.getTime() - CONFIRM_MS + RESEND_INTERVAL_MS - now.getTime()) / 1000)
}

/**
 * Mails an unconfirmed recipient a new link, or a first one if the recipient has left the team. The previous link stops
 * working, and the new one is valid for a week.
 * @throws Refusal 404 if no rule of the team waits for the address; 422 on `email`; 429 within an hour of the last mail, and if
 * the team has mailed as many strangers as it may in a minute
 */
export async function resendConfirmation(
  app: Pick<App, 'clock' | 'mail' | 'limiter'>,
  caller: Caller,
  input: AlertAddressInput,
): Promise<void> {
  const faults = gatherFaults()
  const email = checkAddress(input, faults)
  faults.refuse()
  if (!app.mail.configured) refuseField('email', 'This service sends no mail until its operator sets SMTP_URL.')
  const now = app.clock.now()
  const isRecipient = async (db: Pick<ScopedTx, 'alertRecipient'>) =>
    (await db.alertRecipient.count({ where: { email, stopped_at: null } })) > 0
  if (!(await isRecipient(caller.db))) throw resendRefusal(null, now)
  await countConfirmations(app, caller, [email], mailedAnHourBefore(now))
  await caller.db.$transaction(async (tx) => {
    const isStillRecipient = await isRecipient(tx)
    const mailed = isStillRecipient ? await mailLinks(tx, caller.team.id, [email], now, mailedAnHourBefore(now)) : 0
    const waiting = await tx.alertAddress.findFirst({ where: { email, confirmed_at: null } })
    if (mailed === 0) throw resendRefusal(isStillRecipient ? waiting : null, now)
    auditWrite(tx, { kind: 'alert_address', id: null, after: waiting })
  })
}

/** Returns why an address is not mailed its link again. */
function resendRefusal(waiting: { expires_at: Date } | null, now: Date): Refusal {
  if (!waiting) return new Refusal('not_found', 'No alert rule waits for this address to confirm.')
  return new Refusal('rate_limited', 'This address was mailed its link within the last hour.', {
    retry_after: secondsUntilFree(waiting.expires_at, now),
  })
}

/**
 * Deletes addresses that are in no rule; if a rule includes them later, they are asked again. An address that was mailed within
 * the hour is deleted only after it, so that creating and removing a rule repeatedly mails it once. The caller has locked the
 * team's row.
 */
export async function deleteUnusedAddressesOfTeam(tx: Pick<Tx, '$executeRaw'>, team_id: string, now: Date): Promise<void> {
  await tx.$executeRaw`DELETE FROM alert_addresses c WHERE c.team_id = ${team_id}::uuid AND ${unusedCondition(now)}`
}

/**
 * Does the same for every team: deletes addresses that were kept for the hour, were confirmed within it, or were in a rule that
 * was removed with its place.
 */
export async function deleteUnusedAddresses({ db, clock, log }: Pick<App, 'db' | 'clock' | 'log'>): Promise<void> {
  const now = clock.now()
  const teams = await db.$queryRaw<{ team_id: string }[]>`SELECT DISTINCT c.team_id FROM alert_addresses c WHERE ${unusedCondition(now)}`
  await runTeamByTeam({ log }, teams, 'the unused addresses of a team could not be deleted', ({ team_id }) =>
    db.$transaction(async (tx) => {
      await lockTeamRow(tx, team_id)
      await deleteUnusedAddressesOfTeam(tx, team_id, now)
    }),
  )
}

const unusedCondition = (now: Date) => Prisma.sql`
  (c.confirmed_at IS NOT NULL OR c.expires_at <= ${mailedAnHourBefore(now)})
  AND NOT EXISTS (SELECT FROM alert_recipients a WHERE a.team_id = c.team_id AND a.email = c.email)`

/** Returns the expiry of a link that was mailed exactly an hour ago, the least time between two mails. */
const mailedAnHourBefore = (now: Date) => new Date(now.getTime() + CONFIRM_MS - RESEND_INTERVAL_MS)

/**
 * Mails the link with which an address confirms; each mail invalidates the previous link.
 * @throws Error if the mail server does not accept the mail; the message does not contain the address
 */
export async function mailAlertAddress(
  app: Pick<App, 'db' | 'mail' | 'clock' | 'config'>,
  { team_id, email }: AlertAddressTask,
): Promise<void> {
  if (!app.mail.configured) return
  const now = app.clock.now()
  const pending = { team_id, email, confirmed_at: null, expires_at: { gt: now } }
  const address = await app.db.alertAddress.findFirst({ where: pending, include: { team: { select: { name: true, timezone: true } } } })
  if (!address) return
  if (await isUnused(app, { team_id, email })) return
  const secret = drawSecret()
  const { count } = await app.db.alertAddress.updateMany({ where: pending, data: { hash: hashSecret(secret) } })
  if (count === 0) return
  const text = [
    `${address.team.name} wants to send weather alerts to this address. Open this link to agree:`,
    `${app.config.base_url}/alerts/confirm/${secret}`,
    `The link works until ${localTime(address.expires_at, address.team.timezone)}. Nothing is sent unless you agree, and each alert has a link that stops further ones.`,
  ].join('\n\n')
  await sendMail(app, { to: email, subject: 'Confirm weather alerts', text })
}

/** Whether an address is in no rule any more: it is then not mailed, and it is deleted if it never was. */
async function isUnused({ db }: Pick<App, 'db'>, { team_id, email }: AlertAddressTask): Promise<boolean> {
  const recipient = { where: { team_id, email } }
  if (await db.alertRecipient.count(recipient)) return false
  return db.$transaction(async (tx) => {
    await lockTeamRow(tx, team_id)
    if (await tx.alertRecipient.count(recipient)) return false
    await tx.alertAddress.deleteMany({ where: { team_id, email, confirmed_at: null, hash: null } })
    return true
  })
}

/** The address that a link confirms. */
export interface ConfirmableAddress {
  team_id: string
  email: string
  team_name: string
  confirmed: boolean
}

/** Returns what a link would confirm or has confirmed; null if it is unknown or expired. */
export async function findConfirmable({ db, clock }: Pick<App, 'db' | 'clock'>, secret: string): Promise<ConfirmableAddress | null> {
  const where = { hash: hashSecret(secret), expires_at: { gt: clock.now() } }
  const found = await db.alertAddress.findFirst({ where, include: { team: { select: { name: true } } } })
  return found && { team_id: found.team_id, email: found.email, team_name: found.team.name, confirmed: found.confirmed_at !== null }
}

/** Confirms an address, once: a person who has its link reads its mail. Returns what is confirmed now, or null. */
export async function confirmAddress(
  app: Pick<App, 'db' | 'clock'>,
  secret: string,
  client: { address: string; request_id: string },
): Promise<ConfirmableAddress | null> {
  const found = await findConfirmable(app, secret)
  if (!found || found.confirmed) return found
  const confirmed_at = app.clock.now()
  await app.db.$transaction(async (tx) => {
    const { count } = await tx.alertAddress.updateMany({
      where: { hash: hashSecret(secret), confirmed_at: null },
      data: { confirmed_at },
    })
    if (count === 0) return
    const context = {
      actor_kind: 'service',
      actor: 'alert link',
      operation: 'confirmAlertAddress',
      team_id: found.team_id,
      ...client,
    } as const
    await appendEntry(tx, context, { kind: 'alert_address', id: null, after: { confirmed_at } })
  })
  // Of two concurrent requests, one has confirmed it; a link that a newer mail invalidated confirms nothing.
  const now = await findConfirmable(app, secret)
  return now?.confirmed ? now : null
}
