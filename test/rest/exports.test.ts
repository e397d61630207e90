import { Readable } from 'node:stream'
import { booleanClockwise } from '@turf/turf'
import { parse } from 'csv-parse/sync'
import type { FeatureCollection, MultiPolygon, Polygon } from 'geojson'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Ability } from '#domain/access/abilities.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { exportsByName } from '#domain/exports/exports.ts'
import { failReport } from '#domain/reports/fail.ts'
import type { Property, Team, Territory } from '#generated/prisma/client.ts'
import { details, detailsText } from '#test/domain/archive/files.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aKeptProperty, aKeptTerritory, anExposure, aWarning } from '#test/support/exposures.ts'
import { aCaller, allAbilities, aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

/** Texts that a spreadsheet would run, each also with a prefix that hides it. */
const FORMULAS = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\uff1d1', 'a,"b"\r\nc;d', '']
/** One page of an export and some of the next: rows made in the same moment are on both. */
const PROPERTIES = 1100

let world: World
let rest: Rest
let team: Team
let token: string
let property: Property
let report: string
let pending: string
let failed: string
let territory: Territory

beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  rest = await openRest(world)
  team = await aTeam(world)
  token = (await aToken(world, team)).token
  await fillReports()
  await fillPlaces()
  await fillDeliveries()
})
afterAll(() => rest.close())

/** A report that cites records, one that is pending and one that failed, and the ledger of all three. */
async function fillReports(): Promise<void> {
  const text = detailsText(
    { EVENT_ID: '1' },
    { EVENT_ID: '2', MAGNITUDE: '1.25', EVENT_NARRATIVE: '=HYPERLINK("http://example.com","Said so")' },
    { EVENT_ID: '3', EVENT_TYPE: 'Thunderstorm Wind', MAGNITUDE: '60', MAGNITUDE_TYPE: 'MG' },
    { EVENT_ID: '4', EVENT_TYPE: 'Thunderstorm Wind', MAGNITUDE: '55', MAGNITUDE_TYPE: 'EG' },
    { EVENT_ID: '5', EVENT_TYPE: 'Heavy Rain', MAGNITUDE: '' },
  )
  await ingest(world.app, 'storm-events', Readable.from([Buffer.from(text, 'latin1')]), { file_name: details(2019) })
  const body = { latitude: 33.1499, longitude: -96.8241, window_start: '2019-03-01', window_end: '2019-03-31', reference: '@claim' }
  const ask = async () => (await rest.call('POST', '/reports', { token, body })).body.data.id
  report = await ask()
  await world.drain()
  failed = await ask()
  await failReport(world.app, failed, 'timed_out')
  pending = await ask()
}

async function fillPlaces(): Promise<void> {
  property = await aKeptProperty(world, team, { street: '1 Main St', tags: ['roof', '=tag'], notes: 'Said "so".\r\nTwice.' })
  for (const label of FORMULAS) await aKeptProperty(world, team, { label, notes: label })
  await world.owner.query(MANY_PROPERTIES, [team.id, PROPERTIES, property.created_at])
  const clockwise = [
    [
      [-98, 35],
      [-98, 36],
      [-97, 36],
      [-97, 35],
      [-98, 35],
    ],
    [
      [-97.8, 35.2],
      [-97.2, 35.2],
      [-97.2, 35.8],
      [-97.8, 35.2],
    ],
  ]
  territory = await aKeptTerritory(world, team, { geometry: JSON.stringify({ type: 'Polygon', coordinates: clockwise }) })
  const both = [clockwise, [clockwise[0]?.map(([x = 0, y = 0]) => [x + 2, y]).toReversed()]]
  await aKeptTerritory(world, team, { name: 'Two', geometry: JSON.stringify({ type: 'MultiPolygon', coordinates: both }) })
  const storm = { hail: 2, reports: 2, sources: 1, largest_measured_in: 1.75, nearest_miles: 0.8, evidence: ['ground'], record_ids: [7, 8] }
  await anExposure(world, team, { property_id: property.id, ...storm })
  await anExposure(world, team, { territory_id: territory.id, headline: '-2 in', largest_detected_in: 2 })
  const warned = { kind: 'warning', warning_key: 'one', warning: aWarning, sources: 1 } as const
  await anExposure(world, team, { property_id: property.id, date: '2026-05-21', ...warned })
}

const MANY_PROPERTIES = `
  INSERT INTO properties (id, team_id, label, query, query_key, address_key, tags, latitude, longitude, precision, located, created_at)
  SELECT gen_random_uuid(), $1, 'Roof ' || n, n || ' Elm St', 'elm ' || n, 'elm ' || n, '{}', 30 + n / 1e5, -97.5, 'point', true, $3
    FROM generate_series(1, $2::int) n`

function fillDeliveries(): Promise<unknown> {
  return world.app.pool.query(
    `INSERT INTO deliveries (id, team_id, event, integration_id, kind, channel, status, subject, address_hint, exposure_ids, failure_reason)
     SELECT gen_random_uuid(), $1, 'test', gen_random_uuid(), 'test', 'webhook', (ARRAY['queued', 'sent', 'failed'])[n % 3 + 1], '=subject ' || n,
            'https://...', ARRAY[n], CASE n % 3 WHEN 2 THEN '-1' END
       FROM generate_series(1, 40) n`,
    [team.id],
  )
}

type Name = keyof typeof exportsByName
const names = Object.keys(exportsByName) as Name[]
const placed = names.filter((name) => exportsByName[name].has_places)
/** The REST listing of each export, and the export's further parameters. */
const listings: Record<Name, () => { path: string; query?: string; ability: Ability }> = {
  reports: () => ({ path: '/reports', ability: 'reports:read' }),
  events: () => ({ path: `/reports/${report}/events`, query: `report=${report}`, ability: 'reports:read' }),
  exposures: () => ({ path: '/exposures', ability: 'exposures:read' }),
  properties: () => ({ path: '/properties', ability: 'properties:read' }),
  territories: () => ({ path: '/territories', ability: 'territories:read' }),
  deliveries: () => ({ path: '/integrations/deliveries', ability: 'integrations:read' }),
  transactions: () => ({ path: '/credits/transactions', ability: 'account:read' }),
}

function ask(file: string, { of = token, method = 'GET' }: { of?: string | null; method?: 'GET' | 'HEAD' | 'POST' } = {}) {
  return rest.fastify.inject({ method, url: `/exports/${file}`, headers: of === null ? {} : { authorization: `Bearer ${of}` } })
}

const fileOf = (name: Name, format: string, filters = '') =>
  `${name}.${format}?${[listings[name]().query, filters].filter(Boolean).join('&')}`

async function csvOf(name: Name, filters = '', of = token): Promise<Record<string, string>[]> {
  const answer = await ask(fileOf(name, 'csv', filters), { of })
  expect([answer.statusCode, answer.statusCode === 200 ? '' : answer.body]).toEqual([200, ''])
  return parse(answer.rawPayload, { columns: true, record_delimiter: '\r\n', relax_column_count: false })
}

async function featuresOf(name: Name, filters = ''): Promise<FeatureCollection> {
  const answer = await ask(fileOf(name, 'geojson', filters))
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/geo+json'])
  return answer.json()
}

/** All rows of the REST listing, page by page. */
async function listed(name: Name, filters = ''): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = []
  for (let page = 1; ; page++) {
    const { status, body } = await rest.call('GET', `${listings[name]().path}?per_page=100&page=${page}&${filters}`, { token })
    expect(status).toBe(200)
    rows.push(...body.data)
    if (body.links.next === null) return rows
  }
}

/** Columns whose names differ from the contract's keys. */
const renamed: Record<string, string> = {
  address: 'address_query',
  radius_miles: 'window_radius_miles',
  url: 'links_self',
  subject: 'subject_object',
  file_sha256: 'provenance_file_sha256',
  file_name: 'provenance_file_name',
  file_span_start_bytes: 'provenance_file_span_start',
  file_span_length_bytes: 'provenance_file_span_length',
  hail: 'families_hail',
  wind: 'families_wind',
  tornado: 'families_tornado',
  other: 'families_other',
  warning_max_hail_in: 'warning_threats_max_hail_in',
  warning_max_gust_mph: 'warning_threats_max_gust_mph',
}
/** Columns that an export has in addition to the listing. */
const added: Partial<Record<Name, string[]>> = { events: ['kind'], exposures: ['latitude', 'longitude'] }

type Leaves = Record<string, unknown>

/** Every value of a response by its path of keys. */
function leavesOf(value: unknown, before = ''): Leaves {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return { [before]: value }
  return Object.assign({}, ...Object.entries(value).map(([key, part]) => leavesOf(part, before ? `${before}_${key}` : key)))
}

/** The value of a column in the REST response: at its own key, or at the one path that ends in it. */
function stated(leaves: Leaves, column: string): unknown {
  const key = renamed[column] ?? column
  for (const own of [key, column]) if (own in leaves) return leaves[own]
  const ending = Object.keys(leaves).filter((one) => one.endsWith(`_${key}`))
  if (ending.length === 1) return leaves[ending[0] as string]
  // A null object has no parts.
  const around = Object.keys(leaves).find((one) => leaves[one] === null && (key.startsWith(`${one}_`) || one.endsWith('_file')))
  expect([column, around ?? 'in no key']).toEqual([column, expect.not.stringContaining('in no key')])
  return null
}

const FORMULA = /^[\s]*[=+\-@\uff1d]|^[\t\r]/
function cellOf(value: unknown): string {
  if (value === null) return ''
  if (typeof value === 'object') return JSON.stringify(value)
  return typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value)
}

describe('an export', () => {
  it.each(names)('of %s contains all that REST lists, value for value and in the same order', async (name) => {
    const [rows, objects] = [await csvOf(name), await listed(name)]
    expect(rows.length).toBe(objects.length)
    expect(rows.length).toBeGreaterThan(1)
    for (const [place, row] of rows.entries()) {
      const leaves = leavesOf(objects[place])
      const compared = Object.keys(row).filter((column) => !added[name]?.includes(column))
      const expected = Object.fromEntries(compared.map((column) => [column, cellOf(stated(leaves, column))]))
      expect(Object.fromEntries(compared.map((column) => [column, row[column]]))).toEqual(expected)
    }
  })

  it.each(placed)('of %s as GeoJSON contains the same, with numbers, lists and nulls unchanged', async (name) => {
    const [{ type, features }, rows] = [await featuresOf(name), await csvOf(name)]
    expect([type, features.length]).toEqual(['FeatureCollection', rows.length])
    for (const [place, { id, properties }] of features.entries()) {
      expect(String(id)).toBe(rows[place]?.id)
      expect(Object.fromEntries(Object.entries(properties ?? {}).map(([column, value]) => [column, cellOf(value)]))).toEqual(rows[place])
    }
  })

  it('applies the filters of its listing', async () => {
    const cases: [Name, string][] = [
      ['reports', 'status=failed'],
      ['reports', `property=${property.id}`],
      ['events', 'min_hail_in=1.2'],
      ['events', 'family=thunderstorm&from=2019-03-01&observed=true'],
      ['exposures', 'kind=warning'],
      ['exposures', 'open=1&from=2026-05-21'],
      ['properties', 'tag=ROOF'],
      ['properties', 'search=elm%20st'],
      ['territories', 'status=paused'],
      ['deliveries', 'status=sent'],
      ['transactions', 'kind=spend'],
    ]
    for (const [name, filters] of cases) {
      const ids = (await csvOf(name, filters)).map(({ id }) => id)
      expect([name, ids]).toEqual([name, (await listed(name, filters)).map(({ id }) => String(id))])
    }
    expect((await csvOf('deliveries', 'status=sent')).length).toBe(14)
  })

  it('states for each event the kind of observation behind its figure, and where to read it', async () => {
    const rows = await csvOf('events')
    expect(rows.map(({ type, kind }) => [type, kind]).sort()).toEqual([
      ['hail', 'unknown'],
      ['hail', 'unknown'],
      ['heavy_rain', ''],
      ['thunderstorm_wind', 'estimated'],
      ['thunderstorm_wind', 'measured'],
    ])
    for (const { citation_url } of rows) expect(citation_url).toMatch(/^https:\/\//)
  })

  it('locates an exposure at its place', async () => {
    const { features } = await featuresOf('exposures')
    expect(features.map(({ geometry }) => geometry)).toEqual([
      { type: 'Point', coordinates: [property.longitude, property.latitude] },
      { type: 'Point', coordinates: [territory.centre_longitude, territory.centre_latitude] },
      { type: 'Point', coordinates: [property.longitude, property.latitude] },
    ])
  })

  it('orders the rings of a territory as RFC 7946 requires', async () => {
    const { features } = await featuresOf('territories')
    const shapes = features.map(({ geometry }) => geometry as Polygon | MultiPolygon)
    const polygons = shapes.flatMap((shape) => (shape.type === 'Polygon' ? [shape.coordinates] : shape.coordinates))
    expect(polygons).toHaveLength(3)
    for (const rings of polygons) expect(rings.map((ring) => booleanClockwise(ring))).toEqual(rings.map((_, place) => place > 0))
  })

  it('has every territory, and reads the shapes of two at a time, and none for CSV', async () => {
    const other = await aTeam(world)
    for (let nth = 0; nth < 25; nth++) await aKeptTerritory(world, other)
    const caller = await aCaller(world, other)
    const queried = vi.spyOn(world.app.pool, 'query')
    const piecesOf = async (format: 'csv' | 'geojson') => {
      queried.mockClear()
      const pieces: string[] = []
      for await (const piece of await exportsByName.territories.open(world.app, caller, format, {})) pieces.push(piece)
      const pages = (await Promise.all(queried.mock.results.map(({ value }) => value))).map(({ rows }) => rows)
      return { pieces, shapes: pages.map((rows) => rows.filter(({ geometry }: Territory) => geometry !== null).length) }
    }
    const { pieces, shapes } = await piecesOf('geojson')
    const csv = await piecesOf('csv')
    queried.mockRestore()
    expect(shapes).toEqual([...Array(12).fill(2), 1])
    expect(csv.shapes).toEqual([0])
    const { features } = JSON.parse(pieces.join(''))
    expect(new Set(features.map(({ id }: { id: string }) => id)).size).toBe(25)
    expect(features.filter(({ geometry }: { geometry: unknown }) => geometry === null)).toEqual([])
    expect(parse(csv.pieces.join(''))).toHaveLength(26)
  })

  it('is RFC 4180: every line ends in CRLF, nulls are empty, empty texts are quoted, formulas are texts and numbers are numbers', async () => {
    const { headers, body } = await ask(fileOf('properties', 'csv'))
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8; header=present',
      'content-disposition': `attachment; filename="properties-${world.clock.now().toISOString().slice(0, 10)}.csv"`,
      'cache-control': 'private, no-store',
      'x-ratelimit-limit': expect.anything(),
    })
    const outside = body.replaceAll(/"(?:[^"]|"")*"/g, '')
    expect(outside.replaceAll('\r\n', '')).not.toMatch(/[\r\n"]/)
    expect(body.endsWith('\r\n')).toBe(true)
    for (const label of FORMULAS.slice(0, 8)) expect(body).toContain(`'${label}`)
    expect(body).toContain(',"",')
    expect(body).toContain('"a,""b""\r\nc;d"')
    expect(body).toMatch(/,-97\.486,/)
  })
})

describe('before its first byte an export is refused like a REST request', () => {
  it('without a token, without the ability, and by a plan without the API', async () => {
    const none = (await aToken(world, team, [])).token
    const free = (await aToken(world, await aTeam(world, { plan: 'free' }))).token
    for (const name of names) {
      const { ability } = listings[name]()
      const others = (
        await aToken(
          world,
          team,
          allAbilities.filter((one) => one !== ability),
        )
      ).token
      expect((await ask(fileOf(name, 'csv'), { of: null })).json()).toMatchObject({ object: 'error', status: 401, code: 'unauthenticated' })
      for (const of of [none, others])
        expect((await ask(fileOf(name, 'csv'), { of })).json()).toMatchObject({ status: 403, required_ability: ability })
      const listing = await rest.call('GET', listings[name]().path, { token: free })
      const refused = await ask(fileOf(name, 'csv'), { of: free })
      expect([refused.statusCode, refused.json().code]).toEqual([listing.status, listing.body.code])
      expect(refused.statusCode).toBe(402)
    }
  })

  it('with an invalid filter, each named by its field', async () => {
    const cases: [string, string[]][] = [
      ['reports.csv?status=done&property=1', ['property', 'status']],
      [`reports.csv?property=${team.id}`, ['property']],
      ['reports.geojson?status=failed&statuz=failed', ['statuz']],
      ['properties.csv?page=2&per_page=10', ['page', 'per_page']],
      ['exposures.csv?from=2026-05-02&to=2026-05-01', ['to']],
      ['exposures.csv?open=maybe&since=yesterday&open=true', ['open', 'since']],
      ['territories.csv?status[]=watching', ['status']],
      ['deliveries.csv?status=lost', ['status']],
      ['transactions.csv?kind=gift', ['kind']],
      ['properties.csv?__proto__=1&constructor=1', ['__proto__', 'constructor']],
      ['events.csv', ['report']],
      [`events.csv?report=${report}&min_hail_in=big`, ['min_hail_in']],
    ]
    for (const [file, fields] of cases) {
      const answer = await ask(file)
      expect([file, answer.statusCode, Object.keys(answer.json().errors ?? {}).sort()]).toEqual([file, 422, fields])
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    }
  })

  it('of a report that does not exist, of another file, and by another method', async () => {
    const others = (await aToken(world, await aTeam(world))).token
    expect((await ask(`events.csv?report=${report}`, { of: others })).json()).toMatchObject({ status: 404, code: 'not_found' })
    for (const file of [
      `events.csv?report=${team.id}`,
      'events.csv?report=1',
      `events.csv?report=${report}&report=${report}`,
      'deliveries.geojson',
      'transactions.geojson',
      'reports',
      'reports.pdf',
      'reports.csv.gz',
      'constructor.csv',
      'people.csv',
    ])
      expect([file, (await ask(file)).statusCode]).toEqual([file, 404])
    expect((await ask('reports.csv', { method: 'POST' })).statusCode).toBe(404)
    const messageOf = async (file: string) => (await ask(file)).json().message
    expect(await messageOf('people.csv')).toMatch(/^There is no export called people; there are reports, events, /)
    expect(await messageOf('reports.pdf')).toBe('There is no reports.pdf; the export of reports is reports.csv or reports.geojson.')
    expect(await messageOf('deliveries.geojson')).toBe('There is no deliveries.geojson; the export of deliveries is deliveries.csv.')
  })
})

describe('an export shows a team only its own rows,', () => {
  it('and without rows only the header, or an empty collection', async () => {
    const empty = await aTeam(world)
    const of = (await aToken(world, empty)).token
    for (const name of names.filter((one) => one !== 'events' && one !== 'transactions')) {
      const { body } = await ask(`${name}.csv`, { of })
      expect(body).toMatch(/^id,[a-z0-9_,]+\r\n$/)
    }
    expect(await csvOf('transactions', '', of)).toHaveLength(1)
    expect((await ask('territories.geojson', { of })).json()).toEqual({ type: 'FeatureCollection', features: [] })
    for (const one of [pending, failed]) {
      const { statusCode, body } = await ask(`events.csv?report=${one}`)
      expect([statusCode, body.split('\r\n').length]).toEqual([200, 2])
      expect((await rest.call('GET', `/reports/${one}/events`, { token })).body.data).toEqual([])
    }
  })

  it('and HEAD returns the same headers without the body', async () => {
    const { statusCode, headers, body } = await ask('properties.csv', { method: 'HEAD' })
    expect([statusCode, body, headers['content-disposition']]).toEqual([
      200,
      '',
      expect.stringMatching(/^attachment; filename="properties-/),
    ])
  })
})
