import type { Tx } from '#domain/engines/database.ts'
import { nextMoment } from '#domain/watches/next-moment.ts'

/** What exposures show of their place. It is read from the place, not stored with them. */
export interface ShownPlace {
  name: string
  /** How exactly a property is located; null for one that is not, and for a territory. */
  precision: string | null
}

/**
 * Counts a place's exposures as moved if what they show of it changes: a reader that requests everything since the largest
 * moment it has seen then gets the new name. Call it in the transaction that changes the place, with the place's row locked FOR
 * UPDATE: no exposure of it can then be added meanwhile. Locks the team's row only if there are exposures to move.
 */
export async function moveShownPlace(
  tx: Pick<Tx, '$queryRaw' | '$executeRaw'>,
  { team_id, id }: { team_id: string; id: string },
  before: ShownPlace,
  after: ShownPlace,
  now: Date,
): Promise<void> {
  if (before.name === after.name && before.precision === after.precision) return
  const [first] = await tx.$queryRaw<{ id: number }[]>`
    SELECT id FROM exposures WHERE team_id = ${team_id}::uuid AND (property_id = ${id}::uuid OR territory_id = ${id}::uuid) LIMIT 1`
  if (!first) return
  const moment = await nextMoment(tx, team_id, now)
  await tx.$executeRaw`
    UPDATE exposures SET last_seen_at = ${moment}::timestamptz
     WHERE team_id = ${team_id}::uuid AND (property_id = ${id}::uuid OR territory_id = ${id}::uuid)`
}
