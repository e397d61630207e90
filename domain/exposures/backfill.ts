import type { App } from '#domain/app.ts'
import { storeCellsSince } from '#domain/archive/radar/watched-cells.ts'
import { updateDayExposures } from '#domain/exposures/detect.ts'
import { addTo, type DetectionCounts, NO_CHANGES } from '#domain/exposures/detection-counts.ts'
import type { TouchedDay } from '#domain/exposures/touched-days.ts'
import { updateWarningExposures, warningsNear } from '#domain/exposures/warnings.ts'
import { chunksOf } from '#domain/kernel/chunks.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import type { BackfillTask } from '#domain/kernel/outbox.ts'

/** Days of exposures that a new, resumed, moved or widened watch receives. */
const BACKFILL_DAYS = 30
/** A backfill records what happened before the watch without emitting events, now or when such a day is detected again. */
const SILENT = { quiet: true, counts_as_posted: true }
/** Days whose exposures are updated in one transaction. */
const PAGE = 50

/**
 * Detects the exposures of the last 30 days at a watched place, without announcing them, except for days that a detection would
 * still announce: after this one it would find nothing new. Exposures that an earlier shape or
 * location of the place found stay as they were. Repeatable. A place that is no longer watched is skipped.
 */
export async function backfill(app: App, id: number, task: BackfillTask): Promise<DetectionCounts> {
  const { subject, subject_id } = task
  const sum = { ...NO_CHANGES }
  const watch = await app.db.watchCell.findFirst({ where: { subject, subject_id }, select: { team_id: true } })
  if (!watch) return sum
  const since = new Date(app.clock.now().getTime() - BACKFILL_DAYS * DAY_MS)
  await storeCellsSince(app, subject_id, since)
  const days = await daysNear(app, { team_id: watch.team_id, subject, subject_id }, since)
  for (const page of chunksOf(days, PAGE)) addTo(sum, await updateDayExposures(app, page, { ...SILENT, backfill: { id, ...task } }))
  for (const { key, exposed } of await warningsNear(app.db, subject_id, since))
    addTo(sum, await updateWarningExposures(app, [key], [{ team_id: watch.team_id, subject, subject_id, exposed }], SILENT.quiet))
  return sum
}

/**
 * Returns the days to update: those since `since` with a record in the place's cells, and those of its existing exposures,
 * whatever their date.
 */
async function daysNear({ pool }: Pick<App, 'pool'>, place: Omit<TouchedDay, 'date'>, since: Date): Promise<TouchedDay[]> {
  const { rows } = await pool.query<{ date: string }>(
    `SELECT c.occurred_on AS date FROM watch_cells w JOIN record_cells c ON c.cell = w.cell
      WHERE w.subject_id = $1 AND c.occurred_on >= $2::date
      UNION
     SELECT e.date FROM exposures e WHERE e.kind = 'record' AND (e.property_id = $1 OR e.territory_id = $1)
      ORDER BY date`,
    [place.subject_id, since.toISOString().slice(0, 10)],
  )
  return rows.map(({ date }) => ({ ...place, date }))
}
