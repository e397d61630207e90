import type { ScopedDb, ScopedTx } from '#domain/access/scope.ts'
import type { MentionView } from '#domain/personal-data/view.ts'

const KEPT_BECAUSE =
  'They are in the team. An owner can remove them; the account, with its sessions and passkeys, is deleted a month after their last sign-in once it is in no team.'

/** Returns what the account of a member says of them, if the address is that of one. It stays: the member signs in with it. */
export async function memberMentions(db: Pick<ScopedDb | ScopedTx, 'membership'>, email: string): Promise<MentionView[]> {
  const member = await db.membership.findFirst({ where: { person: { email } }, include: { person: true } })
  if (!member) return []
  const { id, name } = member.person
  const fields = Object.entries({ email, name }).flatMap(([field, excerpt]) => (excerpt === null ? [] : [{ field, excerpt }]))
  return fields.map(({ field, excerpt }) => ({ object: 'mention', record: 'member', id, field, excerpt, kept_because: KEPT_BECAUSE }))
}
