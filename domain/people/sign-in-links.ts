import { countOne } from '#domain/access/authenticate.ts'
import type { App } from '#domain/app.ts'
import { appendEntry, type Operation } from '#domain/audit/audit-log.ts'
import { type TeamRole, teamRoles } from '#domain/closed-sets.ts'
import type { Tx } from '#domain/engines/database.ts'
import { sendMail } from '#domain/engines/mail.ts'
import { stageDurable } from '#domain/kernel/durable-jobs.ts'
import { DAY_MS, MINUTE_MS } from '#domain/kernel/durations.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { refuseField } from '#domain/kernel/validation.ts'
import { readEmail } from '#domain/people/email.ts'
import { isRole, roles } from '#domain/people/roles.ts'
import { drawSecret, hashSecret } from '#domain/people/secrets.ts'
import { type Client, endHandedOver, openSession } from '#domain/people/sessions.ts'
import type { Invitation, SignInLink } from '#generated/prisma/client.ts'

/** Long enough for a slow mail server, short enough for a mailbox that is left open. */
const LINK_MS = 15 * MINUTE_MS
/** An invitation waits for somebody's return from a week away. */
export const INVITATION_MS = 7 * DAY_MS
/** What is asked a day, and by whom, is kept no longer. */
const KEPT_MS = DAY_MS

type Mailing = Pick<App, 'db' | 'mail' | 'clock' | 'config'>

/** Links that may be asked for in a minute, for one address and by one client. */
const ASKED_FOR_ADDRESS = 3
const ASKED_BY_CLIENT = 20
/** Links that one client may try in a minute: guessing 256 bits is hopeless, and trying is not free. */
const TRIED_BY_CLIENT = 30

/** A link as it is given to whoever may pass it on. */
export interface GivenLink {
  /** Its token stands in the fragment, which no server and no log sees. */
  url: string
  expires_at: Date
}

/**
 * Asks for a link by e-mail. What is done, and how long it takes, is the same whether or not anybody here has the address:
 * a worker looks for them.
 * @param return_to path within the console; anything else is left out
 * @throws Refusal validation_failed where it is no address
 */
export async function requestSignIn(
  app: Mailing & Pick<App, 'limiter'>,
  sent: { email: string; return_to?: string | null },
  client: Pick<Client, 'address'>,
): Promise<{ mailed: boolean }> {
  const email = readEmail(sent.email)
  if (!email) refuseField('email', 'The e-mail address must be one like ann@example.com.')
  await countOne(app, `sign-in-by:${client.address}`, ASKED_BY_CLIENT)
  await countOne(app, `sign-in-for:${hashSecret(email)}`, ASKED_FOR_ADDRESS)
  if (!app.mail.configured) return { mailed: false }
  const now = app.clock.now()
  await app.db.$transaction(async (tx) => {
    const { id } = await tx.signInLink.create({
      data: {
        email,
        return_to: pathWithin(sent.return_to),
        handed_over: false,
        created_at: now,
        expires_at: new Date(now.getTime() + LINK_MS),
      },
    })
    await stageDurable(tx, 'sign_in_link.mail', { link_id: id })
  })
  return { mailed: true }
}

/** A path of the console and nothing that leads out of it: `//elsewhere` and `/\elsewhere` are addresses of other hosts. */
export function pathWithin(sent: string | null | undefined): string | null {
  return typeof sent === 'string' && /^\/app(?:[/?#]|$)/.test(sent) && !/[\\\p{Cc}]/u.test(sent) && sent.length <= 2000 ? sent : null
}

/**
 * Mails the link that was asked for, where somebody has the address; a link that was spent meanwhile is not sent.
 * @throws Error where the mail server does not take it, without the address
 */
export async function mailSignInLink(app: Mailing, link_id: string): Promise<void> {
  const link = await app.db.signInLink.findUnique({ where: { id: link_id } })
  if (!link || link.spent_at || link.expires_at <= app.clock.now() || !app.mail.configured) return
  const letter = await letterFor(app, link)
  // Nobody has the address: nothing is kept of it.
  if (!letter) return void (await app.db.signInLink.deleteMany({ where: { id: link_id } }))
  const secret = drawSecret()
  await app.db.signInLink.updateMany({ where: { id: link_id, spent_at: null }, data: { hash: hashSecret(secret), handed_over: false } })
  const { subject, why } = letter
  const text = `${why}\n\n${urlOfLink(app.config, secret)}\n\nThe link works once, until ${link.expires_at.toISOString()}. Whoever did not ask for it can leave it alone.`
  await sendMail(app, { to: link.email, subject, text })
}

async function letterFor({ db }: Mailing, { email, invitation_id }: SignInLink): Promise<{ subject: string; why: string } | null> {
  if (invitation_id === null) {
    const person = await db.person.findUnique({ where: { email }, select: { id: true } })
    return person && { subject: 'Sign in to the weather desk', why: 'Open this link to sign in:' }
  }
  const invitation = await db.invitation.findUnique({
    where: { id: invitation_id },
    select: { role: true, team: { select: { name: true } } },
  })
  if (!invitation) return null
  const { name } = invitation.team
  return {
    subject: `Invitation to ${name}`,
    why: `You are invited to the weather desk of ${name} as ${labelOf(invitation.role)}. Open this link to join:`,
  }
}

const labelOf = (role: TeamRole) => roles[role].label.toLowerCase()

export const urlOfLink = ({ console_url }: Pick<App['config'], 'console_url'>, secret: string) => `${console_url}/sign-in#${secret}`

/** Somebody's place in a team, as it is given out. */
export interface Place {
  team_id: string
  email: string
  role: string
  /** Id of the person who gives it, or `operator`. */
  invited_by: string
}

/**
 * Keeps a place in a team for whoever has the address, in place of one that was kept for it before, with a link to take it:
 * mailed where the install sends mail, else given to whoever invites. Within the team's own transaction, or the service's.
 * @throws Refusal validation_failed naming each field at fault
 */
export async function invite(
  app: Pick<App, 'mail' | 'clock' | 'config'>,
  tx: Pick<Tx, 'invitation' | 'signInLink' | '$executeRawUnsafe'>,
  { team_id, email: sent, role, invited_by }: Place,
  { mailed = app.mail.configured, lasts_ms = INVITATION_MS, handed_over = true } = {},
): Promise<{ invitation: Invitation; link: GivenLink | null }> {
  const email = readEmail(sent)
  if (!email) refuseField('email', 'The e-mail address must be one like ann@example.com.')
  if (!isRole(role)) refuseField('role', `The role must be one of ${teamRoles.join(', ')}.`)
  const now = app.clock.now()
  const expires_at = new Date(now.getTime() + lasts_ms)
  // Of two who invite somebody at one moment the second waits, and its invitation takes the place of the first's.
  await tx.$executeRawUnsafe('SELECT FROM teams WHERE id = $1::uuid FOR NO KEY UPDATE', team_id)
  await tx.invitation.deleteMany({ where: { team_id, email } })
  const [invitation] = await tx.invitation.createManyAndReturn({
    data: [{ team_id, email, role, invited_by, created_at: now, expires_at }],
  })
  if (!invitation) throw new Error('an invitation was not kept')
  const secret = mailed ? null : drawSecret()
  const id = crypto.randomUUID()
  // A team may add the link and not read it: it is added without being read back.
  await tx.signInLink.createMany({
    data: [{ id, email, invitation_id: invitation.id, hash: secret && hashSecret(secret), handed_over, created_at: now, expires_at }],
  })
  if (mailed) await stageDurable(tx, 'sign_in_link.mail', { link_id: id })
  return { invitation, link: secret === null ? null : { url: urlOfLink(app.config, secret), expires_at } }
}

/** The place that somebody has taken by an invitation. */
export interface JoinedPlace {
  team_id: string
  role: TeamRole
}

/** What opening a link led to. */
export interface SignedInByLink {
  /** For the cookie. */
  secret: string
  return_to: string | null
  /** The team that the link let somebody into. */
  joined: JoinedPlace | null
}

/**
 * Spends a link, once: whoever has it is who reads the address's mail. One that invites also gives them their place.
 * @param signed_in_as who opens it in a session in force; null where nobody is signed in
 * @throws Refusal link_expired where it is unknown, spent or too old, or the invitation was taken back; unauthenticated where somebody
 *   else passed it on, and it names a person whom other teams know
 */
export async function spendLink(
  app: Pick<App, 'db' | 'clock' | 'limiter'>,
  secret: string,
  client: Client,
  signed_in_as: string | null = null,
): Promise<SignedInByLink> {
  await countOne(app, `sign-in-tried:${client.address}`, TRIED_BY_CLIENT)
  const now = app.clock.now()
  return app.db.$transaction(async (tx) => {
    const [link] = await tx.signInLink.updateManyAndReturn({
      where: { hash: hashSecret(secret), spent_at: null, expires_at: { gt: now } },
      data: { spent_at: now },
    })
    if (!link) throw expired()
    const joined = link.invitation_id === null ? null : await takePlace(tx, link.invitation_id)
    const known = { where: { email: link.email } }
    if (joined && link.handed_over) await requireOwnHand(tx, link.email, joined.team_id, signed_in_as)
    const person = joined
      ? await tx.person.upsert({ ...known, create: { email: link.email, created_at: now }, update: {} })
      : await tx.person.findUnique(known)
    if (!person) throw expired()
    if (joined) {
      const id = { team_id: joined.team_id, person_id: person.id }
      await tx.membership.upsert({
        where: { team_id_person_id: id },
        create: { ...id, role: joined.role, created_at: now },
        update: { role: joined.role },
      })
    }
    if (!link.handed_over) await endHandedOver(tx, person.id)
    const opened = await openSession(tx, now, { person_id: person.id, handed_over: link.handed_over }, client)
    if (joined)
      await appendEntry(tx, joiningOf(person.id, joined.team_id, client), { kind: 'member', id: person.id, after: { role: joined.role } })
    return { secret: opened, return_to: link.return_to, joined }
  })
}

/**
 * Whoever passes a link on by hand has it, whoever it is for: it signs nobody in who has a place elsewhere, or runs the install. They
 * take their place signed in as themselves.
 */
async function requireOwnHand(tx: Pick<Tx, 'person'>, email: string, team_id: string, signed_in_as: string | null): Promise<void> {
  const elsewhere = { OR: [{ memberships: { some: { team_id: { not: team_id } } } }, { operator_roles: { isEmpty: false } }] }
  const person = await tx.person.findFirst({ where: { email, ...elsewhere }, select: { id: true } })
  if (!person || person.id === signed_in_as) return
  throw new Refusal(
    'unauthenticated',
    'This invitation is for somebody who signs in here already: sign in as them, and open the link again.',
  )
}

/** The operation that the audit log has of somebody who takes their place in a team. */
export const joiningOf = (person_id: string, team_id: string, { address, request_id }: Client): Operation => ({
  ...{ actor_kind: 'person', actor: person_id, operation: 'acceptInvitation' },
  ...{ team_id, request_id, address },
})

/** In one statement: an invitation that is taken or revoked at this moment is waited for, and gives no place. */
async function takePlace(tx: Pick<Tx, '$queryRaw'>, id: string): Promise<JoinedPlace> {
  const [place] = await tx.$queryRaw<JoinedPlace[]>`DELETE FROM invitations WHERE id = ${id}::uuid RETURNING team_id, role`
  if (!place) throw expired()
  return place
}

const expired = () => new Refusal('link_expired', 'This link was used, or is too old. Ask for a new one.')

/** Forgets links and invitations that have had their time. */
export async function deleteOldLinks({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  const before = { lt: new Date(clock.now().getTime() - KEPT_MS) }
  await db.signInLink.deleteMany({ where: { expires_at: before } })
  await db.invitation.deleteMany({ where: { expires_at: before } })
}
