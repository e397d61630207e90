import { countClient, countOne } from '#domain/access/rate-limit.ts'
import type { App } from '#domain/app.ts'
import type { TeamRole } from '#domain/closed-sets.ts'
import { sendMail } from '#domain/engines/mail.ts'
import { localTime } from '#domain/geo/local-time.ts'
import { stageDurable } from '#domain/kernel/durable-jobs.ts'
import { DAY_MS, MINUTE_MS } from '#domain/kernel/durations.ts'
import { refuseField } from '#domain/kernel/validation.ts'
import { INVALID_EMAIL, readEmail } from '#domain/people/email.ts'
import { roles } from '#domain/people/roles.ts'
import { drawSecret, hashSecret } from '#domain/people/secrets.ts'
import type { Client } from '#domain/people/sessions.ts'
import type { SignInLink } from '#generated/prisma/client.ts'

/** Long enough for a slow mail server, short enough for an unattended mailbox. */
const LINK_MS = 15 * MINUTE_MS
/** Expired links and invitations are kept for this time. */
const KEPT_MS = DAY_MS

type Mailing = Pick<App, 'db' | 'mail' | 'clock' | 'config'>

/** Links that may be requested in a minute, for one address and by one client. */
const LINKS_PER_ADDRESS = 3
const LINKS_PER_CLIENT = 20

/** A link that is returned to be passed on. */
export interface ShareableLink {
  /** The secret is in the fragment, which no server and no log sees. */
  url: string
  expires_at: Date
}

/**
 * Requests a sign-in link by e-mail. The response and its timing are the same whether or not anybody has the address: a worker
 * looks it up later.
 * @param sent its `return_to` is a path within the console; anything else is ignored
 * @throws Refusal validation_failed if the address is invalid
 */
export async function requestSignIn(
  app: Mailing & Pick<App, 'limiter'>,
  sent: { email: string; return_to?: string | null },
  client: Pick<Client, 'address'>,
): Promise<{ mailed: boolean }> {
  const email = readEmail(sent.email)
  if (!email) refuseField('email', INVALID_EMAIL)
  await countClient(app, 'sign-in-by', client.address, LINKS_PER_CLIENT)
  await countOne(app, `sign-in-for:${hashSecret(email)}`, LINKS_PER_ADDRESS)
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

/** Returns a path if it stays within the console: `//elsewhere` and `/\elsewhere` would lead to other hosts. */
export function pathWithin(sent: string | null | undefined): string | null {
  return typeof sent === 'string' && /^\/app(?:[/?#]|$)/.test(sent) && !/[\\\p{Cc}]/u.test(sent) && sent.length <= 2000 ? sent : null
}

/**
 * Mails a requested link if somebody has the address; a link that was used meanwhile is not sent.
 * @throws Error, without the address, if the mail server does not accept the mail
 */
export async function mailSignInLink(app: Mailing, link_id: string): Promise<void> {
  const link = await app.db.signInLink.findUnique({ where: { id: link_id } })
  if (!link || link.spent_at || link.expires_at <= app.clock.now() || !app.mail.configured) return
  const content = await mailContentFor(app, link)
  // Nobody has the address: delete all trace of it.
  if (!content) return void (await app.db.signInLink.deleteMany({ where: { id: link_id } }))
  const secret = drawSecret()
  await app.db.signInLink.updateMany({ where: { id: link_id, spent_at: null }, data: { hash: hashSecret(secret), handed_over: false } })
  const { subject, why, timezone } = content
  const text = `${why}\n\n${urlOfLink(app.config, secret)}\n\nThe link works once, until ${localTime(link.expires_at, timezone)}. If you did not request it, ignore this message.`
  await sendMail(app, { to: link.email, subject, text })
}

interface MailContent {
  subject: string
  why: string
  /** The zone that the mail states times in: a person, who may be in several teams, has none. */
  timezone: string
}

async function mailContentFor({ db }: Mailing, { email, invitation_id }: SignInLink): Promise<MailContent | null> {
  if (invitation_id === null) {
    const person = await db.person.findUnique({ where: { email }, select: { id: true } })
    return person && { subject: 'Sign in to the weather desk', why: 'Open this link to sign in:', timezone: 'UTC' }
  }
  const invitation = await db.invitation.findUnique({
    where: { id: invitation_id },
    select: { role: true, team: { select: { name: true, timezone: true } } },
  })
  if (!invitation) return null
  const { name, timezone } = invitation.team
  return {
    subject: `Invitation to ${name}`,
    why: `You are invited to the weather desk of ${name} as ${labelOf(invitation.role)}. Open this link to join:`,
    timezone,
  }
}

const labelOf = (role: TeamRole) => roles[role].label.toLowerCase()

/** The URL of a sign-in link. A browser sends what follows the # to no server. */
export const urlOfLink = ({ console_url }: Pick<App['config'], 'console_url'>, secret: string) => `${console_url}/sign-in#${secret}`

/**
 * Deletes links and invitations that expired more than KEPT_MS ago, and the links of invitations that ended: they open nothing, and
 * contain an address.
 */
export async function deleteOldLinks({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  const before = { lt: new Date(clock.now().getTime() - KEPT_MS) }
  await db.invitation.deleteMany({ where: { expires_at: before } })
  await db.signInLink.deleteMany({ where: { expires_at: before } })
  await db.$executeRaw`
    DELETE FROM sign_in_links l
     WHERE invitation_id IS NOT NULL AND NOT EXISTS (SELECT FROM invitations i WHERE i.id = l.invitation_id)`
}
