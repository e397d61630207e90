import { countOne, countSome } from '#domain/access/authenticate.ts'
import type { App } from '#domain/app.ts'
import { hashSecret } from '#domain/people/secrets.ts'

/** Mails of a team in a minute to people who asked for none, and those to one address. */
const INVITED_BY_TEAM = 30
const INVITED_ADDRESS = 3

/**
 * Counts those whom a team is about to mail though they asked for nothing: invited to the team, or to confirm that they want its alerts.
 * @param addresses null for one that cannot be read, which counts for the team alone
 * @throws Refusal rate_limited
 */
export async function countInvited(
  app: Pick<App, 'limiter' | 'clock'>,
  team_id: string,
  addresses: readonly (string | null)[],
): Promise<void> {
  if (addresses.length === 0) return
  await countSome(app, `invited-by:${team_id}`, INVITED_BY_TEAM, addresses.length)
  for (const address of addresses) if (address !== null) await countOne(app, `invited:${hashSecret(address)}`, INVITED_ADDRESS)
}
