import { countClient } from '#domain/access/rate-limit.ts'
import type { App } from '#domain/app.ts'
import { appendEntry } from '#domain/audit/audit-log.ts'
import type { Tx } from '#domain/engines/database.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { acceptInvitation, type JoinedTeam, joinTeam, placeOperation } from '#domain/people/invitations.ts'
import { withLastOwnerCheck } from '#domain/people/last-owner.ts'
import { hashSecret } from '#domain/people/secrets.ts'
import { type Client, lockPersonByEmail, openSession, type Proof, revokeHandedOver } from '#domain/people/sessions.ts'

/** Links that one client may try in a minute: 256 bits cannot be guessed, but each attempt costs the service. */
const ATTEMPTS_PER_CLIENT = 30

/** The valid session of a browser. */
interface SessionProof extends Proof {
  session_id: string
}

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
 * @param readSession reads the session of the browser that opens it, after the attempt was counted; null if nobody is signed in
 * @throws Refusal link_expired if it is unknown, used or too old, or the invitation was revoked; unauthenticated if somebody else
 *   passed it on, and it is for a person who is in another team or is an operator; validation_failed if the team would have no owner
 */
export async function spendLink(
  app: Pick<App, 'db' | 'clock' | 'limiter'>,
  secret: string,
  client: Client,
  readSession: () => Promise<SessionProof | null> = async () => null,
): Promise<SignedInByLink> {
  await countClient(app, 'sign-in-tried', client.address, ATTEMPTS_PER_CLIENT)
  const signed_in = await readSession()
  const now = app.clock.now()
  return app.db.$transaction(async (tx) => {
    const [link] = await tx.signInLink.updateManyAndReturn({
      where: { hash: hashSecret(secret), spent_at: null, expires_at: { gt: now } },
      data: { spent_at: now },
    })
    if (!link) throw expired()
    const joined = link.invitation_id === null ? null : await acceptInvitation(tx, link.invitation_id)
    if (link.invitation_id !== null && !joined) throw expired()
    const person = joined ? await lockOrCreatePerson(tx, link.email, now) : await lockPersonByEmail(tx, link.email)
    if (!person) throw expired()
    const before = joined && (await withLastOwnerCheck('role', () => joinTeam(tx, person.id, joined, now)))
    const self = await ownSession(tx, person.id, signed_in)
    if (joined && link.handed_over && !self) await refuseOtherAccess(tx, person.id, joined.team_id)
    const handed_over = link.handed_over && self?.handed_over !== false
    // An earlier link that was passed on may have been used by somebody else, who must not get into this team with the person.
    if (!handed_over || (joined && !before)) await revokeHandedOver(tx, person.id)
    const sessionSecret = await openSession(tx, now, { person_id: person.id, handed_over }, client)
    if (joined)
      await appendEntry(tx, placeOperation('acceptInvitation', person.id, joined.team_id, client), {
        kind: 'member',
        id: person.id,
        before,
        after: { role: joined.role },
      })
    return { secret: sessionSecret, return_to: link.return_to, joined }
  })
}

/** Returns the person who has the link's address, and locks them until the transaction ends; creates a new one if needed. */
function lockOrCreatePerson(tx: Pick<Tx, 'person'>, email: string, now: Date): Promise<{ id: string }> {
  return tx.person.upsert({ where: { email }, create: { email, created_at: now }, update: { email }, select: { id: true } })
}

/** The session in which the person opens the link; null if it is somebody else's, or has ended meanwhile. */
async function ownSession(tx: Pick<Tx, 'session'>, person_id: string, signed_in: SessionProof | null): Promise<SessionProof | null> {
  if (signed_in?.person_id !== person_id) return null
  return (await tx.session.count({ where: { id: signed_in.session_id } })) > 0 ? signed_in : null
}

/**
 * Somebody who passes a link on could use it themselves. Therefore such a link signs in nobody who is in another team or is an operator:
 * they must open it while signed in as themselves.
 */
async function refuseOtherAccess(tx: Pick<Tx, 'person'>, id: string, team_id: string): Promise<void> {
  const otherAccess = { OR: [{ memberships: { some: { team_id: { not: team_id } } } }, { operator_roles: { isEmpty: false } }] }
  if ((await tx.person.count({ where: { id, ...otherAccess } })) === 0) return
  throw new Refusal(
    'unauthenticated',
    'This invitation is for somebody who already has an account here: sign in as that person, and open the link again.',
  )
}

const expired = () => new Refusal('link_expired', 'This link was used, or is too old. Ask for a new one.')
