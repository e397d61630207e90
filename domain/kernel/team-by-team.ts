import type { Logger } from 'pino'
import { pluralize } from '#domain/kernel/text.ts'

/**
 * Runs work for items that each belong to a team. If it fails for one, the team's further items are left out, but those of other teams are not: a team
 * whose rows are locked or at fault does not hold up the others.
 * @param failure what the log says of a team for which it failed
 * @throws Error after the last item, if it failed for any team
 */
export async function runTeamByTeam<Item extends { team_id: string }>(
  { log }: { log: Pick<Logger, 'error'> },
  items: Iterable<Item> | AsyncIterable<Item>,
  failure: string,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failed = new Set<string>()
  for await (const item of items) {
    const { team_id } = item
    if (failed.has(team_id)) continue
    try {
      await work(item)
    } catch (err) {
      failed.add(team_id)
      log.error({ team_id, err }, failure)
    }
  }
  if (failed.size > 0) throw new Error(`${failure} (${pluralize(failed.size, 'team')})`)
}
