import type pg from 'pg'
import type { RunningRecord } from '#domain/archive/coverage/window-coverage.ts'
import { isSuspectBeyondExtent } from '#domain/archive/plausibility.ts'
import type { SearchWindow, StoredRecord } from '#domain/archive/record.ts'
import { everInCells } from '#domain/archive/search/ever-in-cells.ts'
import { asOfStatement } from '#domain/archive/versions/tables-at.ts'
import { cellsWithin } from '#domain/geo/cells.ts'
import { localDate } from '#domain/geo/zones.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { present } from '#domain/kernel/present.ts'
import type { LocatedPlace } from '#domain/places/place.ts'

/** Storm Events are filed by the month and one that continues is filed again, so no record runs for more than this many days. */
export const RUNNING_DAYS_MAX = 31

/** Returns ids of records that began before a window and may continue into it. */
export async function findRunning(
  pool: Pick<pg.ClientBase, 'query'>,
  place: LocatedPlace,
  { start, radius_miles }: SearchWindow,
  counties: string[],
  as_of: Date | null,
): Promise<number[]> {
  const since = new Date(Date.parse(`${start}T00:00:00Z`) - RUNNING_DAYS_MAX * DAY_MS).toISOString().slice(0, 10)
  const values = [cellsWithin(place.latitude, place.longitude, radius_miles), start, counties, since]
  const { rows } = await pool.query<{ id: number }>(as_of === null ? { ...RUNNING, values } : RUNNING_THEN(as_of, values))
  return [...new Set(rows.map(({ id }) => id))]
}

const RUNNING = {
  name: 'find-running',
  text: `
    SELECT record_id AS id FROM record_cells WHERE cell = ANY($1::int[]) AND ends_on >= $2::date AND occurred_on < $2::date
     UNION ALL
    SELECT id FROM archive_records
     WHERE precision = 'county' AND withdrawn_at IS NULL AND county_fips = ANY($3::text[]) AND occurred_on BETWEEN $4::date AND $2::date - 1 AND ends_at >= $2::date - 1
     UNION ALL
    SELECT id FROM archive_records
     WHERE precision = 'zone' AND withdrawn_at IS NULL AND occurred_on BETWEEN $4::date AND $2::date - 1 AND ends_at >= $2::date - 1
       AND zone = ANY(ARRAY(SELECT DISTINCT zone FROM zone_counties WHERE county_fips = ANY($3::text[])))`,
}

const RUNNING_THEN = asOfStatement(
  'find-running',
  ({ records, zone_counties }) => `
    SELECT id FROM ${records} r
     WHERE id = ANY(${everInCells('ends_on >= $2::date AND occurred_on < $2::date')})
       AND latitude IS NOT NULL AND occurred_on < $2::date
     UNION ALL
    SELECT id FROM ${records} r
     WHERE precision = 'county' AND county_fips = ANY($3::text[]) AND occurred_on BETWEEN $4::date AND $2::date - 1 AND ends_at >= $2::date - 1
     UNION ALL
    SELECT id FROM ${records} r
     WHERE precision = 'zone' AND occurred_on BETWEEN $4::date AND $2::date - 1 AND ends_at >= $2::date - 1
       AND zone = ANY(ARRAY(SELECT DISTINCT zone FROM ${zone_counties} z WHERE county_fips = ANY($3::text[])))`,
)

/** Whether a record continues into the window. An end at the window's very first moment is over, and a suspect end proves nothing. */
export function isRunning(record: StoredRecord, { timezone }: LocatedPlace, { start }: SearchWindow): boolean {
  const { ends_at } = record
  return ends_at !== null && !isSuspectBeyondExtent(record) && localDate(new Date(ends_at.getTime() - 1), timezone) >= start
}

/** The view of a record that was still going on as a window began. */
export function runningRecord({ id, source, type, occurred_on, ends_at }: StoredRecord): RunningRecord {
  return { id, source, type, occurred_on, ends_at: present(ends_at) }
}
