import type { App } from '#domain/app.ts'
import type { TouchTask } from '#domain/kernel/outbox.ts'
import { nextMoment } from '#domain/watches/next-moment.ts'

/** Counts exposures, and all those of the given places, as changed: a reader that requests everything since its cursor gets their texts again. */
export async function touchExposures(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  { team_id, exposure_ids, place_ids }: TouchTask,
): Promise<void> {
  await db.$transaction(async (tx) => {
    const [team] = await tx.$queryRaw<unknown[]>`SELECT FROM teams WHERE id = ${team_id}::uuid`
    if (!team) return
    const moment = await nextMoment(tx, team_id, clock.now())
    await tx.$executeRaw`
      UPDATE exposures SET last_seen_at = ${moment}::timestamptz
       WHERE team_id = ${team_id}::uuid
         AND (id = ANY (${exposure_ids}::int[]) OR property_id = ANY (${place_ids}::uuid[]) OR territory_id = ANY (${place_ids}::uuid[]))`
  })
}
