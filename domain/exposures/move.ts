import type { ScopedTx } from '#domain/access/scope.ts'
import type { ExposureState } from '#domain/closed-sets.ts'
import { nextMoment } from '#domain/watches/next-moment.ts'

/**
 * Moves exposures of a team to one state; those already in it stay as they are.
 * @returns the previous state of each; ids that the team does not have are missing
 */
export async function moveExposures(
  tx: ScopedTx,
  team_id: string,
  ids: readonly number[],
  state: ExposureState,
  now: Date,
): Promise<Map<number, ExposureState>> {
  const before = await readStates(tx, team_id, ids)
  if ([...before.values()].every((current) => current === state)) return before
  // Lock the team's row first, as every writer of exposures does: two writers then cannot deadlock.
  const moment = await nextMoment(tx, team_id, now)
  const lockedStates = await readStates(tx, team_id, ids)
  const movedIds = [...lockedStates].flatMap(([id, from]) => (from === state ? [] : [id]))
  await tx.$executeRaw`
    UPDATE exposures SET
      acknowledged_at = CASE WHEN ${state} = 'acknowledged' THEN ${now}::timestamptz END,
      dismissed_at = CASE WHEN ${state} = 'dismissed' THEN ${now}::timestamptz END,
      last_seen_at = ${moment}::timestamptz
     WHERE team_id = ${team_id}::uuid AND id = ANY (${movedIds}::int[])`
  return lockedStates
}

async function readStates(tx: ScopedTx, team_id: string, ids: readonly number[]): Promise<Map<number, ExposureState>> {
  const rows = await tx.$queryRaw<{ id: number; state: ExposureState }[]>`
    SELECT id, CASE WHEN dismissed_at IS NOT NULL THEN 'dismissed' WHEN acknowledged_at IS NOT NULL THEN 'acknowledged' ELSE 'open' END AS state
      FROM exposures WHERE team_id = ${team_id}::uuid AND id = ANY (${ids}::int[])`
  return new Map(rows.map(({ id, state }) => [id, state]))
}
