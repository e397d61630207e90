import type { Tx } from '#domain/engines/database.ts'
import type { BackfillTask } from '#domain/kernel/outbox.ts'

/** A job that backfills a place. */
export interface Backfill extends BackfillTask {
  id: number
}

/**
 * Returns those dates for which a detection that announces what it finds at the place is still to run: a backfill must not
 * record them silently before it. For a place that was not watched before, only detections staged after the backfill count.
 * Call it after the archive was read: a record and its detection are committed together.
 */
export async function awaitedDays(
  tx: Pick<Tx, '$queryRawUnsafe'>,
  { id, subject_id, watched_before = false }: Backfill,
  dates: string[],
): Promise<ReadonlySet<string>> {
  const rows = await tx.$queryRawUnsafe<{ date: string }[]>(AWAITED_DAYS, dates, subject_id, watched_before, id)
  return new Set(rows.map(({ date }) => date))
}

const AWAITED_DAYS = `
  WITH awaited AS MATERIALIZED (
    SELECT (j.task ->> 'from')::date AS first, (j.task ->> 'to')::date AS last FROM lasting_jobs j
     WHERE j.job = 'detection.run' AND ($3::boolean OR j.id > $4::bigint) AND NOT (j.task ->> 'quiet')::boolean AND j.task -> 'warnings' IS NULL
       AND EXISTS (SELECT FROM jsonb_array_elements_text(j.task -> 'cells') AS touched (cell)
                     JOIN watch_cells w ON w.cell = touched.cell::int WHERE w.subject_id = $2::uuid))
  SELECT day.date::text AS date FROM unnest($1::date[]) AS day (date)
   WHERE EXISTS (SELECT FROM awaited WHERE day.date BETWEEN awaited.first AND awaited.last)`
