import type { App } from '#domain/app.ts'
import { chunksOf } from '#domain/kernel/chunks.ts'
import type { TouchTask } from '#domain/kernel/outbox.ts'
import { nextMoment } from '#domain/watches/next-moment.ts'

/** Exposures of one transaction, which takes some 0.2 s: it locks the team's row, and all that writes for the team waits. */
const TOUCHED_AT_ONCE = 2000

/** Counts exposures, and all those of the given places, as changed: a reader that requests everything since its cursor gets their texts again. */
export async function touchExposures(
  { db, pool, clock }: Pick<App, 'db' | 'pool' | 'clock'>,
  { team_id, exposure_ids, place_ids }: TouchTask,
): Promise<void> {
  const { rows } = await pool.query<{ id: number }>(TOUCHED, [team_id, exposure_ids, place_ids])
  const ids = rows.map(({ id }) => id)
  for (const page of chunksOf(ids, TOUCHED_AT_ONCE))
    await db.$transaction(async (tx) => {
      const [team] = await tx.$queryRaw<unknown[]>`SELECT FROM teams WHERE id = ${team_id}::uuid`
      if (!team) return
      const moment = await nextMoment(tx, team_id, clock.now())
      await tx.$executeRaw`
        UPDATE exposures SET last_seen_at = ${moment}::timestamptz WHERE team_id = ${team_id}::uuid AND id = ANY (${page}::int[])`
    })
}

/** Each part uses an index. */
const TOUCHED = `
  SELECT id FROM exposures WHERE team_id = $1::uuid AND id = ANY ($2::int[])
   UNION
  SELECT id FROM exposures WHERE team_id = $1::uuid AND property_id = ANY ($3::uuid[])
   UNION
  SELECT id FROM exposures WHERE team_id = $1::uuid AND territory_id = ANY ($3::uuid[])
   ORDER BY id`
