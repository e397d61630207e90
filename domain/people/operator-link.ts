import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { HOUR_MS } from '#domain/kernel/durations.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { invite } from '#domain/people/invitations.ts'
import type { ShareableLink } from '#domain/people/sign-in-links.ts'

/** Long enough for the operator to pass the link on by hand. */
const OPERATOR_LINK_MS = HOUR_MS

/**
 * Returns an operator's sign-in link that also adds a person to a team: for the first owner, and if the install sends no mail.
 * @throws Refusal not_found; validation_failed with each invalid field
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
    if (!link) throw new Error('an invitation that is not mailed has no link')
    auditWrite(tx, { team_id: input.team_id, kind: 'invitation', id: invitation.id, after: invitation })
    return link
  })
}
