import { lockTeamRow } from '#domain/access/lock-team-row.ts'
import type { Tx } from '#domain/engines/database.ts'

/**
 * Counts the territories that a team holds, watching and paused, under the lock of the team's row: nobody adds another
 * before the transaction ends. Taken before any territory is written, so that writes of one team queue in one order.
 */
export async function lockTeamAndCount(tx: Pick<Tx, '$queryRaw' | 'territory'>, team_id: string): Promise<number> {
  await lockTeamRow(tx, team_id)
  return tx.territory.count({ where: { team_id, status: { not: 'archived' } } })
}
