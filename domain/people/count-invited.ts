import { countOne, countSome, requireRequestBudget } from '#domain/access/rate-limit.ts'
import type { App } from '#domain/app.ts'
import { hashSecret } from '#domain/people/secrets.ts'

/** Unsolicited mails in a minute: by one team, and to one address. */
const INVITATIONS_PER_TEAM = 30
const INVITATIONS_PER_ADDRESS = 3

/**
 * Counts the unsolicited mails that a team is about to send: invitations, and confirmations of alerts. All are counted or none: if one
 * address has reached its limit, the team's limit is not used.
 * @throws Refusal rate_limited
 */
export async function countInvited(app: Pick<App, 'limiter' | 'clock'>, team_id: string, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return
  const buckets = addresses.map((address) => `invited:${hashSecret(address)}`)
  for (const bucket of buckets) await requireRequestBudget(app, bucket, INVITATIONS_PER_ADDRESS)
  await countSome(app, `invited-by:${team_id}`, INVITATIONS_PER_TEAM, addresses.length)
  for (const bucket of buckets) await countOne(app, bucket, INVITATIONS_PER_ADDRESS)
}
