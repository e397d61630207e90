import { countOne, countSome, requireRoom } from '#domain/access/authenticate.ts'
import type { App } from '#domain/app.ts'
import { hashSecret } from '#domain/people/secrets.ts'

/** Mails of a team in a minute to people who asked for none, and those to one address. */
const INVITED_BY_TEAM = 30
const INVITED_ADDRESS = 3

/**
 * Counts those whom a team is about to mail though they asked for nothing: invited to the team, or to confirm that they want its alerts.
 * All of them, or none: where one has been mailed as often as it may be, nothing is taken of the team's share.
 * @throws Refusal rate_limited
 */
export async function countInvited(app: Pick<App, 'limiter' | 'clock'>, team_id: string, addresses: readonly string[]): Promise<void> {
  if (addresses.length === 0) return
  const buckets = addresses.map((address) => `invited:${hashSecret(address)}`)
  for (const bucket of buckets) await requireRoom(app, bucket, INVITED_ADDRESS)
  await countSome(app, `invited-by:${team_id}`, INVITED_BY_TEAM, addresses.length)
  for (const bucket of buckets) await countOne(app, bucket, INVITED_ADDRESS)
}
