import { countOne } from '#domain/access/authenticate.ts'
import type { App } from '#domain/app.ts'
import { appendEntry } from '#domain/audit/audit-log.ts'
import type { Tx } from '#domain/engines/database.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { acceptInvitation, type JoinedTeam, joinOperation } from '#domain/people/invitations.ts'
import { hashSecret } from '#domain/people/secrets.ts'
import { type Client, lockPersonByEmail, openSession, revokeHandedOver } from '#domain/people/sessions.ts'
import type { Person, SignInLink } from '#generated/prisma/client.ts'

/** Links that one client may try in a minute: 256 bits cannot be guessed, but each attempt costs the service. */
const ATTEMPTS_PER_CLIENT = 30

/** Result of opening a link. */
export interface SignedInByLink {
  /** For the cookie. */
  secret: string
  return_to: string | null
  /** The team joined through the link. */
  joined: JoinedTeam | null
}

/**
 * Uses a link, which works once and proves access to the address's mail. The link of an invitation also adds the person to the team.
 * @param signed_in_as the person with a valid session who opens it; null if nobody is signed in
 * @throws Refusal link_expired if it is unknown, used or too old, or the invitation was revoked; unauthenticated if somebody else
 *   passed it on, and it is for a person who is in another team or is an operator
 */
export async function spendLink(
  app: Pick<App, 'db' | 'clock' | 'limiter'>,
  secret: string,
  client: Client,
  signed_in_as: string | null = null,
): Promise<SignedInByLink> {
  await countOne(app, `sign-in-tried:${client.address}`, ATTEMPTS_PER_CLIENT)
  const now = app.clock.now()
  return app.db.$transaction(async (tx) => {
    const [link] = await tx.signInLink.updateManyAndReturn({
      where: { hash: hashSecret(secret), spent_at: null, expires_at: { gt: now } },
      data: { spent_at: now },
    })
    if (!link) throw expired()
    const joined = link.invitation_id === null ? null : await acceptInvitation(tx, link.invitation_id)
    if (link.invitation_id !== null && !joined) throw expired()
    if (joined && link.handed_over) await requireSignedInAs(tx, link.email, joined.team_id, signed_in_as)
    const person = joined ? await joinTeam(tx, link, joined, now) : await lockPersonByEmail(tx, link.email)
    if (!person) throw expired()
    if (!link.handed_over) await revokeHandedOver(tx, person.id)
    const sessionSecret = await openSession(tx, now, { person_id: person.id, handed_over: link.handed_over }, client)
    if (joined)
      await appendEntry(tx, joinOperation(person.id, joined.team_id, client), {
        kind: 'member',
        id: person.id,
        after: { role: joined.role },
      })
    return { secret: sessionSecret, return_to: link.return_to, joined }
  })
}

/** Adds the owner of the link's address to the team: creates a new person if needed, and changes the role of an existing member. */
async function joinTeam(
  tx: Pick<Tx, 'person' | 'membership'>,
  { email }: Pick<SignInLink, 'email'>,
  { team_id, role }: JoinedTeam,
  now: Date,
): Promise<Person> {
  const person = await tx.person.upsert({ where: { email }, create: { email, created_at: now }, update: { email } })
  const id = { team_id, person_id: person.id }
  await tx.membership.upsert({
    where: { team_id_person_id: id },
    create: { ...id, role, created_at: now },
    update: { role },
  })
  return person
}

/**
 * Somebody who passes a link on could use it themselves. Therefore such a link signs in nobody who is in another team or is an operator:
 * they must open it while signed in as themselves.
 */
async function requireSignedInAs(tx: Pick<Tx, 'person'>, email: string, team_id: string, signed_in_as: string | null): Promise<void> {
  const otherAccess = { OR: [{ memberships: { some: { team_id: { not: team_id } } } }, { operator_roles: { isEmpty: false } }] }
  const person = await tx.person.findFirst({ where: { email, ...otherAccess }, select: { id: true } })
  if (!person || person.id === signed_in_as) return
  throw new Refusal(
    'unauthenticated',
    'This invitation is for somebody who already has an account here: sign in as that person, and open the link again.',
  )
}

const expired = () => new Refusal('link_expired', 'This link was used, or is too old. Ask for a new one.')
