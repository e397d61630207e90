import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { archiveColumns } from '#domain/exports/archive/columns.ts'
import { details, detailsText } from '#test/domain/archive/files.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { statementsOf } from '#test/support/statements.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'

/** Several row groups, the last one partly filled; many pages, days on which many records began, and fewer days than rows. */
const ROWS = 45_000
/** Of two thousand records each. */
const PAGES = ROWS / 2000

let world: World
let rest: Rest
let url: string
let folder: string
let duck: DuckDBConnection

beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  rest = await openRest(world)
  url = await rest.fastify.listen({ host: '127.0.0.1', port: 0 })
  folder = await mkdtemp(path.join(tmpdir(), 'weather-archive-'))
  await world.owner.query(MANY_RECORDS, [ROWS])
  // A final record exists for one of the days; it replaces the state's preliminary records.
  await world.app.pool.query(`INSERT INTO coverage (source, state, month) VALUES ('noaa_storm_events', 'KS', '2012-01-01')`)
  duck = await (await DuckDBInstance.create(':memory:')).connect()
})
afterAll(async () => {
  duck?.closeSync()
  await rest?.close()
  await rm(folder, { recursive: true, force: true })
})

const MANY_RECORDS = `
  INSERT INTO archive_records (source, source_key, type, family, severity, occurred_on, begins_at, ends_at, latitude, longitude, hail_size_in, wind_gust_mph,
                               tornado_ef_scale, county, county_fips, state, precision, evidence_kind, is_observed, preliminary, caveats, citation_url,
                               description, withdrawn_at)
  SELECT 'noaa_storm_events', '2012/' || n, (ARRAY['hail', 'thunderstorm_wind', 'tornado'])[1 + n % 3], 'thunderstorm', 'moderate', day, day + time '23:59:59',
         CASE n % 4 WHEN 0 THEN day + interval '30 hours' END,
         CASE WHEN n % 10 <> 9 THEN 30 + n / 1e4 END, CASE WHEN n % 10 <> 9 THEN -100 + n / 1e4 END,
         CASE n % 3 WHEN 0 THEN 0.75 + n % 8 * 0.25 END, CASE n % 3 WHEN 1 THEN 50 + n % 40 END, CASE n % 3 WHEN 2 THEN n % 6 END,
         'Ford', '20057', (ARRAY['KS', 'OK'])[1 + n % 2], CASE WHEN n % 10 <> 9 THEN (CASE n % 100 WHEN 50 THEN 'grid' ELSE 'point' END) ELSE 'county' END,
         'ground', true, n % 50 = 7, CASE n % 7 WHEN 0 THEN ARRAY['It is "said", not seen.'] END, 'https://www.ncei.noaa.gov/stormevents/eventdetails.jsp?id=' || n,
         '=' || n || ' said: "größer", 雹' || E'\\r\\n' || repeat('and more ', n % 60), CASE n % 100 WHEN 3 THEN now() END
    FROM generate_series(1, $1::int) n, LATERAL (SELECT DATE '2011-01-01' + n % 700 AS day) d`

/** What the exports should contain, from a separate statement. */
const HELD = `withdrawn_at IS NULL AND precision <> 'grid' AND NOT (preliminary AND state = 'KS' AND occurred_on < '2012-02-01')`

const ask = (file: string, key: string | null = OPERATOR_KEY) =>
  fetch(`${url}/operator/archive/${file}`, { headers: key === null ? {} : { authorization: `Bearer ${key}` } })

async function saved(file: string): Promise<string> {
  const answer = await ask(file)
  expect(answer.status).toBe(200)
  const kept = path.join(folder, `${file.split('?', 1)[0]}`.replace('.geoparquet', '.parquet'))
  await pipeline(Readable.fromWeb(answer.body as never), createWriteStream(kept))
  return kept
}

async function rowsOf(statement: string): Promise<Record<string, unknown>[]> {
  const reader = await duck.runAndReadAll(statement)
  return reader.getRowObjectsJson() as Record<string, unknown>[]
}

/** Sums that show any row that is missing or appears twice. */
const sums = (moment: string) => `
  count(*)::int AS rows, count(DISTINCT id)::int AS ids, sum(id)::float8 AS id, round(sum(hail_size_in)::numeric, 2)::float8 AS hail,
  sum(wind_gust_mph)::float8 AS gust, sum(tornado_ef_scale)::float8 AS ef, round(sum(latitude)::numeric, 3)::float8 AS latitude,
  count(longitude)::int AS points, sum(${moment})::float8 AS began, count(ends_at)::int AS ended,
  min(occurred_on)::text AS first, max(occurred_on)::text AS last, sum(length(description))::float8 AS letters`

const counted = (where: string) =>
  world.app.pool
    .query(
      `SELECT ${sums('extract(epoch FROM begins_at)')}, count(*) FILTER (WHERE preliminary)::int AS provisional FROM archive_records WHERE ${where}`,
    )
    .then(({ rows }) => rows[0])

describe('a page that takes longer than the time limit of a request', () => {
  it('gets all the time it needs', async () => {
    const locking = await world.owner.connect()
    try {
      await locking.query('BEGIN; LOCK TABLE archive_records IN ACCESS EXCLUSIVE MODE')
      const answer = ask('records.csv?types=tornado&from=2012-06-01')
      const waiting = "SELECT pid FROM pg_locks WHERE relation = 'archive_records'::regclass AND NOT granted"
      const pids = async () => (await world.owner.query<{ pid: number }>(waiting)).rows.map(({ pid }) => pid)
      await waitUntil(async () => (await pids()).length > 0)
      const [first] = await pids()
      // Like the server itself when the time is up.
      await world.owner.query('SELECT pg_cancel_backend($1)', [first])
      await waitUntil(async () => (await pids()).some((pid) => pid !== first))
      await locking.query('COMMIT')
      const rows = parse(await (await answer).text(), { columns: true, bom: true })
      expect(rows).toHaveLength((await counted(`${HELD} AND type = 'tornado' AND occurred_on >= '2012-06-01'`)).rows)
    } finally {
      locking.release(true)
    }
  })
})

describe('DuckDB, reading without any code of this service,', () => {
  it('finds each record once in the GeoParquet, with the same sums as PostgreSQL', async () => {
    const file = await saved('records.geoparquet')
    const [found] = await rowsOf(`SELECT ${sums('epoch(begins_at)')}, count(*) FILTER (provisional)::int AS provisional FROM '${file}'`)
    expect(found).toEqual(await counted(HELD))
    expect(found?.rows).toBeGreaterThan(40_000)
    const [groups] = await rowsOf(`SELECT count(DISTINCT row_group_id)::int AS groups FROM parquet_metadata('${file}')`)
    expect(Number(groups?.groups)).toBeGreaterThan(2)
  })

  it('finds the same in the CSV', async () => {
    const file = await saved('records.csv')
    const read = `read_csv('${file}', sample_size = -1)`
    const [found] = await rowsOf(`SELECT ${sums('epoch(begins_at)')}, count(*) FILTER (provisional)::int AS provisional FROM ${read}`)
    // Each description begins with a character of a formula, so a CSV puts an apostrophe in front.
    const { letters, ...stored } = await counted(HELD)
    expect(found).toEqual({ ...stored, letters: letters + stored.rows })
  })

  it('reads each column of both formats as the same value, by its type', async () => {
    const [geoparquet, csv] = [
      await saved('records.geoparquet?types=tornado&to=2011-03-01'),
      await saved('records.csv?types=tornado&to=2011-03-01'),
    ]
    const described = await rowsOf(`DESCRIBE SELECT * EXCLUDE geometry FROM '${geoparquet}'`)
    expect(described.map(({ column_name }) => column_name)).toEqual(Object.keys(archiveColumns))
    const types = {
      integer: 'INTEGER',
      number: 'DOUBLE',
      text: 'VARCHAR',
      texts: 'VARCHAR',
      boolean: 'BOOLEAN',
      day: 'DATE',
      moment: 'TIMESTAMP WITH TIME ZONE',
    }
    expect(described.map(({ column_type }) => column_type)).toEqual(Object.values(archiveColumns).map(({ type }) => types[type]))
    const spelled = described.map(({ column_name, column_type }) => `'${column_name}': '${column_type}'`).join(', ')
    const fromCsv = `SELECT * REPLACE (description[2:] AS description) FROM read_csv('${csv}', header = true, columns = {${spelled}})`
    const [differing] = await rowsOf(
      `SELECT count(*)::int AS rows FROM ((SELECT * EXCLUDE geometry FROM '${geoparquet}') EXCEPT (${fromCsv}))`,
    )
    const [all] = await rowsOf(`SELECT count(*)::int AS rows FROM '${geoparquet}'`)
    expect([differing?.rows, all?.rows]).toEqual([0, (await counted(`${HELD} AND type = 'tornado' AND occurred_on <= '2011-03-01'`)).rows])
  })

  it('finds the geo metadata of GeoParquet 1.1, and points that match their coordinate columns', async () => {
    const file = await saved('records.geoparquet')
    const [metadata] = await rowsOf(`SELECT decode(value) AS geo FROM parquet_kv_metadata('${file}') WHERE decode(key) = 'geo'`)
    const geo = JSON.parse(String(metadata?.geo))
    const { rows } = await world.app.pool.query(
      `SELECT min(longitude) w, min(latitude) s, max(longitude) e, max(latitude) n FROM archive_records WHERE ${HELD}`,
    )
    expect(geo).toMatchObject({
      version: '1.1.0',
      primary_column: 'geometry',
      columns: {
        geometry: { encoding: 'WKB', geometry_types: ['Point'], crs: { type: 'GeographicCRS', id: { authority: 'OGC', code: 'CRS84' } } },
      },
    })
    expect(geo.columns.geometry.bbox).toEqual(Object.values(rows[0]))
    const wkb = await rowsOf(
      `SELECT hex(ST_AsWKB(geometry)) AS wkb, latitude, longitude FROM '${file}' WHERE id % 500 = 1 OR latitude IS NULL LIMIT 5000`,
    )
    expect(wkb.some(({ latitude }) => latitude === null)).toBe(true)
    for (const { wkb: hex, latitude, longitude } of wkb)
      expect(hex).toBe(latitude === null ? null : wkbOf(Number(longitude), Number(latitude)))
  })
})

/** A point of ISO 13249-3, least significant byte first, in hexadecimal. */
function wkbOf(x: number, y: number): string {
  const bytes = Buffer.alloc(21)
  bytes.writeUInt8(1, 0)
  bytes.writeUInt32LE(1, 1)
  bytes.writeDoubleLE(x, 5)
  bytes.writeDoubleLE(y, 13)
  return bytes.toString('hex').toUpperCase()
}

describe('an export of the archive', () => {
  it('can be filtered by days, types and states', async () => {
    const csv = await ask('records.csv?from=2012-03-01&to=2012-03-31&types=hail,tornado&states=ok').then((answer) => answer.text())
    const rows: Record<string, string>[] = parse(csv, { columns: true, record_delimiter: '\r\n' })
    expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(['hail', 'tornado']))
    const { rows: stored } = await world.app.pool.query(
      `SELECT id FROM archive_records WHERE ${HELD} AND occurred_on BETWEEN '2012-03-01' AND '2012-03-31' AND type <> 'thunderstorm_wind' AND state = 'OK'
        ORDER BY occurred_on DESC, id DESC`,
    )
    expect(rows.map(({ id }) => Number(id))).toEqual(stored.map(({ id }) => id))
    expect(stored.length).toBeGreaterThan(100)
  })

  it('states about a record what reports state about it', async () => {
    const text = detailsText({ EVENT_ID: '77', EVENT_TYPE: 'Tornado', MAGNITUDE: '', TOR_F_SCALE: 'EF2', TOR_LENGTH: '1', TOR_WIDTH: '20' })
    await ingest(world.app, 'storm-events', Readable.from([Buffer.from(text, 'latin1')]), { file_name: details(2019) })
    const csv = await ask('records.csv?from=2019-01-01').then((answer) => answer.text())
    const [row] = parse(csv, { columns: true, record_delimiter: '\r\n' }) as Record<string, string>[]
    expect(row).toMatchObject({
      type: 'tornado',
      tornado_rating: 'EF2',
      provisional: 'false',
      sample: 'false',
      source: 'noaa_storm_events',
    })
    expect(row?.source_label).toContain(', final')
    expect(row?.begins_at).toMatch(/^2019-03-\d\dT\d\d:\d\d:\d\dZ$/)
    expect(row?.citation_url).toContain('77')
  })

  it('is read as fast as the client takes it, and stops when the client disconnects', async () => {
    const statements = await statementsOf(async () => {
      const outgoing = http.get(`${url}/operator/archive/records.csv`, {
        headers: { authorization: `Bearer ${OPERATOR_KEY}` },
        agent: false,
      })
      const [answer] = (await once(outgoing, 'response')) as [http.IncomingMessage]
      outgoing.on('error', () => {})
      // By now the buffers of the connection are full.
      await pause(1500)
      answer.destroy()
      await pause(500)
    })
    const pages = statements.filter((text) => text.includes('FROM archive_records r WHERE'))
    expect(pages.length).toBeGreaterThan(1)
    expect(pages.length).toBeLessThan(PAGES / 2)
  })

  it('is a valid file in either format when it has no records', async () => {
    const file = await saved('records.geoparquet?from=2031-01-01')
    expect(await rowsOf(`SELECT count(*)::int AS rows FROM '${file}'`)).toEqual([{ rows: 0 }])
    const csv = await ask('records.csv?from=2031-01-01').then((answer) => answer.text())
    expect(csv).toBe(`${Object.keys(archiveColumns).join(',')}\r\n`)
  })

  it('is for the operator only', async () => {
    const { token } = await aToken(world, await aTeam(world))
    for (const key of [null, token, 'wo_unknown']) expect((await ask('records.csv', key)).status).toBe(401)
  })

  it.each([
    ['records.xlsx', 404, null],
    ['records.csv?from=2019-02-30', 422, 'from'],
    ['records.csv?from=2019-02-02&to=2019-02-01', 422, 'to'],
    ['records.csv?types=hail,frogs', 422, 'types.1'],
    ['records.csv?states=Kansas', 422, 'states.0'],
    ['records.geoparquet?states=ok,ZZ', 422, 'states.1'],
    ['records.csv?type=hail', 422, 'type'],
    ['records.geoparquet?from=1&from=2', 422, 'from'],
  ])('%s is refused', async (file, status, field) => {
    const answer = await ask(file)
    const { errors } = (await answer.json()) as { errors: object | null }
    expect([answer.status, errors && Object.keys(errors)]).toEqual([status, field && [field]])
  })
})
