import { lockTeamRow } from '#domain/access/lock-team-row.ts'
import type { Tx } from '#domain/engines/database.ts'

/**
 * Counts a team's properties, watching and paused, and locks the team's row: no other can be added before the transaction ends.
 * Call it before writing any property, so that writes of one team queue in one order.
 */
export async function lockTeamAndCount(tx: Pick<Tx, '$queryRaw' | 'property'>, team_id: string): Promise<number> {
  await lockTeamRow(tx, team_id)
  return tx.property.count({ where: { team_id, status: { not: 'archived' } } })
}
