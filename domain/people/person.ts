import type { App } from '#domain/app.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { isPrintable, unprintable } from '#domain/kernel/printable.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { refuseField } from '#domain/kernel/validation.ts'

/** A name appears in lists beside the e-mail address. */
const NAME_MAX = 80

/**
 * Sets a person's own name; an empty name clears it.
 * @throws Refusal validation_failed; unauthenticated if the person was deleted meanwhile
 */
export async function renamePerson({ db }: Pick<App, 'db'>, id: string, sent: string): Promise<{ name: string | null }> {
  const name = sent.trim()
  if (name.length > NAME_MAX) refuseField('name', `The name must have at most ${NAME_MAX} characters.`)
  if (!isPrintable(name)) refuseField('name', unprintable('The name'))
  const [renamed] = await db.person.updateManyAndReturn({ where: { id }, data: { name: name || null }, select: { name: true } })
  if (!renamed) throw new Refusal('unauthenticated', 'You are not signed in any more.')
  return renamed
}

/** Returns the name that the company's provider has for a person; null if it is one that nobody could give themselves here. */
export function readProvidedName(sent: string | null): string | null {
  const name = sent?.trim() ?? ''
  return name !== '' && name.length <= NAME_MAX && isPrintable(name) ? name : null
}

/** How long a person without a team is kept after their last sign-in. */
const TEAMLESS_KEPT_MS = 30 * DAY_MS

/**
 * Deletes people without a team who are not operators, were created more than 30 days ago, and have not signed in for 30 days:
 * nothing else needs their address.
 */
export async function deleteTeamlessPeople({ db, clock }: Pick<App, 'db' | 'clock'>): Promise<void> {
  const before = new Date(clock.now().getTime() - TEAMLESS_KEPT_MS)
  await db.person.deleteMany({
    where: {
      memberships: { none: {} },
      operator_roles: { isEmpty: true },
      created_at: { lt: before },
      OR: [{ signed_in_at: null }, { signed_in_at: { lt: before } }],
    },
  })
}
