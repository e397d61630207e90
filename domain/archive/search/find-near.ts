import type pg from 'pg'
import type { SearchWindow } from '#domain/archive/record.ts'
import { everInCells } from '#domain/archive/search/ever-in-cells.ts'
import { asOfStatement } from '#domain/archive/versions/tables-at.ts'
import { cellsWithin, isInside } from '#domain/geo/cells.ts'
import { ellipseAround } from '#domain/geo/ellipse.ts'
import type { Point } from '#domain/geo/measure.ts'

/** Returns ids of records that may be within a circle; a shape's id once for each of its cells. */
export async function findNear(
  pool: Pick<pg.ClientBase, 'query'>,
  place: Point,
  window: SearchWindow,
  counties: string[],
  as_of: Date | null = null,
): Promise<number[]> {
  const statement = as_of === null ? findStatement(place, window, counties) : findThenStatement(place, window, counties, as_of)
  const { rows } = await pool.query<{ ids: string | null }>(statement)
  return idsOf(rows[0]?.ids ?? null)
}

/**
 * Selects the ids of records that may be within a circle, as the text of one array: thousands of rows would take longer to
 * transfer than to find. It finds points inside an ellipse around the circle, from the search index alone, or whose cell is
 * wholly inside; shapes whose cells the circle touches; county rows of the counties it meets, and zone rows of their zones.
 * The first two are measured when they are read.
 */
const FIND = {
  name: 'find-near',
  text: `
    SELECT array_agg(id)::text AS ids FROM (
      SELECT c.record_id AS id FROM record_cells c
       WHERE c.cell = ANY($5::int[]) AND c.occurred_on BETWEEN $7::date AND $8::date
       UNION ALL
      SELECT c.record_id FROM record_cells c
       WHERE c.cell = ANY($6::int[]) AND c.occurred_on BETWEEN $7::date AND $8::date
         AND (c.latitude IS NULL OR $3::float8 * (c.latitude - $1::float8) * (c.latitude - $1::float8)
                                  + $4::float8 * (c.longitude - $2::float8) * (c.longitude - $2::float8) <= 1)
       UNION ALL
      SELECT id FROM archive_records
       WHERE precision = 'county' AND withdrawn_at IS NULL AND county_fips = ANY($9::text[]) AND occurred_on BETWEEN $7::date AND $8::date
       UNION ALL
      SELECT id FROM archive_records
       WHERE precision = 'zone' AND withdrawn_at IS NULL AND occurred_on BETWEEN $7::date AND $8::date
         AND zone = ANY(ARRAY(SELECT DISTINCT zone FROM zone_counties WHERE county_fips = ANY($9::text[])))
    ) found`,
}

/** Returns the statement of the search, to run or to explain. */
export function findStatement(place: Point, window: SearchWindow, counties: string[]) {
  const { latitude, longitude } = place
  const { radius_miles, start, end } = window
  const cells = cellsWithin(latitude, longitude, radius_miles)
  const inside = cells.filter((cell) => isInside(cell, latitude, longitude, radius_miles))
  const border = cells.filter((cell) => !inside.includes(cell))
  const { north, east } = ellipseAround(place, radius_miles)
  return { ...FIND, values: [latitude, longitude, north, east, inside, border, start, end, counties] }
}

/**
 * The same as of a point in time: selects the versions that were current then. Points are measured when they are read.
 */
const FIND_THEN = asOfStatement(
  'find-near',
  ({ records, zone_counties }) => `
    SELECT array_agg(id)::text AS ids FROM (
      SELECT id FROM ${records} r
       WHERE id = ANY(${everInCells('occurred_on BETWEEN $2::date AND $3::date')}) AND latitude IS NOT NULL AND occurred_on BETWEEN $2::date AND $3::date
       UNION ALL
      SELECT id FROM ${records} r WHERE precision = 'county' AND county_fips = ANY($4::text[]) AND occurred_on BETWEEN $2::date AND $3::date
       UNION ALL
      SELECT id FROM ${records} r
       WHERE precision = 'zone' AND occurred_on BETWEEN $2::date AND $3::date
         AND zone = ANY(ARRAY(SELECT DISTINCT zone FROM ${zone_counties} z WHERE county_fips = ANY($4::text[])))
    ) found`,
)

function findThenStatement({ latitude, longitude }: Point, { radius_miles, start, end }: SearchWindow, counties: string[], as_of: Date) {
  return FIND_THEN(as_of, [cellsWithin(latitude, longitude, radius_miles), start, end, counties])
}

/** Parses {1,2,2} by JSON, several times faster than converting each number. */
function idsOf(text: string | null): number[] {
  return text === null ? [] : JSON.parse(`[${text.slice(1, -1)}]`)
}
