import type pg from 'pg'
import { type RecordType, severities } from '#domain/archive/families.ts'
import type { Box } from '#domain/archive/radar/frames.ts'
import { IN_USE } from '#domain/archive/superseded.ts'
import { cellsOfBox } from '#domain/maps/records.ts'

/** What people saw and what was warned of on a storm day. */
export interface Context {
  reports: { at: string; type: RecordType; magnitude_in: number | null; latitude: number; longitude: number }[]
  warnings: { label: string; issued: string; expires: string }[]
}

/** Reports of a day at most: a day of all records ever held in six degrees is below; the strongest are kept. */
export const REPORTS_MAX = 2000

/**
 * What people or instruments reported, with a place of its own inside a box, on a day, and warnings in force then that meet
 * the box. Radar's estimates are no reports: the moments show them. Preliminary ones only where no final
 * record is held, made-up ones only where nothing real is.
 */
export async function contextOf(pool: pg.Pool, box: Box, date: string, from: Date, until: Date): Promise<Context> {
  const cells = cellsOfBox(box)
  const [reports, warnings] = await Promise.all([
    pool.query<Context['reports'][number] & { source: string }>({
      name: 'reports_of_day',
      text: REPORTS,
      values: reportValues(cells, box, date),
    }),
    pool.query<Context['warnings'][number]>({ name: 'warnings_of_day', text: WARNINGS, values: [cells, from, until] }),
  ])
  const real = reports.rows.some(({ source }) => source !== 'sample')
  return {
    reports: reports.rows.filter(({ source }) => !real || source !== 'sample').map(({ source: _, ...report }) => report),
    warnings: warnings.rows,
  }
}

function reportValues(cells: number[], { south, west, north, east }: Box, date: string): unknown[] {
  return [cells, date, south, west, north, east, severities, REPORTS_MAX]
}

const SECOND = `'YYYY-MM-DD"T"HH24:MI:SS"Z"'`

const REPORTS = `
  SELECT to_char(begins_at AT TIME ZONE 'UTC', ${SECOND}) AS at, type, hail_size_in AS magnitude_in, latitude, longitude, source FROM (
    SELECT id, begins_at, type, hail_size_in, latitude, longitude, source FROM archive_records r
     WHERE id = ANY(ARRAY(SELECT DISTINCT record_id FROM record_cells WHERE cell = ANY($1::int[]) AND occurred_on = $2::date))
       AND latitude BETWEEN $3 AND $5 AND longitude BETWEEN $4 AND $6 AND evidence_kind <> 'radar' AND ${IN_USE}
     ORDER BY array_position($7::text[], severity) DESC, hail_size_in DESC NULLS LAST, id LIMIT $8) AS strongest
   ORDER BY begins_at, id`

/** A warning that was cancelled ended then. */
const WARNINGS = `
  SELECT event AS label, to_char(issued_at AT TIME ZONE 'UTC', ${SECOND}) AS issued, to_char(ends AT TIME ZONE 'UTC', ${SECOND}) AS expires
    FROM (SELECT id, event, issued_at, least(coalesce(ends_at, expires_at), cancelled_at) AS ends FROM warnings
           WHERE id IN (SELECT warning_id FROM warning_cells WHERE cell = ANY($1::int[]))) AS near
   WHERE issued_at <= $3 AND ends >= $2
   ORDER BY issued_at, id`
