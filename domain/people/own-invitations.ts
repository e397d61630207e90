import type { App } from '#domain/app.ts'
import { appendEntry } from '#domain/audit/audit-log.ts'
import type { TeamRole } from '#domain/closed-sets.ts'
import type { Tx } from '#domain/engines/database.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { isUuid } from '#domain/kernel/validation.ts'
import type { SignedIn } from '#domain/people/admit-person.ts'
import { type JoinedTeam, joinTeam, placeOperation } from '#domain/people/invitations.ts'
import { withLastOwnerCheck } from '#domain/people/last-owner.ts'
import { type Client, lockPerson, revokeHandedOver } from '#domain/people/sessions.ts'

type Self = SignedIn['person']

/** An open invitation, as the invited person sees it. */
export interface OwnInvitationView {
  id: string
  team: { id: string; name: string }
  role: TeamRole
  expires_at: Date
}

/**
 * The addresses whose invitations a session may accept. None if it began with a link that somebody passed on: they may have used it
 * themselves, and would get into the teams of somebody else.
 */
function provenAddresses({ email, company_email, handed_over }: Self): string[] {
  return handed_over ? [] : [email, ...(company_email === null ? [] : [company_email])]
}

/**
 * Lists the open invitations of every team to a signed-in person, oldest first. One that gives a member the role that they have, as the
 * operator's sign-in link does, offers nothing and is left out.
 */
export async function listOwnInvitations(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { person, teams }: SignedIn,
): Promise<OwnInvitationView[]> {
  const emails = provenAddresses(person)
  if (emails.length === 0) return []
  const open = await db.invitation.findMany({
    where: { email: { in: emails }, expires_at: { gt: clock.now() } },
    orderBy: [{ created_at: 'asc' }, { id: 'asc' }],
    select: { id: true, role: true, expires_at: true, team: { select: { id: true, name: true } } },
  })
  return open.filter(({ team, role }) => !teams.some((held) => held.id === team.id && held.role === role))
}

/**
 * Joins the team of an invitation to the signed-in person; a member gets its role.
 * @throws Refusal not_found if it was accepted, declined, revoked or is too old; validation_failed if the team would have no owner;
 *   unauthenticated if the session ended meanwhile
 */
export async function acceptOwnInvitation(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  self: Self,
  id: string,
  client: Client,
): Promise<JoinedTeam> {
  const now = clock.now()
  return withLastOwnerCheck('role', () =>
    db.$transaction(async (tx) => {
      // The same order of locks as for opening a link: the invitation, the person, then the team's audit log chain.
      const joined = await takeInvitation(tx, self, id, now)
      await lockPerson(tx, self.id)
      if (!(await tx.session.count({ where: { id: self.session_id } })))
        throw new Refusal('unauthenticated', 'You are not signed in any more.')
      // Nobody who used a link that was passed on earlier gets into this team with the person.
      const before = await joinTeam(tx, self.id, joined, now)
      if (!before) await revokeHandedOver(tx, self.id)
      const after = { role: joined.role }
      const operation = placeOperation('acceptInvitation', self.id, joined.team_id, client)
      await appendEntry(tx, operation, { kind: 'member', id: self.id, before, after })
      return joined
    }),
  )
}

/** Declines an invitation, which ends it. @throws Refusal not_found as for accepting it */
export async function declineOwnInvitation(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  self: Self,
  id: string,
  client: Client,
): Promise<void> {
  const now = clock.now()
  await db.$transaction(async (tx) => {
    const before = await takeInvitation(tx, self, id, now)
    const operation = placeOperation('declineInvitation', self.id, before.team_id, client)
    await appendEntry(tx, operation, { kind: 'invitation', id: id.toLowerCase(), before })
  })
}

/** Ends an invitation to the person in one statement, which waits for a concurrent acceptance or revocation. */
async function takeInvitation(tx: Pick<Tx, '$queryRaw'>, self: Self, id: string, now: Date): Promise<JoinedTeam> {
  const [taken] = isUuid(id)
    ? await tx.$queryRaw<JoinedTeam[]>`
        DELETE FROM invitations WHERE id = ${id}::uuid AND email = ANY (${provenAddresses(self)}) AND expires_at > ${now}
        RETURNING team_id, role`
    : []
  if (!taken) throw new Refusal('not_found', 'This invitation was accepted, declined or revoked, or is too old.')
  return taken
}
