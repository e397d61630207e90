import type { Tx } from '#domain/engines/database.ts'

/** Locks a team's row until the transaction ends: of two concurrent changes, the second waits and sees the result of the first. */
export async function lockTeamRow(tx: Pick<Tx, '$queryRaw'>, team_id: string): Promise<void> {
  await tx.$queryRaw`SELECT id FROM teams WHERE id = ${team_id}::uuid FOR NO KEY UPDATE`
}
