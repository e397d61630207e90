import type pg from 'pg'
import { IN_USE } from '#domain/archive/search/superseded.ts'
import { type ReachingWarning, warningsNearby } from '#domain/archive/warnings/nearby.ts'
import { reachIntersects } from '#domain/archive/warnings/reach.ts'
import { stateOf } from '#domain/archive/warnings/summary.ts'
import type { Bounds } from '#domain/geo/area.ts'
import { countiesNearBox } from '#domain/geo/counties.ts'
import { type PreparedShape, prepareShape } from '#domain/geo/prepared-shape.ts'
import { isoSeconds } from '#domain/kernel/iso-seconds.ts'
import { cellsOfBox } from '#domain/maps/records.ts'
import { severities } from '#domain/weather/severities.ts'
import { realElseSample } from '#domain/weather/sources.ts'
import type { RecordType } from '#domain/weather/types.ts'

/** The reports and warnings of a storm day. */
export interface Context {
  reports: { at: string; type: RecordType; magnitude_in: number | null; latitude: number; longitude: number }[]
  warnings: { label: string; issued: string; expires: string }[]
}

/** The most reports of a day: six degrees had fewer on every day in the archive. Of more, the strongest are kept. */
export const REPORTS_MAX = 2000

/**
 * Returns what people or instruments reported on a day with a place of its own inside a box, and the warnings in force that
 * overlap the box. Radar estimates are not reports: the moments show them. Uses preliminary reports only if there is no
 * final record, and made-up ones only if there is no real one.
 */
export async function stormDayContext(pool: pg.Pool, box: Bounds, date: string, from: Date, until: Date): Promise<Context> {
  const cells = cellsOfBox(box)
  const [reports, warnings] = await Promise.all([
    pool.query<Context['reports'][number] & { source: string }>({
      name: 'reports_of_day',
      text: REPORTS,
      values: reportValues(cells, box, date),
    }),
    warningsNearby(pool, cells, from, until),
  ])
  return {
    reports: realElseSample(reports.rows).map(({ source: _, ...report }) => report),
    warnings: warnings.flatMap((warning) => warningInBox(warning, box, from, until)).sort(byIssue),
  }
}

/**
 * Returns how many reports of a day name a county or a forecast zone in or beside a box, and no point: no map can show them. Uses made-up ones only
 * if there is no real one.
 */
export async function countAreal(pool: pg.Pool, box: Bounds, date: string): Promise<number> {
  const counties = [...new Set(countiesNearBox(box).map(({ fips }) => fips))]
  const { rows } = await pool.query<{ source: string; reports: number }>({
    name: 'areal_reports_of_day',
    text: AREAL,
    values: [counties, date],
  })
  return realElseSample(rows).reduce((total, { reports }) => total + reports, 0)
}

const AREAL = `
  SELECT source, count(*)::int AS reports FROM archive_records r
   WHERE withdrawn_at IS NULL AND occurred_on = $2::date AND ${IN_USE}
     AND (precision = 'county' AND county_fips = ANY($1::text[])
          OR precision = 'zone' AND zone = ANY(ARRAY(SELECT DISTINCT zone FROM zone_counties WHERE county_fips = ANY($1::text[]))))
   GROUP BY source`

function reportValues(cells: number[], { south, west, north, east }: Bounds, date: string): unknown[] {
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

/** Returns a warning if one of its messages covered part of the box on the day; `expires` is the last end of such a message. */
function warningInBox({ source_key, messages, reaches }: ReachingWarning, box: Bounds, from: Date, until: Date): Context['warnings'] {
  const shape = shapeOfBox(box)
  const overlapping = reaches.filter((reach) => reachIntersects(reach, shape))
  if (!overlapping.some((reach) => reach.from <= until && reach.until >= from)) return []
  const { event, issued_at } = stateOf(source_key, messages)
  const last = overlapping.reduce((latest, reach) => (reach.until > latest ? reach.until : latest), issued_at)
  return [{ label: event, issued: isoSeconds(issued_at), expires: isoSeconds(last) }]
}

function shapeOfBox({ south, west, north, east }: Bounds): PreparedShape {
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  return prepareShape({ type: 'Polygon', coordinates: [ring] })
}

function byIssue(one: Context['warnings'][number], other: Context['warnings'][number]): number {
  return one.issued < other.issued ? -1 : Number(one.issued > other.issued)
}
