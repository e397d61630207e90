import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { coverageOf } from '#domain/archive/coverage/coverage.ts'
import { coverageWithStations } from '#domain/archive/coverage/coverage-with-cited.ts'
import { readStoredCoverage } from '#domain/archive/coverage/read-coverage.ts'
import { sampleAnswers } from '#domain/archive/coverage/stored-coverage.ts'
import type { RunningRecord, WindowCoverage } from '#domain/archive/coverage/window-coverage.ts'
import { nearbyObservations, type StationEvidence } from '#domain/archive/observations/nearby.ts'
import { isDoubtedBeyondExtent } from '#domain/archive/plausibility.ts'
import { findCells, isLargestOfHours, NOT_STORED, recordOfCell, recordOfDayCell } from '#domain/archive/radar/cell-records.ts'
import { nearbyRadar, radarReaches } from '#domain/archive/radar/nearby.ts'
import { type DayOver, nearbyDays } from '#domain/archive/radar/nearby-days.ts'
import type { NearbyRecord, SearchWindow, StoredRecord } from '#domain/archive/record.ts'
import { seenFrom } from '#domain/archive/search/nearby.ts'
import { readRecords } from '#domain/archive/search/stored-records.ts'
import { awaitRevisions } from '#domain/archive/versions/revision.ts'
import { reading } from '#domain/archive/versions/tables-at.ts'
import { cellsWithin, isInside } from '#domain/geo/cells.ts'
import { countiesMeeting, statesMeeting } from '#domain/geo/counties.ts'
import { ellipseAround } from '#domain/geo/ellipse.ts'
import type { Point } from '#domain/geo/measure.ts'
import { localDate } from '#domain/geo/zones.ts'
import { present } from '#domain/kernel/present.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { isSample } from '#domain/weather/sources.ts'

/** All that the archive has to say about one place's window, before supersession and relevance. */
export interface Evidence {
  /** occurred_on, begins_at and id descending; radar cells that nobody has cited yet are the newest of their moment. */
  records: NearbyRecord[]
  observations: StationEvidence
  coverage: WindowCoverage
  /** What radar estimated at most in the grid cell over the place, by day. */
  radar_over: DayOver[]
}

/**
 * Everything within reach of a place in a window, with what the archive holds of it. A record is in when the unrounded
 * distance to its point, path or area is at most the radius, or the circle meets its county or a county of its zone.
 * Made-up records answer only where nothing real does. Radar is read from its frames and from the largest of each day, which is kept
 * when they are gone; a cell becomes a record when it is cited, and has the id NOT_STORED until then. Nothing is written.
 * @param as_of the moment as of which the archive is asked, which is over; null for as it is now
 */
export async function searchArchive(
  { pool }: Pick<App, 'pool'>,
  place: LocatedPlace,
  window: SearchWindow,
  as_of: Date | null = null,
): Promise<Evidence> {
  if (as_of !== null) await awaitRevisions(pool)
  const counties = countiesMeeting(place.latitude, place.longitude, window.radius_miles)
  const states = statesMeeting(place.latitude, place.longitude, window.radius_miles)
  const [found, scanned, days, running, covered, observations] = await Promise.all([
    findNear(pool, place, window, counties, as_of),
    nearbyRadar(pool, place, window, as_of),
    nearbyDays(pool, place, window, as_of),
    findRunning(pool, place, window, counties, as_of),
    readStoredCoverage(pool, place, states, window, as_of),
    nearbyObservations(pool, place, window, as_of),
  ])
  const cells = await findCells(pool, [...scanned.map(recordOfCell), ...days.cells.map(recordOfDayCell)])
  const named = new Set(cells.ids)
  // The largest of a day that another report cited is of another place, or of what the day was before it was raised.
  const held = (await readRecords(pool, [...new Set([...found, ...cells.ids])], as_of)).filter(
    (record) => named.has(record.id) || !isLargestOfHours(record),
  )
  const records = await withZoneNames(pool, seenFrom(place, window.radius_miles, [...held, ...cells.unheld]), as_of)
  const real = records.filter((record) => !isSample(record))
  const sample = real.length === 0 && sampleAnswers(covered)
  const into = seenFrom(place, window.radius_miles, await readRecords(pool, running, as_of)).filter((record) => isSample(record) === sample)
  const has_mosaic = covered.held_days.some(({ source, state }) => source === 'noaa_mesh' && state === covered.state)
  const reaches = has_mosaic ? await radarReaches(pool, place, window, as_of) : null
  const running_into = into
    .filter((record) => isRunning(record, place, window))
    .sort(newestFirst)
    .map(runningRecord)
  return {
    records: (sample ? records : real).sort(newestFirst),
    observations,
    coverage: coverageWithStations(coverageOf(covered, window, sample, running_into, reaches), observations.count),
    radar_over: days.over.filter((day) => isSample(day) === sample),
  }
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

/** Ids of records that were ever found in the cells $1, under such dates: an array, which goes to the index of each table that it is asked of. */
const everIn = (dates: string) => `ARRAY(
  SELECT record_id FROM record_cells WHERE cell = ANY($1::int[]) AND ${dates}
   UNION SELECT record_id FROM record_past_cells WHERE cell = ANY($1::int[]) AND ${dates})`

/** The same as of a moment: of what was ever found there, what was there then. Points are measured when they are read. */
const FIND_THEN = reading(
  'find-near',
  ({ records, zone_counties }) => `
    SELECT array_agg(id)::text AS ids FROM (
      SELECT id FROM ${records} r
       WHERE id = ANY(${everIn('occurred_on BETWEEN $2::date AND $3::date')}) AND latitude IS NOT NULL AND occurred_on BETWEEN $2::date AND $3::date
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

/** Records that began before a window and may still be going on in it. */
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

const RUNNING_THEN = reading(
  'find-running',
  ({ records, zone_counties }) => `
    SELECT id FROM ${records} r
     WHERE id = ANY(${everIn('ends_on >= $2::date AND occurred_on < $2::date')})
       AND latitude IS NOT NULL AND occurred_on < $2::date
     UNION ALL
    SELECT id FROM ${records} r
     WHERE precision = 'county' AND county_fips = ANY($3::text[]) AND occurred_on BETWEEN $4::date AND $2::date - 1 AND ends_at >= $2::date - 1
     UNION ALL
    SELECT id FROM ${records} r
     WHERE precision = 'zone' AND occurred_on BETWEEN $4::date AND $2::date - 1 AND ends_at >= $2::date - 1
       AND zone = ANY(ARRAY(SELECT DISTINCT zone FROM ${zone_counties} z WHERE county_fips = ANY($3::text[])))`,
)

/** Records are kept by the month: one that goes on is filed again, so that none runs for more than this many days. */
export const RUNNING_DAYS_MAX = 31

async function findRunning(
  pool: Pick<pg.ClientBase, 'query'>,
  place: LocatedPlace,
  { start, radius_miles }: SearchWindow,
  counties: string[],
  as_of: Date | null,
): Promise<number[]> {
  const since = new Date(Date.parse(`${start}T00:00:00Z`) - RUNNING_DAYS_MAX * 86_400_000).toISOString().slice(0, 10)
  const values = [cellsWithin(place.latitude, place.longitude, radius_miles), start, counties, since]
  const { rows } = await pool.query<{ id: number }>(as_of === null ? { ...RUNNING, values } : RUNNING_THEN(as_of, values))
  return [...new Set(rows.map(({ id }) => id))]
}

/** Zone records with the names of their zones; of one with several parts any of its names is its name. */
async function withZoneNames(pool: Pick<pg.ClientBase, 'query'>, records: NearbyRecord[], as_of: Date | null): Promise<NearbyRecord[]> {
  const zones = new Set(records.flatMap(({ precision, zone }) => (precision === 'zone' && zone ? [zone] : [])))
  if (zones.size === 0) return records
  const { rows } = await pool.query<{ zone: string; name: string | null }>(ZONE_NAMES(as_of, [[...zones]]))
  const names = new Map(rows.map(({ zone, name }) => [zone, name]))
  return records.map((record) =>
    record.zone && names.has(record.zone) ? { ...record, zone_name: names.get(record.zone) ?? null } : record,
  )
}

const ZONE_NAMES = reading(
  'zone-names',
  ({ zone_counties }) => `SELECT zone, min(name) AS name FROM ${zone_counties} z WHERE zone = ANY($1) GROUP BY zone`,
)

/** An end at the window's very first moment is over, and one that is doubted says nothing. */
function isRunning(record: StoredRecord, { timezone }: LocatedPlace, { start }: SearchWindow): boolean {
  const { ends_at } = record
  return ends_at !== null && !isDoubtedBeyondExtent(record) && localDate(new Date(ends_at.getTime() - 1), timezone) >= start
}

function runningRecord({ id, source, type, occurred_on, ends_at }: StoredRecord): RunningRecord {
  return { id, source, type, occurred_on, ends_at: present(ends_at) }
}

/** The order of records wherever they are listed. */
export function newestFirst(one: StoredRecord, other: StoredRecord): number {
  if (one.occurred_on !== other.occurred_on) return one.occurred_on < other.occurred_on ? 1 : -1
  return other.begins_at.getTime() - one.begins_at.getTime() || newness(other) - newness(one)
}

/** What is no record yet will have a later id than all that are. */
function newness({ id }: StoredRecord): number {
  return id === NOT_STORED ? Number.MAX_SAFE_INTEGER : id
}
