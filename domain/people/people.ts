import type { Caller } from '#domain/access/caller.ts'
import { findOutcome, type IdempotentRequest, onceWithSecret } from '#domain/access/idempotency.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { type TeamRole, teamRoles } from '#domain/closed-sets.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { isUuid, refuseField } from '#domain/kernel/validation.ts'
import { countInvited } from '#domain/people/count-invited.ts'
import { checkInvitation, invite } from '#domain/people/invitations.ts'
import { withLastOwnerCheck } from '#domain/people/last-owner.ts'
import { isRole } from '#domain/people/roles.ts'
import type { ShareableLink } from '#domain/people/sign-in-links.ts'
import type { Invitation } from '#generated/prisma/client.ts'

/** A member of a team. */
export interface MemberView {
  id: string
  email: string
  name: string | null
  role: TeamRole
  joined_at: Date
  signed_in_at: Date | null
}

/** An open invitation; `link` is set only on creation, if the install sends no mail. */
export interface InvitationView extends Pick<Invitation, 'id' | 'email' | 'role' | 'created_at' | 'expires_at'> {
  link: ShareableLink | null
}

/** Lists the members of the caller's team, in the order in which they joined. */
export async function listPeople({ db }: Pick<Caller, 'db'>): Promise<MemberView[]> {
  const rows = await db.membership.findMany({
    orderBy: [{ created_at: 'asc' }, { person_id: 'asc' }],
    include: { person: true },
  })
  return rows.map(viewOf)
}

/** Lists open invitations, newest first. */
export async function listInvitations({ db }: Pick<Caller, 'db'>, now: Date): Promise<InvitationView[]> {
  const rows = await db.invitation.findMany({ where: { expires_at: { gt: now } }, orderBy: [{ created_at: 'desc' }, { id: 'asc' }] })
  return rows.map((row) => ({ ...row, link: null }))
}

/**
 * Invites the owner of an e-mail address; an earlier invitation to that address ends. A repeat with the same key sends no second mail
 * while the invitation is open. If the response contained a link instead of a mail, the link was lost, and a repeat returns a new one.
 * @throws Refusal validation_failed with each invalid field; rate_limited; 409 for the key
 */
export async function invitePerson(
  app: Pick<App, 'mail' | 'clock' | 'config' | 'limiter' | 'pool'>,
  caller: Pick<Caller, 'db' | 'team' | 'person'>,
  input: { email: string; role: string },
  idempotency: IdempotentRequest | null = null,
): Promise<InvitationView> {
  const { db, team, person } = caller
  const { email } = checkInvitation(input)
  const stored = idempotency && app.mail.configured ? await findOutcome<{ id: string }>(app, caller, idempotency) : null
  const pending = stored && (await db.invitation.findFirst({ where: { id: stored.outcome.id } }))
  if (pending) return { ...pending, link: null }
  await refuseMember(db, email)
  await countInvited(app, team.id, [email])
  return onceWithSecret(caller, idempotency, async (tx) => {
    await refuseMember(tx, email)
    const { invitation, link } = await invite(app, tx, { ...input, team_id: team.id, invited_by: person?.id ?? '' })
    auditWrite(tx, { kind: 'invitation', id: invitation.id, after: invitation })
    return { kept: { id: invitation.id }, shown: { ...invitation, link } }
  })
}

async function refuseMember(db: Pick<ScopedTx, 'membership'>, email: string): Promise<void> {
  if ((await db.membership.count({ where: { person: { email } } })) > 0)
    refuseField('email', 'Somebody with this address is in the team: change their role instead.')
}

/** Revokes an invitation: its link stops working. */
export async function revokeInvitation({ db }: Pick<Caller, 'db'>, id: string): Promise<void> {
  await db.$transaction(async (tx) => {
    const before = isUuid(id) ? await tx.invitation.findFirst({ where: { id } }) : null
    const { count } = before ? await tx.invitation.deleteMany({ where: { id } }) : { count: 0 }
    if (!before || count === 0) throw new Refusal('not_found', 'There is no invitation with this id.')
    auditWrite(tx, { kind: 'invitation', id: before.id, before })
  })
}

/**
 * Changes a member's role. Open invitations of the member end, because they would set another role.
 * @throws Refusal not_found; validation_failed if the role is unknown, or the team would have no owner
 */
export async function changeRole({ db }: Pick<Caller, 'db'>, id: string, role: string): Promise<MemberView> {
  if (!isRole(role)) refuseField('role', `The role must be one of ${teamRoles.join(', ')}.`)
  return withLastOwnerCheck('role', () =>
    db.$transaction(async (tx) => {
      const before = await findMember(tx, id)
      await endInvitations(tx, before)
      const { count } = await tx.membership.updateMany({ where: { person_id: id }, data: { role } })
      if (count === 0) throw noSuchMember()
      auditWrite(tx, { kind: 'member', id: before.id, before, after: { role } })
      return { ...before, role }
    }),
  )
}

/**
 * Removes a member from the team: their requests are refused at once, and no earlier invitation lets them back in.
 * @throws Refusal not_found; validation_failed if the team would have no owner
 */
export async function removePerson({ db }: Pick<Caller, 'db'>, id: string): Promise<void> {
  await withLastOwnerCheck('person', () =>
    db.$transaction(async (tx) => {
      const before = await findMember(tx, id)
      await endInvitations(tx, before)
      const { count } = await tx.membership.deleteMany({ where: { person_id: id } })
      if (count === 0) throw noSuchMember()
      auditWrite(tx, { kind: 'member', id: before.id, before })
    }),
  )
}

/** Called before the membership is changed: accepting an invitation locks rows in the same order. */
async function endInvitations(tx: ScopedTx, { email }: MemberView): Promise<void> {
  const ended = await tx.invitation.findMany({ where: { email } })
  await tx.invitation.deleteMany({ where: { email } })
  for (const before of ended) auditWrite(tx, { kind: 'invitation', id: before.id, before })
}

async function findMember(tx: ScopedTx, id: string): Promise<MemberView> {
  const row = isUuid(id) ? await tx.membership.findFirst({ where: { person_id: id }, include: { person: true } }) : null
  if (!row) throw noSuchMember()
  return viewOf(row)
}

const noSuchMember = () => new Refusal('not_found', 'There is no member with this id in the team.')

type MemberRow = { role: TeamRole; created_at: Date; person: { id: string; email: string; name: string | null; signed_in_at: Date | null } }

function viewOf({ role, created_at, person: { id, email, name, signed_in_at } }: MemberRow): MemberView {
  return { id, email, name, role, joined_at: created_at, signed_in_at }
}
