import { lockTeamRow } from '#domain/access/lock-team-row.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import type { Tx } from '#domain/engines/database.ts'
import { HOUR_MS } from '#domain/kernel/durations.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { refuseField } from '#domain/kernel/validation.ts'
import { invite } from '#domain/people/invitations.ts'
import type { ShareableLink } from '#domain/people/sign-in-links.ts'
import type { Invitation } from '#generated/prisma/client.ts'

/** Long enough for the operator to pass the link on by hand. */
const OPERATOR_LINK_MS = HOUR_MS

const ONLY_OWNER = 'This person is the only owner of the team. Choose the role owner, or add another owner first.'

/**
 * Returns an operator's sign-in link that also adds a person to a team: for the first owner, and if the install sends no mail.
 * @throws Refusal not_found; validation_failed with each invalid field, and if the link would leave the team without an owner
 */
export async function createOperatorLink(
  app: Pick<App, 'db' | 'mail' | 'clock' | 'config'>,
  input: { team_id: string; email: string; role: string },
): Promise<ShareableLink> {
  return app.db.$transaction(async (tx) => {
    if (!(await tx.team.count({ where: { id: input.team_id } }))) throw new Refusal('not_found', 'There is no team with this id.')
    const { invitation, link } = await invite(
      app,
      tx,
      { ...input, invited_by: 'operator' },
      { mailed: false, lasts_ms: OPERATOR_LINK_MS, handed_over: false },
    )
    // After the invitations, as in the removal of an owner: the two then cannot deadlock, and the owners counted below are those that remain.
    await lockTeamRow(tx, input.team_id)
    if (invitation.role !== 'owner' && (await isOnlyOwner(tx, invitation))) refuseField('role', ONLY_OWNER)
    if (!link) throw new Error('an invitation that is not mailed has no link')
    auditWrite(tx, { team_id: input.team_id, kind: 'invitation', id: invitation.id, after: invitation })
    return link
  })
}

async function isOnlyOwner(tx: Pick<Tx, 'membership'>, { team_id, email }: Pick<Invitation, 'team_id' | 'email'>): Promise<boolean> {
  const owners = await tx.membership.findMany({ where: { team_id, role: 'owner' }, select: { person: { select: { email: true } } } })
  return owners.length === 1 && owners[0]?.person.email === email
}
