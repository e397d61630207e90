import { checkOperatorRoles } from '#domain/access/operator.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { type OperatorRole, operatorRoles } from '#domain/closed-sets.ts'
import type { Tx } from '#domain/engines/database.ts'
import { HOUR_MS } from '#domain/kernel/durations.ts'
import { gatherFaults, refuseField } from '#domain/kernel/validation.ts'
import { INVALID_EMAIL, readEmail } from '#domain/people/email.ts'
import { drawSecret, hashSecret } from '#domain/people/secrets.ts'
import { revokeHandedOver } from '#domain/people/sessions.ts'
import { type ShareableLink, urlOfLink } from '#domain/people/sign-in-links.ts'
import type { Prisma } from '#generated/prisma/client.ts'

/** The link is passed on by hand, like an operator's link to a team. */
const LINK_MS = HOUR_MS

/** An operator who signs in to the console. */
export interface OperatorView {
  id: string
  email: string
  name: string | null
  roles: OperatorRole[]
  signed_in_at: Date | null
  /** Only when they become an operator: a sign-in link that works once. */
  link: ShareableLink | null
}

const columns = { id: true, email: true, name: true, operator_roles: true, signed_in_at: true } satisfies Prisma.PersonSelect

/** Lists all operators, by address. */
export async function listOperators({ db }: Pick<App, 'db'>): Promise<OperatorView[]> {
  const rows = await db.person.findMany({ where: { operator_roles: { isEmpty: false } }, orderBy: { email: 'asc' }, select: columns })
  return rows.map((row) => viewOf(row, null))
}

/**
 * Makes somebody an operator with these roles; an empty list ends it. The person is signed out everywhere: a session that was
 * opened without these roles never gains them.
 * @throws Refusal validation_failed with each invalid field, and for an empty list with the address of nobody
 */
export async function setOperator(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  { email: sent, roles: wanted }: { email: string; roles: readonly string[] },
): Promise<OperatorView> {
  const faults = gatherFaults()
  const email = readEmail(sent)
  faults.unless(email !== null, 'email', INVALID_EMAIL)
  checkOperatorRoles(wanted, faults)
  faults.refuse()
  const operator_roles = operatorRoles.filter((role) => wanted.includes(role))
  const now = app.clock.now()
  return app.db.$transaction(async (tx) => {
    const where = { email: email ?? '' }
    const before = await tx.person.findUnique({ where, select: columns })
    if (!before && operator_roles.length === 0) refuseField('email', 'There is no person with this e-mail address.')
    const after = await tx.person.upsert({
      where,
      create: { ...where, operator_roles, created_at: now },
      update: { operator_roles },
      select: columns,
    })
    await revokeHandedOver(tx, after.id)
    await tx.session.deleteMany({ where: { person_id: after.id } })
    auditWrite(tx, { kind: 'operator', id: after.id, before, after })
    return viewOf(after, operator_roles.length > 0 ? await linkFor(app, tx, after.email, now) : null)
  })
}

async function linkFor({ config }: Pick<App, 'config'>, tx: Pick<Tx, 'signInLink'>, email: string, now: Date): Promise<ShareableLink> {
  const secret = drawSecret()
  const expires_at = new Date(now.getTime() + LINK_MS)
  await tx.signInLink.create({
    data: { email, hash: hashSecret(secret), return_to: '/app/operator', handed_over: false, created_at: now, expires_at },
  })
  return { url: urlOfLink(config, secret), expires_at }
}

type OperatorRow = Prisma.PersonGetPayload<{ select: typeof columns }>

function viewOf({ operator_roles, ...person }: OperatorRow, link: ShareableLink | null): OperatorView {
  return { ...person, roles: operator_roles, link }
}
