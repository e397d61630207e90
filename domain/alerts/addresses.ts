import type { Caller } from '#domain/access/caller.ts'
import { lockTeamRow } from '#domain/access/lock-team-row.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import { type AlertAddressInput, checkAddress } from '#domain/alerts/check-rule.ts'
import type { App } from '#domain/app.ts'
import { appendEntry, auditWrite } from '#domain/audit/audit-log.ts'
import type { Tx } from '#domain/engines/database.ts'
import { sendMail } from '#domain/engines/mail.ts'
import { stageDurable } from '#domain/kernel/durable-jobs.ts'
import { DAY_MS, HOUR_MS } from '#domain/kernel/durations.ts'
import type { AlertAddressTask } from '#domain/kernel/outbox.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { gatherFaults, refuseField } from '#domain/kernel/validation.ts'
import { countInvited } from '#domain/people/count-invited.ts'
import { drawSecret, hashSecret } from '#domain/people/secrets.ts'
import { Prisma } from '#generated/prisma/client.ts'

/** As long as an invitation: somebody may be away for a week. */
const CONFIRM_MS = 7 * DAY_MS
/** An address that has not answered is mailed its link once in so long at most: it never asked for one. */
const AGAIN_AFTER_MS = HOUR_MS
/** Addresses that a team may have asked in that time: ten rules, each with as many as it may have. */
const ASKED_MAX = 200

/**
 * Asks each address that is of nobody in the team, and has not confirmed, whether it wants alerts: once, and again when a rule names it
 * after its link has ended.
 */
export async function askAddresses(tx: ScopedTx, team_id: string, emails: string[], now: Date): Promise<void> {
  await mailLinks(tx, team_id, emails, now, now)
}

/**
 * Counts the addresses that are about to be mailed a link, as those who are invited to the team are counted: none where nothing is mailed.
 * Before the transaction that mails them, for the count may lie in the database, by a connection of its own; and after whatever refuses them.
 * @param ends_by a link that ends later is left alone
 * @throws Refusal rate_limited
 */
export async function countAsked(
  app: Pick<App, 'limiter' | 'clock' | 'mail'>,
  { db, team }: Pick<Caller, 'db' | 'team'>,
  emails: string[],
  ends_by: Date,
): Promise<void> {
  if (!app.mail.configured) return
  const [members, asked] = await Promise.all([
    db.membership.findMany({ where: { person: { email: { in: emails } } }, select: { person: { select: { email: true } } } }),
    db.alertAddress.findMany({
      where: { email: { in: emails }, OR: [{ confirmed_at: { not: null } }, { expires_at: { gt: ends_by } }] },
      select: { email: true },
    }),
  ])
  const known = new Set([...members.map(({ person }) => person.email), ...asked.map(({ email }) => email)])
  await countInvited(
    app,
    team.id,
    emails.filter((email) => !known.has(email)),
  )
}

/** Answers how many addresses are mailed a link: those that have none, or one that ends by `ends_by`. */
async function mailLinks(tx: ScopedTx, team_id: string, emails: string[], now: Date, ends_by: Date): Promise<number> {
  const expires_at = new Date(now.getTime() + CONFIRM_MS)
  const asked = await tx.$queryRaw<{ email: string }[]>`
    INSERT INTO alert_addresses (team_id, email, expires_at, created_at)
    SELECT ${team_id}::uuid, asked.email, ${expires_at}, ${now} FROM unnest(${emails}::text[]) AS asked (email)
     WHERE NOT EXISTS (SELECT FROM memberships m JOIN people p ON p.id = m.person_id WHERE m.team_id = ${team_id}::uuid AND p.email = asked.email)
    ON CONFLICT (team_id, email) DO UPDATE SET expires_at = excluded.expires_at
      WHERE alert_addresses.confirmed_at IS NULL AND alert_addresses.expires_at <= ${ends_by}
    RETURNING email`
  if (asked.length > 0) await refuseTooMany(tx, team_id, now)
  for (const { email } of asked) await stageDurable(tx, 'alert_address.mail', { team_id, email })
  return asked.length
}

/** @throws Refusal 429 where more were asked within the hour, those whose rule is gone too */
async function refuseTooMany(tx: ScopedTx, team_id: string, now: Date): Promise<void> {
  const lately = { team_id, confirmed_at: null, expires_at: { gt: mailedAnHourBefore(now) } }
  const { _count: asked, _min: first } = await tx.alertAddress.aggregate({ where: lately, _count: true, _min: { expires_at: true } })
  if (asked <= ASKED_MAX) return
  throw new Refusal('rate_limited', `At most ${ASKED_MAX} new recipients are asked in an hour whether they want alerts.`, {
    retry_after: secondsUntilFree(first.expires_at ?? now, now),
  })
}

/** Until an address may be asked again whose link ends then. */
function secondsUntilFree(expires_at: Date, now: Date): number {
  return Math.ceil((expires_at.getTime() - CONFIRM_MS + AGAIN_AFTER_MS - now.getTime()) / 1000)
}

/**
 * Mails an unconfirmed recipient the link again, or for the first time where one has left the team: the link before ends, and the new one
 * works for a week.
 * @throws Refusal 404 where no rule of the team waits for the address; 422 on `email`; 429 within an hour of the last mail,
 *   and where the team has mailed as many strangers as it may in a minute
 */
export async function askAddressAgain(
  app: Pick<App, 'clock' | 'mail' | 'limiter'>,
  caller: Caller,
  input: AlertAddressInput,
): Promise<void> {
  const faults = gatherFaults()
  const email = checkAddress(input, faults)
  faults.refuse()
  if (!app.mail.configured) refuseField('email', 'This service sends no mail: whoever runs it sets SMTP_URL.')
  const now = app.clock.now()
  const isNamed = async (db: Pick<ScopedTx, 'alertRecipient'>) =>
    (await db.alertRecipient.count({ where: { email, stopped_at: null } })) > 0
  if (!(await isNamed(caller.db))) throw notAskedAgain(null, now)
  await countAsked(app, caller, [email], mailedAnHourBefore(now))
  await caller.db.$transaction(async (tx) => {
    const named = await isNamed(tx)
    const mailed = named ? await mailLinks(tx, caller.team.id, [email], now, mailedAnHourBefore(now)) : 0
    const waiting = await tx.alertAddress.findFirst({ where: { email, confirmed_at: null } })
    if (mailed === 0) throw notAskedAgain(named ? waiting : null, now)
    auditWrite(tx, { kind: 'alert_address', id: null, after: waiting })
  })
}

/** Why an address is not mailed its link again. */
function notAskedAgain(waiting: { expires_at: Date } | null, now: Date): Refusal {
  if (!waiting) return new Refusal('not_found', 'No alert rule waits for this address to confirm.')
  return new Refusal('rate_limited', 'This address was mailed its link within the hour.', {
    retry_after: secondsUntilFree(waiting.expires_at, now),
  })
}

/**
 * Forgets addresses that no rule names: they would be asked anew. One that was mailed within the hour is forgotten after it, so that whoever makes
 * and removes a rule again and again mails it once. Under the lock of the team.
 */
export async function dropUnnamedAddresses(tx: Pick<Tx, '$executeRaw'>, team_id: string, now: Date): Promise<void> {
  await tx.$executeRaw`DELETE FROM alert_addresses c WHERE c.team_id = ${team_id}::uuid AND ${forgettable(now)}`
}

/** The same of every team: of what was left for the hour, confirmed within it, or named by a rule that went with its place. */
export async function deleteUnnamedAddresses({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  const teams = await db.$queryRaw<{ team_id: string }[]>`SELECT DISTINCT c.team_id FROM alert_addresses c WHERE ${forgettable(now)}`
  for (const { team_id } of teams)
    await db.$transaction(async (tx) => {
      await lockTeamRow(tx, team_id)
      await dropUnnamedAddresses(tx, team_id, now)
    })
}

const forgettable = (now: Date) => Prisma.sql`
  (c.confirmed_at IS NOT NULL OR c.expires_at <= ${mailedAnHourBefore(now)})
  AND NOT EXISTS (SELECT FROM alert_recipients a WHERE a.team_id = c.team_id AND a.email = c.email)`

/** When the link ends that was mailed as long ago as an address is left alone. */
const mailedAnHourBefore = (now: Date) => new Date(now.getTime() + CONFIRM_MS - AGAIN_AFTER_MS)

/**
 * Mails the link by which an address confirms; each further mail ends the link before it.
 * @throws Error where the mail server does not take it, without the address
 */
export async function mailAlertAddress(
  app: Pick<App, 'db' | 'mail' | 'clock' | 'config'>,
  { team_id, email }: AlertAddressTask,
): Promise<void> {
  if (!app.mail.configured) return
  const now = app.clock.now()
  const open = { team_id, email, confirmed_at: null, expires_at: { gt: now } }
  const address = await app.db.alertAddress.findFirst({ where: open, include: { team: { select: { name: true } } } })
  if (!address) return
  if (await isLeftUnasked(app, { team_id, email })) return
  const secret = drawSecret()
  const { count } = await app.db.alertAddress.updateMany({ where: open, data: { hash: hashSecret(secret) } })
  if (count === 0) return
  const text = [
    `${address.team.name} wants to send weather alerts to this address. Open this link to agree:`,
    `${app.config.base_url}/alerts/confirm/${secret}`,
    `The link works until ${address.expires_at.toISOString()}. Without it nothing is sent, and each alert has a link by which they stop.`,
  ].join('\n\n')
  await sendMail(app, { to: email, subject: 'Confirm weather alerts', text })
}

/** Whether no rule names an address any more: nobody is mailed then, and one that never was is forgotten. */
async function isLeftUnasked({ db }: Pick<App, 'db'>, { team_id, email }: AlertAddressTask): Promise<boolean> {
  const recipient = { where: { team_id, email } }
  if (await db.alertRecipient.count(recipient)) return false
  return db.$transaction(async (tx) => {
    await lockTeamRow(tx, team_id)
    if (await tx.alertRecipient.count(recipient)) return false
    await tx.alertAddress.deleteMany({ where: { team_id, email, confirmed_at: null, hash: null } })
    return true
  })
}

/** What a link confirms. */
export interface ConfirmableAddress {
  team_id: string
  email: string
  team_name: string
  confirmed: boolean
}

/** What a link would confirm, or has; null for one that is unknown or too old. */
export async function findConfirmable({ db, clock }: Pick<App, 'db' | 'clock'>, secret: string): Promise<ConfirmableAddress | null> {
  const where = { hash: hashSecret(secret), expires_at: { gt: clock.now() } }
  const found = await db.alertAddress.findFirst({ where, include: { team: { select: { name: true } } } })
  return found && { team_id: found.team_id, email: found.email, team_name: found.team.name, confirmed: found.confirmed_at !== null }
}

/** Confirms an address, once: whoever has its link is who reads its mail. Answers what is confirmed now, or null. */
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
    const doing = {
      actor_kind: 'service',
      actor: 'alert link',
      operation: 'confirmAlertAddress',
      team_id: found.team_id,
      ...client,
    } as const
    await appendEntry(tx, doing, { kind: 'alert_address', id: null, after: { confirmed_at } })
  })
  // Of two at once one has confirmed it; a link that a newer mail has ended confirms nothing.
  const now = await findConfirmable(app, secret)
  return now?.confirmed ? now : null
}
