import type { Tx } from '#domain/engines/database.ts'

/** Locks a team's row until the transaction ends: of two who change what is counted or named by the team, the second waits, and sees what the first did. */
export async function lockTeamRow(tx: Pick<Tx, '$queryRaw'>, team_id: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM teams WHERE id = ${team_id}::uuid FOR NO KEY UPDATE`
}
