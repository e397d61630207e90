import assert from 'node:assert'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Pool } from 'undici'
import { closeApp, openApp } from '#domain/app.ts'
import { createApiServer } from '#rest/host.ts'
import { configFor } from '#test/support/config-for.ts'
import type { Arm, Bed, Reach } from './frame.ts'
import { serve } from './served-reports.ts'
import { type TakenFile, takeFile } from './taken-file.ts'

export const claim = 'The archive is one file, CSV or GeoParquet, within 20 s for a million records and in 300 MB'

/** Records of the archive. */
export const sizes = { small: [10_000, 100_000], full: [100_000, 1_000_000] } as const
/** Limit in bytes on the process's growth while a file of any length is sent. */
const GROWTH_MAX_BYTES = 300e6
/** Milliseconds within which a file of a million records must be complete. */
const WHOLE_MS = 20_000
const OPERATOR_KEY = 'wo_operator-of-the-bench-0000'

interface Stage {
  client: Pool
  pool: pg.Pool
  size: number
}

/** Records with a place, a county and a narrative of up to 500 letters, 300 a day. */
const RECORDS = `
  INSERT INTO archive_records (source, source_key, type, family, severity, occurred_on, begins_at, ends_at, hail_size_in, wind_gust_mph, latitude, longitude,
                               county, county_fips, state, precision, evidence_kind, is_observed, qualifier, file_name, citation_url, description)
  SELECT 'noaa_storm_events', 'export/' || n, CASE n % 2 WHEN 0 THEN 'hail' ELSE 'thunderstorm_wind' END, 'thunderstorm', 'moderate', day, day + time '18:00',
         day + time '18:20', CASE n % 2 WHEN 0 THEN 0.75 + n % 12 * 0.25 END, CASE n % 2 WHEN 1 THEN 50 + n % 40 END, 30 + n % 15000 / 1e3, -100 + n % 17000 / 1e3,
         'Cleveland', '40027', 'OK', 'point', 'ground', true, 'estimated', 'StormEvents_details', 'https://www.ncei.noaa.gov/stormevents/eventdetails.jsp?id=' || n,
         n || repeat(' hail fell and the wind blew', n % 18)
    FROM generate_series(1, $1::int) n, LATERAL (SELECT DATE '2010-01-01' + n / 300 AS day) d`

/** The peer: the database's own CSV of the export's columns, in the same order. */
const COPY = `COPY (
  SELECT id, type, family, severity, occurred_on, begins_at, ends_at, time_unsure, hail_size_in, wind_gust_mph, wind_speed_mph, tornado_ef_scale,
         NULL AS tornado_rating, latitude, longitude, end_latitude, end_longitude, county, county_fips, zone, state, precision, source,
         'NOAA Storm Events Database, final' AS source_label, evidence_kind, is_observed, qualifier, preliminary, caveats, citation_url, description,
         false AS sample
    FROM archive_records WHERE withdrawn_at IS NULL ORDER BY occurred_on DESC, id DESC) TO STDOUT (FORMAT csv, HEADER)`

export async function setup(bed: Bed): Promise<Stage> {
  const { url, pool } = await bed.database()
  const app = await openApp(configFor({ database_url: url, operator_key: OPERATOR_KEY, home: bed.folder }))
  bed.closing(() => closeApp(app))
  await pool.query(RECORDS, [bed.size])
  await pool.query('VACUUM ANALYZE archive_records')
  return { client: await serve(bed, await createApiServer(app), 2), pool, size: bed.size }
}

type Format = 'csv' | 'geoparquet'

const requestExport = ({ client }: Stage, format: Format) =>
  client.request({ method: 'GET', path: `/operator/archive/records.${format}`, headers: { authorization: `Bearer ${OPERATOR_KEY}` } })

/** Reads a whole file and keeps only the number of its lines and bytes. */
async function exported(stage: Stage, format: Format): Promise<TakenFile> {
  return bounded(async () => takeFile((await requestExport(stage, format)).body))
}

async function copied({ pool }: Stage): Promise<TakenFile> {
  const connection = await pool.connect()
  try {
    return await takeFile(connection.query(copyTo(COPY)))
  } finally {
    connection.release()
  }
}

/** @throws if the process, which sends and receives the file, grows with it */
async function bounded<Result>(work: () => Promise<Result>): Promise<Result> {
  const before = process.memoryUsage().rss
  let [peak, done] = [before, false]
  const watched = (async () => {
    for (; !done; await pause(20)) peak = Math.max(peak, process.memoryUsage().rss)
  })()
  const result = await work()
  done = true
  await watched
  assert(peak - before < GROWTH_MAX_BYTES, `the process grew by ${Math.round((peak - before) / 1e6)} MB`)
  return result
}

/** Reads the first piece and disconnects. */
async function readFirstChunk(stage: Stage, format: Format): Promise<void> {
  const { body } = await requestExport(stage, format)
  for await (const _ of body) break
}

const [CSV, GEOPARQUET] = ['a whole CSV', 'a whole GeoParquet']

export const arms: Arm<Stage>[] = [
  { name: 'export', case: CSV, operations: 1, run: async (stage) => assert.equal((await exported(stage, 'csv')).lines, stage.size + 1) },
  { name: 'COPY', case: CSV, peer: true, operations: 1, run: async (stage) => assert.equal((await copied(stage)).lines, stage.size + 1) },
  { name: 'export', case: GEOPARQUET, operations: 1, run: async (stage) => void (await exported(stage, 'geoparquet')) },
  { name: 'first byte', case: 'a CSV begun', operations: 10, run: (stage) => readFirstChunk(stage, 'csv') },
  { name: 'first byte', case: 'a GeoParquet begun', operations: 10, run: (stage) => readFirstChunk(stage, 'geoparquet') },
]

export const reach: Reach[] = [
  { case: CSV, arm: 'export', peer: 'COPY', ratio_at_most: 8, note: 'COPY makes no cell harmless to spreadsheets, and sends no HTTP' },
  { case: CSV, arm: 'export', at_most: WHOLE_MS, percentile: 50 },
  { case: GEOPARQUET, arm: 'export', at_most: WHOLE_MS, percentile: 50 },
  { case: 'a CSV begun', arm: 'first byte', at_most: 200, percentile: 95 },
  { case: 'a GeoParquet begun', arm: 'first byte', at_most: 200, percentile: 95 },
]

/** Both have the same columns. */
export async function check(stage: Stage): Promise<void> {
  const [header] = await heads((await requestExport(stage, 'csv')).body)
  const connection = await stage.pool.connect()
  try {
    const [peerHeader] = await heads(connection.query(copyTo(COPY.replace(' ORDER BY', ' AND id = 1 ORDER BY'))))
    assert.equal(header?.replace('provisional', 'preliminary'), peerHeader)
  } finally {
    connection.release()
  }
}

async function heads(pieces: AsyncIterable<Buffer>): Promise<string[]> {
  for await (const piece of pieces) return String(piece).split(/\r?\n/)
  return []
}
