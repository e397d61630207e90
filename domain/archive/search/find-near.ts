import type pg from 'pg'
import type { SearchWindow } from '#domain/archive/record.ts'
import { everInCells } from '#domain/archive/search/ever-in-cells.ts'
import { asOfStatement } from '#domain/archive/versions/tables-at.ts'
import { cellsWithin, isInside } from '#domain/geo/cells.ts'
import { ellipseAround } from '#domain/geo/ellipse.ts'
import type { Point } from '#domain/geo/measure.ts'

/** Ids of what a circle may hold; of a shape once for each of its cells. */
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
 * Ids of what a circle may hold, as one text of an array: thousands of rows would take longer to carry than to find.
 * Points that an ellipse around the circle holds, from the search index alone, or whose cell lies wholly inside; shapes whose
 * cells it touches; county rows of the counties it meets, and zone rows of their zones. The first two are measured when they are read.
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

/** The search's question as SQL, for those who ask it or explain it. */
export function findStatement(place: Point, window: SearchWindow, counties: string[]) {
  const { latitude, longitude } = place
  const { radius_miles, start, end } = window
  const cells = cellsWithin(latitude, longitude, radius_miles)
  const inside = cells.filter((cell) => isInside(cell, latitude, longitude, radius_miles))
  const border = cells.filter((cell) => !inside.includes(cell))
  const { north, east } = ellipseAround(place, radius_miles)
  return { ...FIND, values: [latitude, longitude, north, east, inside, border, start, end, counties] }
}

/** The same as of a moment: of what was ever found there, what was there then. Points are measured when they are read. */
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

/** {1,2,2}, which JSON reads several times faster than one number after the other is made of text. */
function idsOf(text: string | null): number[] {
  return text === null ? [] : JSON.parse(`[${text.slice(1, -1)}]`)
}
