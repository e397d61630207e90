import type pg from 'pg'
import { lastDayOf } from '#domain/archive/coverage/coverage-months.ts'
import { keyOf } from '#domain/archive/radar/cell-records.ts'
import type { NearbyRecord, StoredRecord } from '#domain/archive/record.ts'
import { endpointsOf } from '#domain/archive/search/index-entry.ts'
import { seenFrom } from '#domain/archive/search/seen-from.ts'
import { readRecords } from '#domain/archive/search/stored-records.ts'
import { aloneWithin, RADAR_HAIL_IN } from '#domain/evidence/qualifies.ts'
import { supersede } from '#domain/evidence/supersede.ts'
import { MAY_REACH } from '#domain/exposures/may-reach.ts'
import type { TouchedDay } from '#domain/exposures/touched-days.ts'
import { containsPoint, intersectsArea, intersectsPath, type PreparedShape } from '#domain/geo/prepared-shape.ts'
import { present } from '#domain/kernel/present.ts'
import type { WatchedPlace } from '#domain/watches/watched-places.ts'
import { daySources, FINAL_SOURCE, isSample, realElseSample, unrealSources } from '#domain/weather/sources.ts'

/** The records of some days at some places. */
export interface MatchedRecords {
  /** For each day, the records within reach of its place, as seen from there. */
  by_day: NearbyRecord[][]
  /** Keys of the large radar cells out of reach that touch one within reach. */
  beyond: ReadonlySet<string>
}

/**
 * Returns the records of each day within reach of its place. Records that a final record supersedes are left out, and so are
 * made up ones wherever there is real data. A place that is missing from `places` gets no records.
 */
export async function matchRecords(
  pool: Pick<pg.ClientBase, 'query'>,
  days: TouchedDay[],
  places: ReadonlyMap<string, WatchedPlace>,
): Promise<MatchedRecords> {
  const { rows } = await pool.query<{ place: number; id: number }>({
    name: 'match.candidates',
    text: CANDIDATES,
    values: [days.map(({ subject_id }) => subject_id), days.map(({ date }) => date)],
  })
  const recordsById = new Map((await readRecords(pool, [...new Set(rows.map(({ id }) => id))])).map((record) => [record.id, record]))
  const coverage = await readCoverage(pool, [...recordsById.values()])
  const candidates = days.map((): StoredRecord[] => [])
  for (const { place, id } of rows) candidates[place - 1]?.push(present(recordsById.get(id)))
  const by_day = days.map(({ subject_id }, index) => {
    const place = places.get(subject_id)
    const found = (candidates[index] ?? []).filter((record) => record !== undefined)
    if (!place || found.length === 0) return []
    const nearby = recordsInReach(place, found)
    const relevant = realElseSample(nearby).filter((record) => !(isSample(record) && coverage.isReal(record)))
    return supersede(relevant, coverage.horizons)
  })
  return { by_day, beyond: await readBeyond(pool, by_day) }
}

/** Returns the keys of the large cells around those that stand alone within the reach of their place. */
async function readBeyond(pool: Pick<pg.ClientBase, 'query'>, by_day: NearbyRecord[][]): Promise<Set<string>> {
  const around = new Map(by_day.flatMap(aloneWithin).map((record) => [keyOf(record), record]))
  if (around.size === 0) return new Set()
  const { rows } = await pool.query<Pick<StoredRecord, 'source' | 'source_key'>>({
    name: 'match.beyond',
    text: BEYOND,
    values: [[...around.values()].map(({ source }) => source), [...around.values()].map(({ source_key }) => source_key)],
  })
  return new Set(rows.map(keyOf))
}

const BEYOND = `
  SELECT r.source, r.source_key FROM unnest($1::text[], $2::text[]) AS around (source, source_key)
    JOIN archive_records r USING (source, source_key)
   WHERE r.type = 'hail' AND r.hail_size_in >= ${RADAR_HAIL_IN} AND r.withdrawn_at IS NULL`

const CANDIDATES = `
  SELECT DISTINCT day.place::int AS place, c.record_id AS id
    FROM unnest($1::uuid[], $2::date[]) WITH ORDINALITY AS day (subject_id, date, place)
    JOIN watch_cells w ON w.subject_id = day.subject_id
    JOIN record_cells c ON c.cell = w.cell AND c.occurred_on = day.date AND ${MAY_REACH}`

/** Returns the records within reach of a place: by distance for a property, by shape for a territory. */
function recordsInReach(place: WatchedPlace, records: StoredRecord[]): NearbyRecord[] {
  if (place.subject === 'property')
    return seenFrom(place, place.radius_miles, records).filter(({ distance_miles }) => distance_miles !== null)
  return records.filter((record) => isInside(place.shape, record)).map(atZeroDistance)
}

function isInside(shape: PreparedShape, record: StoredRecord): boolean {
  const endpoints = endpointsOf(record)
  if (record.precision === 'path') return intersectsPath(shape, endpoints)
  if (record.precision === 'area') return intersectsArea(shape, record.corners ?? endpoints)
  return endpoints.some(([longitude, latitude]) => containsPoint(shape, longitude, latitude))
}

function atZeroDistance(record: StoredRecord): NearbyRecord {
  return { ...record, distance_miles: 0, bearing_degrees: 0, shown_latitude: record.latitude, shown_longitude: record.longitude }
}

/**
 * Returns the coverage for the months and states of some records: the last day of the final records per state, and whether a
 * month has real data.
 */
async function readCoverage(pool: Pick<pg.ClientBase, 'query'>, records: StoredRecord[]) {
  const states = [...new Set(records.map(({ state }) => state).filter((state) => state !== null))]
  const { rows } = await pool.query<{ state: string; final: string | null }>({ name: 'match.horizons', text: HORIZONS, values: [states] })
  const horizons = Object.fromEntries(rows.map(({ state, final }) => [state, final && lastDayOf(final)]))
  const samples = records.filter(isSample)
  const keys = samples.length === 0 ? new Set<string>() : await realMonths(pool, states)
  return { horizons, isReal: ({ state, occurred_on }: StoredRecord) => keys.has(`${state} ${occurred_on.slice(0, 7)}`) }
}

/** Returns the months with real data in the given states: "TX 2025-05". */
async function realMonths(pool: Pick<pg.ClientBase, 'query'>, states: string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ key: string }>({
    name: 'match.real',
    text: REAL_MONTHS,
    values: [states, unrealSources, daySources],
  })
  return new Set(rows.map(({ key }) => key))
}

const HORIZONS = `
  SELECT state, (SELECT to_char(max(month), 'YYYY-MM') FROM coverage h WHERE h.source = '${FINAL_SOURCE}' AND h.state = requested.state) AS final
    FROM unnest($1::text[]) AS requested (state)`
const REAL_MONTHS = `
  SELECT state || ' ' || to_char(month, 'YYYY-MM') AS key FROM coverage WHERE state = ANY ($1) AND source <> ALL ($2::text[] || $3::text[])
   UNION
  SELECT state || ' ' || to_char(day, 'YYYY-MM') FROM coverage_days WHERE state = ANY ($1) AND source = ANY ($3) AND source <> ALL ($2)`
