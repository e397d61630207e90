import assert from 'node:assert'
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Pool } from 'undici'
import { abilities } from '#domain/access/abilities.ts'
import { issueToken } from '#domain/access/tokens.ts'
import { closeApp, openApp } from '#domain/app.ts'
import { systemClock } from '#domain/engines/clock.ts'
import { configFor } from '#domain/kernel/config.ts'
import { createTeam } from '#domain/plans/teams.ts'
import { openApi } from '#rest/host.ts'
import type { Arm, Bed, Reach } from './frame.ts'
import { serve } from './served-reports.ts'

export const claim = 'A listing is a file within seconds: its first byte at once, its memory that of a few pages'

/** Properties of the team, and records of the archive. */
export const sizes = { small: [10_000, 100_000], full: [100_000, 1_000_000] } as const
/** Never reached. */
const LIMIT = 100_000_000
/** What the process may grow by while a file is sent, whatever its length. */
const GROWTH_MAX_BYTES = 300e6

const OPERATOR_KEY = 'wo_operator-of-the-bench-0000'

interface Stage {
  client: Pool
  pool: pg.Pool
  token: string
  team_id: string
  size: number
}

const PROPERTIES = `
  INSERT INTO properties (id, team_id, label, query, query_key, address_key, street, city, state, postal_code, county, county_fips, tags, latitude,
                          longitude, precision, located, created_at)
  SELECT gen_random_uuid(), $1, 'Roof ' || n, n || ' Elm St, Moore, OK 73160', 'elm ' || n, 'elm ' || n, n || ' Elm St', 'Moore', 'OK', '73160',
         'Cleveland County', '40027', ARRAY['roof', 'book ' || n % 50], 30 + n / 1e6, -97.5, 'point', true, now() - n * interval '1 second'
    FROM generate_series(1, $2::int) n`

/** The peer: the database's own CSV of the columns that the export has, in its order. */
const COPY = `COPY (
  SELECT id, coalesce(label, street, query) AS name, label, reference, kind, status, query AS address, street, city, state, postal_code, county,
         county_fips, latitude, longitude, located, precision, failure_reason, failure_message, watch_radius_miles, tags, notes, last_activity_on,
         created_at, updated_at, 'http://127.0.0.1/api/v1/properties/' || id AS url
    FROM properties WHERE team_id = '$team' ORDER BY created_at DESC, id DESC) TO STDOUT (FORMAT csv, HEADER)`

/** Records with a place, a county and a narrative of up to 500 letters, 300 a day. */
const RECORDS = `
  INSERT INTO archive_records (source, source_key, type, family, severity, occurred_on, begins_at, ends_at, hail_size_in, wind_gust_mph, latitude, longitude,
                               county, county_fips, state, precision, evidence_kind, is_observed, qualifier, file_name, citation_url, description)
  SELECT 'noaa_storm_events', 'export/' || n, CASE n % 2 WHEN 0 THEN 'hail' ELSE 'thunderstorm_wind' END, 'thunderstorm', 'moderate', day, day + time '18:00',
         day + time '18:20', CASE n % 2 WHEN 0 THEN 0.75 + n % 12 * 0.25 END, CASE n % 2 WHEN 1 THEN 50 + n % 40 END, 30 + n % 15000 / 1e3, -100 + n % 17000 / 1e3,
         'Cleveland', '40027', 'OK', 'point', 'ground', true, 'estimated', 'StormEvents_details', 'https://www.ncei.noaa.gov/stormevents/eventdetails.jsp?id=' || n,
         n || repeat(' hail fell and the wind blew', n % 18)
    FROM generate_series(1, $1::int) n, LATERAL (SELECT DATE '2010-01-01' + n / 300 AS day) d`

/** The peer: the database's own CSV of the columns that the archive's has, in its order. */
const COPY_RECORDS = `COPY (
  SELECT id, type, family, severity, occurred_on, begins_at, ends_at, time_unsure, hail_size_in, wind_gust_mph, wind_speed_mph, tornado_ef_scale,
         NULL AS tornado_rating, latitude, longitude, end_latitude, end_longitude, county, county_fips, zone, state, precision, source, 'NOAA Storm Events',
         evidence_kind, is_observed, qualifier, preliminary, caveats, citation_url, description, false AS sample
    FROM archive_records WHERE withdrawn_at IS NULL ORDER BY occurred_on DESC, id DESC) TO STDOUT (FORMAT csv, HEADER)`

export async function setup(bed: Bed): Promise<Stage> {
  const { url, pool } = await bed.database()
  const app = await openApp(configFor({ database_url: url, rate_limit_per_minute: LIMIT, operator_key: OPERATOR_KEY, home: bed.folder }))
  bed.closing(() => closeApp(app))
  const team = await createTeam(app.db, systemClock, { name: 'Bench', plan: 'enterprise' })
  const granted = { team_id: team.id, name: 'Bench', abilities: abilities.map(({ name }) => name), expires_at: null }
  const { token } = await issueToken(app.db, granted)
  await pool.query(PROPERTIES, [team.id, bed.size])
  await pool.query(RECORDS, [bed.size])
  await pool.query('VACUUM ANALYZE properties, archive_records')
  const client = await serve(bed, await openApi(app), 2)
  return { client, pool, token, team_id: team.id, size: bed.size }
}

/** Bytes of the file, and lines in it. */
interface File {
  bytes: number
  lines: number
}

async function read(pieces: AsyncIterable<Buffer>): Promise<File> {
  const file = { bytes: 0, lines: 0 }
  for await (const piece of pieces) {
    file.bytes += piece.length
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) file.lines += 1
  }
  return file
}

const exported = ({ client, token }: Stage, format = 'csv') =>
  client.request({ method: 'GET', path: `/exports/properties.${format}`, headers: { authorization: `Bearer ${token}` } })

const archived = ({ client }: Stage, format: 'csv' | 'geoparquet') =>
  client.request({ method: 'GET', path: `/operator/archive/records.${format}`, headers: { authorization: `Bearer ${OPERATOR_KEY}` } })

async function copied({ pool, team_id }: Stage, statement = COPY.replace('$team', team_id)): Promise<File> {
  const connection = await pool.connect()
  try {
    return await read(connection.query(copyTo(statement)))
  } finally {
    connection.release()
  }
}

/** Takes the first piece and goes. */
async function firstPiece(asked: ReturnType<typeof exported>): Promise<void> {
  const { body } = await asked
  for await (const _ of body) break
}

export const arms: Arm<Stage>[] = [
  { name: 'export', case: 'a whole CSV', operations: 1, run: async (stage) => void (await read((await exported(stage)).body)) },
  { name: 'COPY', case: 'a whole CSV', peer: true, operations: 1, run: async (stage) => void (await copied(stage)) },
  { name: 'first byte', case: 'a CSV begun', run: (stage) => firstPiece(exported(stage)) },
  {
    name: 'export',
    case: 'the archive as CSV',
    operations: 1,
    run: async (stage) => void (await read((await archived(stage, 'csv')).body)),
  },
  { name: 'COPY', case: 'the archive as CSV', peer: true, operations: 1, run: async (stage) => void (await copied(stage, COPY_RECORDS)) },
  {
    name: 'export',
    case: 'the archive as GeoParquet',
    operations: 1,
    run: async (stage) => void (await read((await archived(stage, 'geoparquet')).body)),
  },
  { name: 'first byte', case: 'the archive begun as CSV', run: (stage) => firstPiece(archived(stage, 'csv')) },
  { name: 'first byte', case: 'the archive begun as GeoParquet', run: (stage) => firstPiece(archived(stage, 'geoparquet')) },
]

/** Milliseconds in which a file of a million rows is to be whole. */
const WHOLE_MS = 20_000

export const reach: Reach[] = [
  {
    case: 'a whole CSV',
    arm: 'export',
    peer: 'COPY',
    ratio_at_most: 7,
    note: 'COPY has neither views nor a wall around the rows, and sends no HTTP',
  },
  { case: 'a CSV begun', arm: 'first byte', at_most: 200, percentile: 95 },
  { case: 'the archive as CSV', arm: 'export', at_most: WHOLE_MS, percentile: 50 },
  { case: 'the archive as GeoParquet', arm: 'export', at_most: WHOLE_MS, percentile: 50 },
  { case: 'the archive begun as CSV', arm: 'first byte', at_most: 200, percentile: 95 },
  { case: 'the archive begun as GeoParquet', arm: 'first byte', at_most: 200, percentile: 95 },
]

/** Both have every row once; and while a file is sent the process does not grow with it. */
export async function check(stage: Stage): Promise<void> {
  const { lines } = await bounded(async () => read((await exported(stage)).body))
  assert.equal(lines, stage.size + 1)
  assert.equal((await copied(stage)).lines, stage.size + 1)
  const records = await bounded(async () => read((await archived(stage, 'csv')).body))
  assert.equal(records.lines, stage.size + 1)
  assert.equal((await copied(stage, COPY_RECORDS)).lines, stage.size + 1)
  const columns = await bounded(async () => read((await archived(stage, 'geoparquet')).body))
  assert(columns.bytes < records.bytes, `${columns.bytes} bytes of GeoParquet for ${records.bytes} of CSV`)
}

async function bounded<Result>(work: () => Promise<Result>): Promise<Result> {
  const before = process.memoryUsage().rss
  let [peak, done] = [before, false]
  const watched = (async () => {
    for (; !done; await pause(20)) peak = Math.max(peak, process.memoryUsage().rss)
  })()
  try {
    return await work()
  } finally {
    done = true
    await watched
    assert(peak - before < GROWTH_MAX_BYTES, `the process grew by ${Math.round((peak - before) / 1e6)} MB`)
  }
}
