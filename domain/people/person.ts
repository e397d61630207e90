import type { App } from '#domain/app.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { isPrintable } from '#domain/kernel/printable.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { refuseField } from '#domain/kernel/validation.ts'

/** A name stands in lists, beside the address. */
const NAME_MAX = 80

/**
 * Sets somebody's own name; an empty one takes it away.
 * @throws Refusal validation_failed; unauthenticated where they were forgotten meanwhile
 */
export async function renamePerson({ db }: Pick<App, 'db'>, id: string, sent: string): Promise<{ name: string | null }> {
  const name = sent.trim()
  if (name.length > NAME_MAX) refuseField('name', `The name must have at most ${NAME_MAX} characters.`)
  if (!isPrintable(name)) refuseField('name', 'The name must not contain control characters or marks that turn the reading direction.')
  const [renamed] = await db.person.updateManyAndReturn({ where: { id }, data: { name: name || null }, select: { name: true } })
  if (!renamed) throw new Refusal('unauthenticated', 'You are not signed in any more.')
  return renamed
}

/** Somebody who is in no team, and has not signed in for so long, is forgotten. */
const TEAMLESS_KEPT_MS = 30 * DAY_MS

/** Forgets people whom no team has had for a month, and who are no operators: their address is kept for nothing else. */
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
