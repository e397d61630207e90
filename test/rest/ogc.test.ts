import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { archiveColumns } from '#domain/exports/archive/columns.ts'
import type { Team } from '#generated/prisma/client.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { allAbilities, aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

const run = promisify(execFile)
const ROWS = 2400
const ITEMS = '/collections/records/items'

let world: World
let rest: Rest
let team: Team
let token: string
let url: string

beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  rest = await openRest(world)
  url = await rest.fastify.listen({ host: '127.0.0.1', port: 0 })
  // Links use the service's public address.
  Object.assign(world.app.config, { base_url: url })
  team = await aTeam(world)
  token = (await aToken(world, team)).token
  await world.app.pool.query(RECORDS, [ROWS])
  // In a large archive ids reach ten digits.
  await world.app.pool.query('UPDATE archive_records SET id = id + 1000000000 WHERE id > 500')
  await world.app.pool.query(CELLS)
})
afterAll(() => rest.close())

/**
 * Records of four years, located from 30 N 100 W on, on so few days that many share one. Of each hundred one is the
 * county's, one is withdrawn, one is radar's.
 */
const RECORDS = `
  INSERT INTO archive_records (source, source_key, type, family, severity, occurred_on, begins_at, ends_at, latitude, longitude, hail_size_in, wind_gust_mph,
                               county, state, precision, evidence_kind, is_observed, preliminary, caveats, citation_url, description, withdrawn_at)
  SELECT 'noaa_storm_events', 'ogc/' || n, (ARRAY['hail', 'thunderstorm_wind'])[1 + n % 2], 'thunderstorm',
         (ARRAY['minor', 'moderate', 'severe', 'extreme'])[1 + n % 4], day, day + time '22:30', CASE n % 5 WHEN 0 THEN day + interval '3 days' END,
         CASE WHEN n % 100 <> 1 THEN 30 + n / 2e2 END, CASE WHEN n % 100 <> 1 THEN -100 + n / 2e2 END,
         CASE n % 2 WHEN 0 THEN 0.75 + n % 12 * 0.25 END, CASE n % 2 WHEN 1 THEN 50 + n % 40 END, CASE n % 3 WHEN 0 THEN 'O''Brien' ELSE 'Ford' END, 'KS',
         CASE n % 100 WHEN 1 THEN 'county' WHEN 2 THEN 'grid' ELSE 'point' END, 'ground', true, false,
         CASE n % 7 WHEN 0 THEN ARRAY['It is "said", not seen.'] END, 'https://www.ncei.noaa.gov/stormevents/?id=' || n, 'Record ' || n,
         CASE n % 100 WHEN 3 THEN now() END
    FROM generate_series(1, $1::int) n, LATERAL (SELECT DATE '2022-01-01' + (n * 7) % 1400 AS day) d`
const CELLS = `
  INSERT INTO record_cells (record_id, cell, occurred_on, latitude, longitude)
  SELECT id, floor((latitude + 90) * 4)::int * 1440 + floor((longitude + 180) * 4)::int, occurred_on, latitude, longitude
    FROM archive_records WHERE latitude IS NOT NULL`

const HELD = `withdrawn_at IS NULL AND precision <> 'grid'`

/** The ids that a separate statement finds, in the order of the listing. */
async function storedIds(where: string): Promise<number[]> {
  const { rows } = await world.app.pool.query(
    `SELECT id FROM archive_records WHERE ${HELD} AND ${where} ORDER BY occurred_on DESC, id DESC`,
  )
  return rows.map(({ id }) => id)
}

interface Page {
  features: { id: number; geometry: { coordinates: number[] } | null; properties: Record<string, unknown> }[]
  links: { rel: string; href: string }[]
  numberReturned: number
  numberMatched?: number
}

const ask = (path: string, of: string | null = token) =>
  fetch(path.startsWith('http') ? path : `${url}/ogc${path}`, { headers: of === null ? {} : { authorization: `Bearer ${of}` } })

/** The body is read: fetch may stall a later request while one is not. */
async function statusOf(path: string, of: string | null = token): Promise<number> {
  const answer = await ask(path, of)
  await answer.arrayBuffer()
  return answer.status
}

const queryOf = (query: Record<string, string>) => `${ITEMS}?${new URLSearchParams(query)}`

async function pageOf(path: string): Promise<Page> {
  const answer = await ask(path)
  const body = (await answer.json()) as Page & { message?: string }
  expect([answer.status, body.message]).toEqual([200, undefined])
  expect(answer.headers.get('content-type')).toContain('application/geo+json')
  return body
}

/** Every id, page by page through the links. */
async function idsOf(query: Record<string, string>): Promise<number[]> {
  const ids: number[] = []
  for (let next: string | undefined = queryOf({ limit: '1000', ...query }); next; ) {
    const { features, links } = await pageOf(next)
    ids.push(...features.map(({ id }) => id))
    next = links.find(({ rel }) => rel === 'next')?.href
  }
  return ids
}

describe('the archive as OGC API Features', () => {
  it('links from its landing page to everything, and every link works', async () => {
    const seen = new Set<string>()
    const waiting = [`${url}/ogc`]
    for (let at = waiting.pop(); at; at = waiting.pop()) {
      if (seen.has(at)) continue
      seen.add(at)
      const answer = await ask(at)
      expect([at, answer.status]).toEqual([at, 200])
      if (!answer.headers.get('content-type')?.includes('json') || at.includes('/items') || at.endsWith('/api')) continue
      const { links = [], collections = [] } = (await answer.json()) as { links?: Page['links']; collections?: { links: Page['links'] }[] }
      for (const { href } of [...links, ...collections.flatMap((one) => one.links)]) waiting.push(href)
    }
    const paths = [
      '',
      '/api',
      '/conformance',
      '/collections',
      '/collections/records',
      '/collections/records/queryables',
      '/collections/records/schema',
      ITEMS,
    ]
    expect([...seen].sort()).toEqual([...paths.map((path) => `${url}/ogc${path}`), `${url}/docs`].sort())
  })

  it('has an OpenAPI 3.0 description that an independent validator accepts', async () => {
    const answer = await ask('/api')
    expect(answer.headers.get('content-type')).toMatch(/^application\/vnd\.oai\.openapi\+json; ?version="?3\.0/)
    const config = await createConfig({
      rules: {
        struct: 'error',
        'no-unresolved-refs': 'error',
        'operation-operationId-unique': 'error',
        'path-parameters-defined': 'error',
      },
    })
    expect(await lintFromString({ source: await answer.text(), config })).toEqual([])
  })

  it('is compressed for clients that accept it, and works with or without a trailing slash', async () => {
    const packed = await rest.fastify.inject({
      url: `/ogc${ITEMS}?limit=500`,
      headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' },
    })
    expect([packed.headers['content-encoding'], packed.rawPayload.length < 30_000]).toEqual(['gzip', true])
    expect(JSON.parse(gunzipSync(packed.rawPayload).toString()).numberReturned).toBe(500)
    expect(await (await ask('/')).json()).toEqual(await (await ask('')).json())
    expect((await fetch(`${url}/ogc`, { method: 'HEAD', headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
  })

  it('returns each record once, newest day first, for any page size', async () => {
    const expected = await storedIds('true')
    expect(expected.length).toBe(ROWS * 0.98)
    for (const limit of ['97', '1000', '100000']) expect(await idsOf({ limit })).toEqual(expected)
    const fullPage = await pageOf(queryOf({ limit: '5000' }))
    expect([fullPage.numberMatched, fullPage.numberReturned]).toEqual([expected.length, expected.length])
    const part = await pageOf(ITEMS)
    expect([part.numberMatched, part.numberReturned]).toEqual([undefined, 100])
  })

  it('keeps its place while records are added and removed before and behind it', async () => {
    const first = await pageOf(queryOf({ limit: '50' }))
    const next = first.links.find(({ rel }) => rel === 'next')?.href as string
    const before = (await pageOf(next)).features.map(({ id }) => id)
    const { rows } = await world.app.pool.query(
      `INSERT INTO archive_records (source, source_key, type, family, severity, occurred_on, begins_at, precision, evidence_kind, is_observed, citation_url, description)
       VALUES ('noaa_storm_events', 'newest', 'flood', 'flood', 'minor', '2025-12-31', '2025-12-31', 'county', 'ground', true, '', '') RETURNING id`,
    )
    expect((await pageOf(next)).features.map(({ id }) => id)).toEqual(before)
    await world.owner.query('DELETE FROM archive_records WHERE id = $1', [rows[0].id])
  })

  it.each([
    ['bbox', '-99,31,-97,33', 'latitude BETWEEN 31 AND 33 AND longitude BETWEEN -99 AND -97'],
    ['bbox', '-99,31,0,-97,33,5000', 'latitude BETWEEN 31 AND 33 AND longitude BETWEEN -99 AND -97'],
    ['bbox', '-180,-90,180,90', 'latitude IS NOT NULL'],
    ['bbox', '-95,30,-99.5,90', '(longitude >= -95 OR longitude <= -99.5) AND latitude IS NOT NULL'],
    ['bbox', '-98,32,-98,32', 'latitude = 32 AND longitude = -98'],
    ['bbox', '10,10,11,11', 'false'],
    ['datetime', '2023-05-07T00:00:00Z', `begins_at <= '2023-05-07Z' AND coalesce(ends_at, begins_at) >= '2023-05-07Z'`],
    ['datetime', '2023-05-07', `begins_at < '2023-05-08Z' AND coalesce(ends_at, begins_at) >= '2023-05-07Z'`],
    [
      'datetime',
      '2023-05-01T00:00:00-06:00/2023-05-09',
      `begins_at < '2023-05-10Z' AND coalesce(ends_at, begins_at) >= '2023-05-01T06:00Z'`,
    ],
    ['datetime', '2025-06-01T22:30:00Z/..', `coalesce(ends_at, begins_at) >= '2025-06-01T22:30Z'`],
    ['datetime', '/2022-02-01T22:30:00Z', `begins_at <= '2022-02-01T22:30Z'`],
    ['datetime', '../..', 'true'],
    ['filter', "type = 'hail' AND hail_size_in >= 1.75", `type = 'hail' AND hail_size_in >= 1.75`],
    [
      'filter',
      "NOT (severity IN ('minor', 'moderate') OR wind_gust_mph < 60)",
      `NOT (severity IN ('minor', 'moderate') OR wind_gust_mph < 60)`,
    ],
    [
      'filter',
      "county LIKE 'O''B%' AND occurred_on BETWEEN DATE('2023-01-01') AND DATE('2023-12-31')",
      `county = 'O''Brien' AND occurred_on BETWEEN '2023-01-01' AND '2023-12-31'`,
    ],
    ['filter', 'hail_size_in IS NULL AND provisional = FALSE', 'hail_size_in IS NULL'],
    ['filter', "begins_at > TIMESTAMP('2024-01-01T00:00:00Z') AND latitude > 40", `begins_at > '2024-01-01Z' AND latitude > 40`],
    ['filter', "county LIKE '%\\\\'", 'false'],
  ])('%s=%s finds the same as a handwritten statement', async (name, value, where) => {
    const expected = await storedIds(where)
    expect(await idsOf({ [name]: value, limit: '500' })).toEqual(expected)
    if (where !== 'false' && !where.includes('= 32')) expect(expected.length).toBeGreaterThan(0)
  })

  it('combines all filters', async () => {
    const query = {
      bbox: '-99,31,-95,35',
      datetime: '2023-01-01/2024-12-31',
      filter: "type = 'hail'",
      'filter-lang': 'cql2-text',
      limit: '7',
    }
    const expected = await storedIds(
      `latitude BETWEEN 31 AND 35 AND longitude BETWEEN -99 AND -95 AND begins_at < '2025-01-01Z' AND coalesce(ends_at, begins_at) >= '2023-01-01Z' AND type = 'hail'`,
    )
    expect(await idsOf(query)).toEqual(expected)
    expect(expected.length).toBeGreaterThan(20)
  })

  it('returns a single record as the listing has it', async () => {
    const [listed] = (await pageOf(queryOf({ limit: '1', filter: 'hail_size_in > 1 AND latitude > 31' }))).features
    const answer = await ask(`${ITEMS}/${listed?.id}`)
    expect(await answer.json()).toMatchObject({
      ...listed,
      links: [{ rel: 'self', href: `${url}/ogc${ITEMS}/${listed?.id}` }, { rel: 'collection' }],
    })
    const { geometry, properties } = listed!
    expect(Object.keys(properties)).toEqual(Object.keys(archiveColumns).slice(1))
    expect(geometry?.coordinates).toEqual([properties.longitude, properties.latitude])
    expect(properties).toMatchObject({ type: 'hail', source: 'noaa_storm_events', provisional: false, sample: false, state: 'KS' })
    expect(properties.begins_at).toMatch(/^202\d-\d\d-\d\dT22:30:00Z$/)
    expect(properties.citation_url).toContain('https://www.ncei.noaa.gov/')
    const caveats = (await pageOf(queryOf({ limit: '5000' }))).features.map((one) => one.properties.caveats)
    expect(caveats).toContainEqual(['It is "said", not seen.'])
    expect(caveats).toContainEqual([])
  })

  it('serves what its schema describes, also for records without a place or a magnitude', async () => {
    const ajv = new Ajv2020({ strict: false })
    formats.default(ajv)
    ajv.addSchema({
      $id: 'https://geojson.org/schema/Point.json',
      type: 'object',
      required: ['type', 'coordinates'],
      properties: { type: { const: 'Point' }, coordinates: { type: 'array', minItems: 2, items: { type: 'number' } } },
    })
    const schema = (await (await ask('/collections/records/schema')).json()) as { properties: { properties: { properties: object } } }
    const validate = ajv.compile(schema)
    const { features } = await pageOf(queryOf({ limit: '5000' }))
    expect(features.some(({ geometry }) => geometry === null)).toBe(true)
    expect(features.filter((feature) => !validate(feature)).map(() => validate.errors)).toEqual([])
    // GDAL takes a column with a list of types for text.
    for (const { type } of Object.values(schema.properties.properties.properties)) expect(type).toEqual(expect.any(String))
  })

  it('sends a page only once to a client that keeps it', async () => {
    const first = await ask(queryOf({ limit: '5' }))
    world.clock.advance(1000)
    const headers = { authorization: `Bearer ${token}`, 'if-none-match': String(first.headers.get('etag')) }
    const again = await fetch(`${url}/ogc${queryOf({ limit: '5' })}`, { headers })
    expect([first.status, again.status, await again.text()]).toEqual([200, 304, ''])
  })

  it('leaves out withdrawn records and radar cells, by id too', async () => {
    const { rows } = await world.app.pool.query(
      `SELECT id FROM archive_records WHERE withdrawn_at IS NOT NULL OR precision = 'grid' LIMIT 60`,
    )
    expect(rows.length).toBe(48)
    for (const id of [rows[0].id, rows.at(-1).id, 0, -1, '01', 1e9, '99999999999', 'x', '1%00'])
      expect([id, await statusOf(`${ITEMS}/${id}`)]).toEqual([id, 404])
  })
})

describe('access', () => {
  const EVERY = [
    '',
    '/',
    '/conformance',
    '/api',
    '/collections',
    '/collections/records',
    '/collections/records/queryables',
    ITEMS,
    `${ITEMS}/1`,
  ]

  it('is for tokens that may read maps', async () => {
    const without = (
      await aToken(
        world,
        team,
        allAbilities.filter((name) => name !== 'maps:read'),
      )
    ).token
    const free = (await aToken(world, await aTeam(world, { plan: 'starter' }))).token
    for (const path of EVERY) {
      const statuses = await Promise.all([statusOf(path, null), statusOf(path, free), statusOf(path, without), statusOf(path)])
      expect([path, ...statuses]).toEqual([path, 401, 402, 403, 200])
    }
    expect(await (await ask('', without)).json()).toMatchObject({ code: 'missing_ability', required_ability: 'maps:read' })
  })

  it('reaches as far back as the plan does', async () => {
    const now = world.clock.now().getUTCFullYear()
    const near = await aTeam(world, { limit_overrides: { lookback_years: 1 } })
    const short = (await aToken(world, near)).token
    const since = `${now - 1}${world.clock.now().toISOString().slice(4, 10)}`
    const { features } = (await (await ask(queryOf({ limit: '5000' }), short)).json()) as Page
    expect(features.map(({ id }) => id)).toEqual(await storedIds(`occurred_on >= '${since}'`))
    const older = (await storedIds(`occurred_on < '${since}'`))[0]
    expect(older).toBeDefined()
    expect(await statusOf(`${ITEMS}/${older}`, short)).toBe(404)
    const refused = await ask(queryOf({ datetime: '2019-01-01/2019-02-01' }), short)
    expect([refused.status, await refused.json()]).toEqual([402, expect.objectContaining({ code: 'plan_limit', limit: 'lookback' })])
    expect(await (await ask('/collections/records', short)).json()).toMatchObject({
      extent: { temporal: { interval: [[`${since}T00:00:00Z`, null]] } },
    })
  })

  it('counts against the rate limit, and a page of an allowed site can read it', async () => {
    const answer = await ask('')
    expect(Number(answer.headers.get('x-ratelimit-remaining'))).toBeGreaterThan(0)
    await world.app.db.team.update({ where: { id: team.id }, data: { allowed_origins: ['https://maps.example.com'] } })
    const from = (origin: string) => fetch(`${url}/ogc${ITEMS}?limit=1`, { headers: { authorization: `Bearer ${token}`, origin } })
    expect((await from('https://maps.example.com')).headers.get('access-control-allow-origin')).toBe('https://maps.example.com')
    expect((await from('https://other.example.com')).headers.get('access-control-allow-origin')).toBeNull()
    const preflight = {
      origin: 'https://maps.example.com',
      'access-control-request-method': 'GET',
      'access-control-request-headers': 'authorization',
    }
    expect((await fetch(`${url}/ogc${ITEMS}`, { method: 'OPTIONS', headers: preflight })).status).toBe(204)
  })
})

describe('invalid parameters', () => {
  it.each([
    ['bbox', 'NaN,0,1,1'],
    ['bbox', 'Infinity,0,1,1'],
    ['bbox', '1e999,0,1,1'],
    ['bbox', ''],
    ['bbox', ',,,'],
    ['bbox', '0x1,0,1,1'],
    ['bbox', '1,2,3'],
    ['bbox', '1,2,3,4,5'],
    ['bbox', '-181,0,1,1'],
    ['bbox', '0,-91,1,1'],
    ['bbox', '0,2,1,1'],
    ['bbox', Array(1000).fill('1').join()],
    ['bbox-crs', 'http://www.opengis.net/def/crs/EPSG/0/3857'],
    ['datetime', ''],
    ['datetime', '..'],
    ['datetime', 'yesterday'],
    ['datetime', '2023-02-30'],
    ['datetime', '2023-05-01T00:00:00'],
    ['datetime', '2023-05-02/2023-05-01'],
    ['datetime', '2023-05-01/2023-05-02/2023-05-03'],
    ['datetime', '+275760-09-13T00:00:00Z'],
    ['limit', '0'],
    ['limit', '-1'],
    ['limit', '1.5'],
    ['limit', 'many'],
    ['limit', ''],
    ['filter', "type = 'hial'"],
    ['filter', `${'('.repeat(2000)}id = 1`],
    ['filter', `county = '${'a'.repeat(9900)}'`],
    ['filter', "county = 'a\u0000'"],
    ['filter-lang', 'cql2-json'],
    ['filter-crs', 'EPSG:4326'],
    ['cursor', 'x'],
    ['cursor', Buffer.from('2023-02-01.2147483648').toString('base64url')],
    ['cursor', Buffer.from('2023-02-30.1').toString('base64url')],
    ['cursor', Buffer.from("2023-02-01.1' OR true").toString('base64url')],
    ['colour', 'red'],
    ['__proto__', '1'],
  ])('%s is refused with 400 by its name (%#)', async (name, value) => {
    const answer = await ask(`${ITEMS}?${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    const body = (await answer.json()) as { code: string; errors: object }
    expect([answer.status, body.code, Object.keys(body.errors)]).toEqual([400, 'malformed_request', [name]])
  })

  it('a parameter that is sent twice, and any at a document that takes none, are refused', async () => {
    const bodies = await Promise.all(
      [`${ITEMS}?limit=1&limit=2`, '?f=json', '/collections?limit=1', `${ITEMS}/1?bbox=0,0,1,1`].map((path) => ask(path)),
    )
    expect(bodies.map(({ status }) => status)).toEqual([400, 400, 400, 400])
  })

  it('a limit above the largest, of any length, is clamped to the largest', async () => {
    for (const limit of ['5001', '9'.repeat(400)]) expect((await pageOf(queryOf({ limit }))).numberReturned).toBe(ROWS * 0.98)
  })

  it('other paths are not found', async () => {
    const { status } = await fetch(`${url}/ogc${ITEMS}`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
    expect([status, await statusOf('/collections/others'), await statusOf('/collections/records/items/1/2')]).toEqual([404, 404, 404])
  })
})

/** GDAL's own reader; null if it is not installed. */
const gdal = await run('ogrinfo', ['--version']).then(
  ({ stdout }) => stdout,
  () => null,
)

describe.skipIf(gdal === null)('GDAL, reading without any code of this service,', () => {
  const ogrinfo = (...words: string[]) =>
    run('ogrinfo', ['-ro', ...words], {
      env: { ...process.env, GDAL_HTTP_HEADERS: `Authorization: Bearer ${token}` },
      maxBuffer: 1e8,
    }).then(({ stdout }) => stdout)
  const sums = 'SELECT COUNT(*) AS n, SUM(hail_size_in) AS hail, SUM(latitude) AS north FROM records'

  async function sumsOf(where: string): Promise<[number, string, string]> {
    const { rows } = await world.app.pool.query(
      `SELECT count(*)::int AS n, round(sum(hail_size_in)::numeric, 2) AS hail, round(sum(latitude)::numeric, 2) AS north FROM archive_records WHERE ${HELD} AND ${where}`,
    )
    return [rows[0].n, rows[0].hail, rows[0].north]
  }
  const read = (text: string) => {
    const found = (name: string) => Number(new RegExp(`^  ${name} \\(\\w+\\) = ([\\d.]+)`, 'm').exec(text)?.[1])
    return [found('n'), found('hail').toFixed(2), found('north').toFixed(2)]
  }

  it('finds the collection with its columns, and reads every page of it', async () => {
    const summary = await ogrinfo('-so', `OAPIF:${url}/ogc`, 'records')
    expect(summary).toMatch(/Geometry: (Point|Unknown)/)
    expect(summary).toMatch(/hail_size_in: Real/)
    expect(summary).toMatch(/occurred_on: Date /)
    expect(summary).toMatch(/ends_at: DateTime/)
    expect(summary).toMatch(/tornado_ef_scale: Real/)
    expect(summary).toMatch(/caveats: StringList/)
    expect(summary).toContain('WGS 84')
    const fullOutput = await ogrinfo('-oo', 'PAGE_SIZE=500', '-sql', sums, '-dialect', 'SQLite', `OAPIF:${url}/ogc`)
    expect(read(fullOutput)).toEqual(await sumsOf('true'))
  })

  it('reads the records in a box', async () => {
    const boxed = await ogrinfo('-al', '-spat', '-99', '31', '-97', '33', `OAPIF:${url}/ogc`)
    const expected = await storedIds('latitude BETWEEN 31 AND 33 AND longitude BETWEEN -99 AND -97')
    expect([...boxed.matchAll(/^OGRFeature\(records\):(\d+)/gm)].map(([, id]) => Number(id)).sort((a, b) => a - b)).toEqual(
      expected.sort((a, b) => a - b),
    )
  })

  it('reads a page of features as GeoJSON', async () => {
    const page = `${url}/ogc${queryOf({ limit: '5000', filter: "type = 'hail' AND severity = 'severe'" })}`
    const name = (await ogrinfo('-so', page)).match(/^1: (\S+)/m)?.[1]
    const text = await ogrinfo('-sql', sums.replace('records', name as string), page)
    expect(read(text)).toEqual(await sumsOf(`type = 'hail' AND severity = 'severe'`))
  })
})
