import type { ScopedTx } from '#domain/access/scope.ts'
import type { ExposureOutcome, ExposureState } from '#domain/closed-sets.ts'
import { nextMoment } from '#domain/watches/next-moment.ts'

/** What a move does to an exposure that the team has. */
export interface Move {
  before: ExposureState
  outcome: Exclude<ExposureOutcome, 'not_found'>
}

/** Where to move exposures. */
export interface MoveTarget {
  state: ExposureState
  /** Moves only exposures that were acknowledged or dismissed at this time, and not again since. */
  decided_at?: string | undefined
  /** Moves only exposures that are neither acknowledged nor dismissed. */
  only_if_open?: boolean
}

/**
 * Moves exposures of a team to one state; those already in it stay as they are.
 * @returns the move of each; ids that the team does not have are missing
 */
export async function moveExposures(
  tx: ScopedTx,
  team_id: string,
  ids: readonly number[],
  target: MoveTarget,
  now: Date,
): Promise<Map<number, Move>> {
  const planned = await planMoves(tx, team_id, ids, target)
  if ([...planned.values()].every(({ outcome }) => outcome !== 'moved')) return planned
  // Lock the team's row first, as every writer of exposures does: two writers then cannot deadlock.
  const moment = await nextMoment(tx, team_id, now)
  const moves = await planMoves(tx, team_id, ids, target)
  const movedIds = [...moves].flatMap(([id, { outcome }]) => (outcome === 'moved' ? [id] : []))
  const { state } = target
  await tx.$executeRaw`
    UPDATE exposures SET
      acknowledged_at = CASE WHEN ${state} = 'acknowledged' THEN ${now}::timestamptz END,
      dismissed_at = CASE WHEN ${state} = 'dismissed' THEN ${now}::timestamptz END,
      last_seen_at = ${moment}::timestamptz
     WHERE team_id = ${team_id}::uuid AND id = ANY (${movedIds}::int[])`
  return moves
}

async function planMoves(
  tx: ScopedTx,
  team_id: string,
  ids: readonly number[],
  { state, decided_at, only_if_open }: MoveTarget,
): Promise<Map<number, Move>> {
  const rows = await tx.$queryRaw<{ id: number; before: ExposureState; is_expected: boolean }[]>`
    SELECT id, CASE WHEN dismissed_at IS NOT NULL THEN 'dismissed' WHEN acknowledged_at IS NOT NULL THEN 'acknowledged' ELSE 'open' END AS before,
           coalesce(${decided_at ?? null}::timestamptz, acknowledged_at, dismissed_at)
             IS NOT DISTINCT FROM coalesce(acknowledged_at, dismissed_at) AS is_expected
      FROM exposures WHERE team_id = ${team_id}::uuid AND id = ANY (${ids}::int[])`
  const outcomeOf = ({ before, is_expected }: (typeof rows)[number]): Move['outcome'] => {
    if (before === state) return 'unchanged'
    return is_expected && (before === 'open' || !only_if_open) ? 'moved' : 'decided_since'
  }
  return new Map(rows.map((row) => [row.id, { before: row.before, outcome: outcomeOf(row) }]))
}
