import { lockTeamRow } from '#domain/access/lock-team-row.ts'
import type { Tx } from '#domain/engines/database.ts'

/**
 * Counts a team's territories, watching and paused, and locks the team's row: no other can be added before the transaction
 * ends. Call it before writing any territory, so that writes of one team queue in one order.
 */
export async function lockTeamAndCount(tx: Pick<Tx, '$queryRaw' | 'territory'>, team_id: string): Promise<number> {
  await lockTeamRow(tx, team_id)
  return tx.territory.count({ where: { team_id, status: { not: 'archived' } } })
}
