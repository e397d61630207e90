import type { App } from '#domain/app.ts'
import type { Operation } from '#domain/audit/audit-log.ts'
import { type TeamRole, teamRoles } from '#domain/closed-sets.ts'
import type { Tx } from '#domain/engines/database.ts'
import { stageDurable } from '#domain/kernel/durable-jobs.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { refuseField } from '#domain/kernel/validation.ts'
import { readEmail } from '#domain/people/email.ts'
import { isRole } from '#domain/people/roles.ts'
import { drawSecret, hashSecret } from '#domain/people/secrets.ts'
import type { Client } from '#domain/people/sessions.ts'
import { type GivenLink, urlOfLink } from '#domain/people/sign-in-links.ts'
import type { Invitation } from '#generated/prisma/client.ts'

/** An invitation waits for somebody's return from a week away. */
const INVITATION_MS = 7 * DAY_MS

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
  { team_id, invited_by, ...sent }: Place,
  { mailed = app.mail.configured, lasts_ms = INVITATION_MS, handed_over = true } = {},
): Promise<{ invitation: Invitation; link: GivenLink | null }> {
  const { email, role } = checkPlace(sent)
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

/** Whose place it is, and which. @throws Refusal validation_failed naming the field at fault */
export function checkPlace({ email: sent, role }: Pick<Place, 'email' | 'role'>): { email: string; role: TeamRole } {
  const email = readEmail(sent)
  if (!email) refuseField('email', 'The e-mail address must be one like ann@example.com.')
  if (!isRole(role)) refuseField('role', `The role must be one of ${teamRoles.join(', ')}.`)
  return { email, role }
}

/** The place that somebody has taken by an invitation. */
export interface JoinedPlace {
  team_id: string
  role: TeamRole
}

/**
 * Takes the place that an invitation keeps, which ends it; null where it is not there. In one statement: an invitation that is taken or
 * revoked at this moment is waited for, and gives no place.
 */
export async function takeInvitation(tx: Pick<Tx, '$queryRaw'>, id: string): Promise<JoinedPlace | null> {
  const [place] = await tx.$queryRaw<JoinedPlace[]>`DELETE FROM invitations WHERE id = ${id}::uuid RETURNING team_id, role`
  return place ?? null
}

/** The operation that the audit log has of somebody who takes their place in a team. */
export const joiningOf = (person_id: string, team_id: string, { address, request_id }: Client): Operation => ({
  ...{ actor_kind: 'person', actor: person_id, operation: 'acceptInvitation' },
  ...{ team_id, request_id, address },
})
