import type { App } from '#domain/app.ts'
import type { Operation } from '#domain/audit/audit-log.ts'
import { type TeamRole, teamRoles } from '#domain/closed-sets.ts'
import type { Tx } from '#domain/engines/database.ts'
import { stageDurable } from '#domain/kernel/durable-jobs.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { present } from '#domain/kernel/present.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'
import { INVALID_EMAIL, readEmail } from '#domain/people/email.ts'
import { drawSecret, hashSecret } from '#domain/people/secrets.ts'
import type { Client } from '#domain/people/sessions.ts'
import { type ShareableLink, urlOfLink } from '#domain/people/sign-in-links.ts'
import type { Invitation } from '#generated/prisma/client.ts'

/** Long enough for somebody who is away for a week. */
const INVITATION_MS = 7 * DAY_MS

/** An invitation to create: whom to invite to which team, in which role. */
export interface InvitationInput {
  team_id: string
  email: string
  role: string
  /** Id of the inviting person, or `operator`. */
  invited_by: string
}

/**
 * Invites an e-mail address to a team, replacing an earlier invitation. The link is mailed if the install sends mail, else returned to
 * the inviter. Runs in a transaction of the team or of the service.
 * @throws Refusal validation_failed with each invalid field
 */
export async function invite(
  app: Pick<App, 'mail' | 'clock' | 'config'>,
  tx: Pick<Tx, 'invitation' | 'signInLink' | '$executeRawUnsafe'>,
  { team_id, invited_by, ...sent }: InvitationInput,
  { mailed = app.mail.configured, lasts_ms = INVITATION_MS, handed_over = true } = {},
): Promise<{ invitation: Invitation; link: ShareableLink | null }> {
  const { email, role } = checkInvitation(sent)
  const now = app.clock.now()
  const expires_at = new Date(now.getTime() + lasts_ms)
  const invitation = await replaceInvitation(tx, { team_id, email, role, invited_by, created_at: now, expires_at })
  const secret = mailed ? null : drawSecret()
  const id = crypto.randomUUID()
  // A team may insert the link but not read it, so it is inserted without being returned.
  await tx.signInLink.createMany({
    data: [{ id, email, invitation_id: invitation.id, hash: secret && hashSecret(secret), handed_over, created_at: now, expires_at }],
  })
  if (mailed) await stageDurable(tx, 'sign_in_link.mail', { link_id: id })
  return { invitation, link: secret === null ? null : { url: urlOfLink(app.config, secret), expires_at } }
}

/** Each attempt after the first follows another invitation of the address that was committed in between. */
const ATTEMPTS_MAX = 5

/**
 * Stores an invitation in place of an earlier one of the address, whose link it ends. Of two concurrent ones the second waits for the first
 * and replaces it.
 */
async function replaceInvitation(tx: Pick<Tx, 'invitation'>, row: Omit<Invitation, 'id'>): Promise<Invitation> {
  const { team_id, email } = row
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt++) {
    await tx.invitation.deleteMany({ where: { team_id, email } })
    const [stored] = await tx.invitation.createManyAndReturn({ data: [row], skipDuplicates: true })
    if (stored) return stored
  }
  throw new Error(`${ATTEMPTS_MAX} other invitations of an address were stored meanwhile`)
}

/** Checks address and role. @throws Refusal validation_failed with each invalid field */
export function checkInvitation(sent: Pick<InvitationInput, 'email' | 'role'>): { email: string; role: TeamRole } {
  const email = readEmail(sent.email)
  const role = teamRoles.find((one) => one === sent.role)
  const faults = gatherFaults()
  faults.unless(email !== null, 'email', INVALID_EMAIL)
  faults.unless(role !== undefined, 'role', `The role must be one of ${teamRoles.join(', ')}.`)
  faults.refuse()
  return { email: present(email), role: present(role) }
}

/** Team and role of an accepted invitation. */
export interface JoinedTeam {
  team_id: string
  role: TeamRole
}

/**
 * Accepts an invitation, which ends it; null if it does not exist. It is a single statement, so that it waits for a concurrent
 * acceptance or revocation, and then returns null.
 */
export async function acceptInvitation(tx: Pick<Tx, '$queryRaw'>, id: string): Promise<JoinedTeam | null> {
  const [joined] = await tx.$queryRaw<JoinedTeam[]>`DELETE FROM invitations WHERE id = ${id}::uuid RETURNING team_id, role`
  return joined ?? null
}

/**
 * Adds a person to the team of an accepted invitation, or gives a member its role. Lock the person first, so that nobody gives them
 * other access meanwhile. Returns their role before; null if they are new in the team.
 */
export async function joinTeam(
  tx: Pick<Tx, 'membership'>,
  person_id: string,
  { team_id, role }: JoinedTeam,
  now: Date,
): Promise<{ role: TeamRole } | null> {
  const team_id_person_id = { team_id, person_id }
  const before = await tx.membership.findUnique({ where: { team_id_person_id }, select: { role: true } })
  await tx.membership.upsert({ where: { team_id_person_id }, create: { ...team_id_person_id, role, created_at: now }, update: { role } })
  return before
}

/** What a person does about their own place in a team. */
type PlaceOperation = 'acceptInvitation' | 'declineInvitation' | 'joinByCompany'

/** The audit log's operation for a person who joins a team or declines to. */
export const placeOperation = (
  operation: PlaceOperation,
  person_id: string,
  team_id: string,
  { address, request_id }: Client,
): Operation => ({ actor_kind: 'person', actor: person_id, operation, team_id, request_id, address })
