import type pg from 'pg'
import { copyRows } from '#domain/archive/ingest/copy-rows.ts'
import { type Touched, upsertRecords } from '#domain/archive/ingest/upsert.ts'
import { extentCaveat, isExtentCaveat } from '#domain/archive/plausibility.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'
import { readRecords } from '#domain/archive/search/stored-records.ts'
import type { EventCorner } from '#domain/archive/sources/source.ts'
import { countyOf } from '#domain/geo/counties.ts'
import type { Position } from '#domain/geo/measure.ts'
import { chunksOf } from '#domain/kernel/chunks.ts'
import { present } from '#domain/kernel/present.ts'
import { recordTypes, weatherType } from '#domain/weather/types.ts'

/** Types whose corners are an extent. For the other types they repeat the points of the record itself. */
const areaTypes = recordTypes.filter((type) => weatherType(type).extent === 'area')

/** Adds the stored corners to records. The end state is the same as if the corners were imported after the records. */
export async function addStoredCorners(client: pg.ClientBase, source: string, records: ArchiveRecord[]): Promise<ArchiveRecord[]> {
  const keys = records.filter(isExtent).map((record) => record.source_key)
  const storedCorners = await cornersOf(client, source, keys)
  return records.map((record) => applyCorners(record, storedCorners.get(record.source_key)))
}

function isExtent(record: ArchiveRecord): boolean {
  return areaTypes.includes(record.type) && record.latitude !== null
}

/** An event with corners is an area. Without corners, or with one far outside its county, it is its begin point. */
function applyCorners(record: ArchiveRecord, corners: Position[] | undefined): ArchiveRecord {
  if (!isExtent(record)) return record
  const county = record.county_fips === null ? null : countyOf(record.county_fips)
  const newCaveat = extentCaveat(corners ?? null, county ? [county] : [])
  const caveats = [...record.caveats.filter((caveat) => !isExtentCaveat(caveat)), ...(newCaveat === null ? [] : [newCaveat])]
  return corners && newCaveat === null
    ? { ...record, corners, precision: 'area', caveats }
    : { ...record, corners: null, precision: 'point', caveats }
}

async function cornersOf(client: pg.ClientBase, source: string, keys: string[]): Promise<Map<string, Position[]>> {
  if (keys.length === 0) return new Map()
  const { rows } = await client.query<{ source_key: string; corners: Position[] }>(
    `SELECT source_key, jsonb_agg(jsonb_build_array(longitude, latitude) ORDER BY location_index) AS corners
       FROM record_corners WHERE source = $1 AND source_key = ANY($2) GROUP BY source_key`,
    [source, keys],
  )
  return new Map(rows.map((row) => [row.source_key, row.corners]))
}

/** Creates the session's table that stageCorners copies into. A file's corners are stored only when all of them have arrived. */
export async function prepareCorners(client: pg.ClientBase): Promise<void> {
  await client.query('CREATE TEMP TABLE incoming_corners (source_key text, location_index int, longitude float8, latitude float8)')
}

/** Copies corners into the session's table of prepareCorners. */
export async function stageCorners(client: pg.ClientBase, corners: EventCorner[]): Promise<void> {
  await copyRows(
    client,
    'incoming_corners',
    ['source_key', 'location_index', 'longitude', 'latitude'],
    corners.map((corner) => [corner.source_key, corner.location_index, ...corner.position]),
  )
}

/** Corners that a file of a whole year no longer has. */
export interface RemovedCorners {
  corners: number
  /** Keys of the records that they belonged to. */
  keys: string[]
}

export const NO_CORNERS: Readonly<RemovedCorners> = { corners: 0, keys: [] }

/** Whether corners arrived for records whose keys have this prefix. @param prefix 2019/ */
export async function holdsCornersOf(client: pg.ClientBase, prefix: string): Promise<boolean> {
  return (await client.query('SELECT FROM incoming_corners WHERE source_key LIKE $1 LIMIT 1', [`${prefix}%`])).rowCount === 1
}

/**
 * Removes the corners of events that have no corner in the file, not even a rejected one. Corners from a later file stay.
 * @param prefix of the keys that the file has all of: 2019/
 */
export async function removeAbsentCorners(
  client: pg.ClientBase,
  source: string,
  prefix: string,
  compiled_on: string | null,
): Promise<RemovedCorners> {
  const { rows } = await client.query<{ source_key: string }>(
    `DELETE FROM record_corners c
      WHERE c.source = $1 AND c.source_key LIKE $2 AND coalesce(c.compiled_on, '-infinity') <= coalesce($3::date, '-infinity')
        AND NOT EXISTS (SELECT FROM incoming_corners i WHERE i.source_key = c.source_key)
        AND NOT EXISTS (SELECT FROM present p WHERE p.source_key = c.source_key)
     RETURNING c.source_key`,
    [source, `${prefix}%`, compiled_on],
  )
  return { corners: rows.length, keys: [...new Set(rows.map(({ source_key }) => source_key))] }
}

/** Records that receive new corners in one step. */
const RECORDS_PER_STEP = 2_000

export interface CornerChange {
  /** Corners, not records. */
  inserted: number
  updated: number
  withdrawn: number
  touched: Touched[]
}

/**
 * Stores the corners of a whole file and reshapes the records that they belong to. An event's corners are replaced
 * together, and only by a file that was compiled no earlier than the file they came from.
 * @param removed corners that the file has shown to be gone
 */
export async function upsertCorners(
  client: pg.ClientBase,
  source: string,
  compiled_on: string | null,
  removed: Readonly<RemovedCorners>,
): Promise<CornerChange> {
  await client.query(
    `DELETE FROM incoming_corners i WHERE EXISTS (
       SELECT FROM record_corners c WHERE c.source = $1 AND c.source_key = i.source_key AND coalesce(c.compiled_on, '-infinity') > coalesce($2::date, '-infinity'))`,
    [source, compiled_on],
  )
  const { rows } = await client.query<{ inserted: number; updated: number; withdrawn: number; keys: string[] }>(REPLACE, [
    source,
    compiled_on,
  ])
  const change = present(rows[0])
  const touched: Touched[] = []
  for (const extract of [false, true]) {
    const ids = await extentsOf(client, source, [...change.keys, ...removed.keys], extract)
    for (const step of chunksOf(ids, RECORDS_PER_STEP)) {
      const records = await readRecords(client, step)
      touched.push(await upsertRecords(client, await addStoredCorners(client, source, records), extract))
    }
  }
  return { inserted: change.inserted, updated: change.updated, withdrawn: change.withdrawn + removed.corners, touched }
}

const REPLACE = `
  WITH fresh AS MATERIALIZED (SELECT DISTINCT ON (source_key, location_index) * FROM incoming_corners ORDER BY source_key, location_index),
  removed AS (
    DELETE FROM record_corners c USING (SELECT DISTINCT source_key FROM fresh) e
     WHERE c.source = $1 AND c.source_key = e.source_key
       AND NOT EXISTS (SELECT FROM fresh f WHERE f.source_key = c.source_key AND f.location_index = c.location_index)
    RETURNING c.source_key
  ), judged AS MATERIALIZED (
    SELECT f.*, c.source_key IS NULL AS new, (c.latitude, c.longitude) IS DISTINCT FROM (f.latitude, f.longitude) AS moved
      FROM fresh f LEFT JOIN record_corners c ON c.source = $1 AND c.source_key = f.source_key AND c.location_index = f.location_index
  ), kept AS (
    INSERT INTO record_corners (source, source_key, location_index, latitude, longitude, compiled_on)
    SELECT $1, source_key, location_index, latitude, longitude, $2::date FROM judged
    ON CONFLICT (source, source_key, location_index) DO UPDATE
       SET latitude = EXCLUDED.latitude, longitude = EXCLUDED.longitude, compiled_on = EXCLUDED.compiled_on
     WHERE (record_corners.latitude, record_corners.longitude, record_corners.compiled_on) IS DISTINCT FROM (EXCLUDED.latitude, EXCLUDED.longitude, EXCLUDED.compiled_on)
  )
  SELECT (count(*) FILTER (WHERE new))::int AS inserted, (count(*) FILTER (WHERE moved AND NOT new))::int AS updated,
         (SELECT count(*) FROM removed)::int AS withdrawn,
         ARRAY(SELECT source_key FROM judged WHERE moved UNION SELECT source_key FROM removed) AS keys
    FROM judged`

async function extentsOf(client: pg.ClientBase, source: string, keys: string[], extract: boolean): Promise<number[]> {
  const { rows } = await client.query<{ id: number }>(
    `SELECT id FROM archive_records
      WHERE source = $1 AND source_key = ANY($2) AND type = ANY($3) AND latitude IS NOT NULL AND extract = $4 AND withdrawn_at IS NULL ORDER BY id`,
    [source, keys, areaTypes, extract],
  )
  return rows.map((row) => row.id)
}
