import { lockTeamRow } from '#domain/access/lock-team-row.ts'
import type { Tx } from '#domain/engines/database.ts'
import { nextMoment } from '#domain/watches/next-moment.ts'

/**
 * Sets `report_id` of every exposure of a property to the newest complete report whose window contains its day, in the
 * transaction that completes or removes a report. Only exposures whose report changes are written, and they count as changed. The
 * team's row is locked before anything is read, so that two concurrent reports, or a report and a concurrent storm day, see
 * each other.
 * @param property_id null for a report that belongs to no property
 */
export async function linkReports(
  tx: Pick<Tx, '$queryRaw' | '$executeRaw'>,
  team_id: string,
  property_id: string | null,
  now: Date,
): Promise<void> {
  if (property_id === null) return
  await lockTeamRow(tx, team_id)
  const changed = await tx.$queryRaw<{ id: number; report_id: string | null }[]>`
    SELECT id, newest.report_id FROM exposures e
      LEFT JOIN LATERAL (
        SELECT r.id AS report_id FROM reports r
         WHERE r.team_id = e.team_id AND r.property_id = e.property_id AND r.status = 'complete'
           AND e.date BETWEEN r.window_start AND r.window_end
         ORDER BY r.generated_at DESC, r.id DESC LIMIT 1) newest ON true
     WHERE e.team_id = ${team_id}::uuid AND e.property_id = ${property_id}::uuid AND e.report_id IS DISTINCT FROM newest.report_id`
  if (changed.length === 0) return
  const moment = await nextMoment(tx, team_id, now)
  await tx.$executeRaw`
    UPDATE exposures e SET report_id = c.report_id, last_seen_at = ${moment}::timestamptz
      FROM unnest(${changed.map(({ id }) => id)}::int[], ${changed.map(({ report_id }) => report_id)}::uuid[]) AS c (id, report_id)
     WHERE e.team_id = ${team_id}::uuid AND e.id = c.id`
}
