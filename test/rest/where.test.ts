import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { seedSample } from '#domain/archive/sample/seed.ts'
import { openGraph } from '#test/graphql/graph.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import type { Sent } from '#test/support/rest-call.ts'
import { openWorld, type World } from '#test/support/world.ts'
import * as keys from './keys.ts'

/** The location of an address: coordinates that are sent with it or instead of it, and the messages when it is not one place. */

let world: World
let rest: Rest
let token: string
beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  rest = await openRest(world)
  await seedSample(world.app)
})
afterAll(() => rest.close())
beforeEach(async () => {
  token = (await aToken(world, await aTeam(world))).token
})

type Method = Parameters<Rest['call']>[0]
const call = (method: Method, path: string, body?: unknown, more: Sent = {}) => rest.call(method, path, { token, body, ...more })
const fits = (shape: keys.Shape, value: unknown) => expect(keys.differences(shape, value)).toEqual([])
const balance = async () => (await call('GET', '/credits')).body.data.balance as number

const point = { latitude: 33.1499, longitude: -96.8241 }
const year = { window_start: '2025-01-01', window_end: '2025-12-31' }
const HOUSTON = 'The address names Houston, TX, but ZIP 75201 is Dallas, TX, 226 mi away.'
const placed = { street: null, city: null, state: 'TX', postal_code: null, county: 'Collin', ...point, precision: 'point' }

async function finished(body: Record<string, unknown>) {
  const made = await call('POST', '/reports', { ...year, ...body })
  expect(made.status).toBe(202)
  fits(keys.data(keys.pendingReport), made.body)
  await world.drain()
  return (await call('GET', `/reports/${made.body.data.id}`)).body.data
}

describe('a report', () => {
  it('can be about coordinates alone, which become its address', async () => {
    const report = await finished(point)
    fits(keys.completeReport, report)
    expect(report).toMatchObject({ status: 'complete', address: { query: '33.14990, -96.82410', ...placed } })
    const written = await finished({ address: '33.1499° N, 96.8241° W' })
    expect(written.address).toEqual({ query: '33.1499° N, 96.8241° W', ...placed })
    // The same point gives the same evidence, however it was written.
    expect(written.fingerprint).toBe(report.fingerprint)
    const { body } = await call('GET', `/reports/${report.id}/verification`)
    expect(body.data.place).toBe('33.14990, -96.82410, TX')
  })

  it('is about the coordinates sent with an address, which then only names the place', async () => {
    const report = await finished({ address: '1 Made Up Way, Frisco, TX 75034', ...point })
    expect(report.address).toEqual({
      query: '1 Made Up Way, Frisco, TX 75034',
      ...placed,
      street: '1 Made Up Way',
      city: 'Frisco',
      postal_code: '75034',
    })
  })

  it('fails if its address is not one place, states the contradiction, and costs nothing', async () => {
    const before = await balance()
    const report = await finished({ address: '1200 Commerce St, Houston, TX 75201' })
    fits(keys.failedReport, report)
    expect(report).toMatchObject({ failure_reason: 'address_ambiguous', failure_message: HOUSTON })
    const pdf = await call('GET', `/reports/${report.id}/pdf`)
    expect([pdf.status, pdf.body.message]).toEqual([409, `The report failed (address_ambiguous): ${HOUSTON}`])
    const { body } = await call('GET', '/credits/transactions')
    expect(body.data[0]).toMatchObject({ kind: 'refund', description: `Report failed: ${HOUSTON}` })
    expect(await balance()).toBe(before)
  })

  it('fails if the coordinates are abroad, or the address names another place', async () => {
    expect(await finished({ latitude: 32.5149, longitude: -117.0382 })).toMatchObject({
      failure_reason: 'outside_coverage',
      failure_message: 'The point 32.51490, -117.03820 lies outside the United States and its territories.',
    })
    expect(await finished({ address: '100 Main St, Houston, TX', ...point })).toMatchObject({
      failure_reason: 'address_ambiguous',
      failure_message: expect.stringContaining('names Houston, TX, but the point 33.14990, -96.82410'),
    })
  })

  it('of earlier versions, which stored only the code, has its sentence', async () => {
    const { id } = await finished({ address: 'Houston, TX 75201' })
    await world.app.pool.query('UPDATE reports SET failure_message = NULL WHERE id = $1', [id])
    expect((await call('GET', `/reports/${id}`)).body.data.failure_message).toBe('The address fits several places.')
  })

  it.each([
    [{ latitude: 33.1 }, { longitude: ['The longitude is required with a latitude.'] }],
    [{ longitude: -96.8 }, { latitude: ['The latitude is required with a longitude.'] }],
    [{ latitude: 90.1, longitude: -96.8 }, { latitude: ['The latitude must be -90 to 90 degrees.'] }],
    [{ latitude: 33.1, longitude: -180.5 }, { longitude: ['The longitude must be -180 to 180 degrees.'] }],
    [{ latitude: '33.1', longitude: -96.8 }, { latitude: ['The latitude must be a number: -90 to 90 degrees.'] }],
    [{}, { address: ['The address is required.'] }],
    [{ address: ' ' }, { address: ['The address is required.'] }],
    [
      { address: 'x', latitude: 33.1 },
      { address: ['The address must have 3 to 255 characters.'], longitude: ['The longitude is required with a latitude.'] },
    ],
    [{ address: 'x' }, { address: ['The address must have 3 to 255 characters.'] }],
  ])('is refused %j', async (body, errors) => {
    const before = await balance()
    for (const path of ['/reports', '/properties']) {
      const answer = await call('POST', path, { ...(path === '/reports' && year), ...body })
      expect([path, answer.status, answer.body.errors]).toEqual([path, 422, errors])
    }
    expect(await balance()).toBe(before)
  })

  it('is a different request under the same key if the coordinates differ', async () => {
    const headers = { 'idempotency-key': 'where' }
    const first = await call('POST', '/reports', { ...year, ...point }, { headers })
    const again = await call('POST', '/reports', { ...year, longitude: point.longitude, latitude: point.latitude }, { headers })
    expect([again.status, again.body.data.id]).toEqual([200, first.body.data.id])
    for (const other of [{ ...point, latitude: 33.15 }, { address: '33.1499, -96.8241' }, { ...point, address: 'Frisco, TX' }]) {
      const refused = await call('POST', '/reports', { ...year, ...other }, { headers })
      expect([refused.status, refused.body.code]).toEqual([409, 'idempotency_key_reused'])
    }
  })

  it('of a batch takes coordinates in its row, each row for itself', async () => {
    const rows = [
      { ...point },
      { address: 'Frisco, TX', ...point },
      { address: 'Frisco, TX', latitude: 33 },
      { address: 'Houston, TX 75201' },
    ]
    const { status, body } = await call('POST', '/reports/batch', { ...year, reports: rows })
    expect(status).toBe(207)
    fits(keys.reportBatch(keys.anyRow), body)
    expect(body.results.map(({ address, status, message }: Record<string, unknown>) => [address, status, message])).toEqual([
      [null, 'accepted', null],
      ['Frisco, TX', 'accepted', null],
      ['Frisco, TX', 'rejected', 'The longitude is required with a latitude.'],
      ['Houston, TX 75201', 'accepted', null],
    ])
    await world.drain()
    const { body: listed } = await call('GET', '/reports')
    expect(listed.data.map(({ status, address }: { status: string; address: { city: string } }) => [status, address.city])).toEqual([
      ['failed', null],
      ['complete', 'Frisco'],
      ['complete', null],
    ])
  })
})

describe('a property', () => {
  const save = (body: object) => call('POST', '/properties', body)

  it('is watched at the coordinates sent, and states how exactly its location is known', async () => {
    const { status, body } = await save({ ...point, label: 'North pasture' })
    expect(status).toBe(201)
    fits(keys.data(keys.propertyWithContacts), body)
    expect(body.data).toMatchObject({
      name: 'North pasture',
      address: { query: '33.14990, -96.82410', county: 'Collin', county_fips: '48085', ...point, located: true, precision: 'point' },
    })
    expect((await save({ address: '2500 Gaylord Pkwy, Frisco, TX 75034' })).body.data.address.precision).toBe('zip')
    expect((await save({ address: 'Moore, OK' })).body.data.address.precision).toBe('city')
    expect(
      (await call('GET', '/properties')).body.data.map(({ address }: { address: { precision: string } }) => address.precision),
    ).toEqual(['city', 'zip', 'point'])
  })

  it('that is not located states why', async () => {
    const { body } = await save({ address: 'Houston, TX 75201' })
    fits(keys.data(keys.unlocatedPropertyWithContacts), body)
    expect(body.data.address).toMatchObject({ located: false, failure_reason: 'address_ambiguous', failure_message: HOUSTON })
    expect((await save({ latitude: 43.7, longitude: -79.4 })).body.data.address).toMatchObject({
      located: false,
      failure_reason: 'outside_coverage',
    })
    const moved = await call('PATCH', `/properties/${body.data.id}`, { address: '1 Main St, Houston, TX 77002' })
    expect(moved.body.data.address).toMatchObject({ located: true, failure_reason: null, failure_message: null })
  })

  it('is saved once at a point without a street address, and once at an address with any coordinates', async () => {
    const { id } = (await save(point)).body.data
    for (const same of [point, { address: '33.1499,-96.8241' }, { address: 'North pasture', ...point }])
      expect((await save(same)).body).toMatchObject({ code: 'duplicate_address', existing_id: id })
    const house = (await save({ address: '1 Made Up Way, Frisco, TX 75034', ...point })).body.data
    expect(house.id).not.toBe(id)
    const nearby = { address: '1 Made Up Way, Frisco, TX 75034', latitude: 33.151, longitude: -96.824 }
    for (const same of [nearby, { address: nearby.address }])
      expect((await save(same)).body).toMatchObject({ code: 'duplicate_address', existing_id: house.id })
    expect((await save({ address: 'Frisco, TX', latitude: 33.151, longitude: -96.824 })).status).toBe(201)
    // The other side of the world is another point: only its signs differ.
    expect((await save({ address: '33.1499, 96.8241' })).status).toBe(201)
  })

  it('moves to new coordinates, keeps them when its address is sent again, and drops them with another address', async () => {
    const { id } = (await save({ address: '1 Made Up Way, Frisco, TX 75034' })).body.data
    const change = async (body: object) => (await call('PATCH', `/properties/${id}`, body)).body.data.address
    expect(await change({ latitude: 33.16, longitude: -96.83 })).toMatchObject({
      street: '1 Made Up Way',
      latitude: 33.16,
      precision: 'point',
    })
    expect(await change({ address: '1 Made Up Way, Frisco, TX 75034' })).toMatchObject({ latitude: 33.16, precision: 'point' })
    expect((await call('POST', `/properties/${id}/enrich`)).body.data.address).toMatchObject({ latitude: 33.16, precision: 'point' })
    const report = await call('POST', `/properties/${id}/reports`, year)
    await world.drain()
    expect((await call('GET', `/reports/${report.body.data.id}`)).body.data.address).toMatchObject({ latitude: 33.16, precision: 'point' })
    expect(await change({ address: '2 Made Up Way, Frisco, TX 75034' })).toMatchObject({ latitude: 33.1499, precision: 'zip' })
    const refused = await call('PATCH', `/properties/${id}`, { latitude: null, longitude: -96.8 })
    expect([refused.status, refused.body.errors]).toEqual([422, { latitude: ['The latitude cannot be cleared.'] }])
    expect((await call('PATCH', `/properties/${id}`, { address: ' ' })).body.errors).toEqual({
      address: ['The address cannot be cleared.'],
    })
    expect((await call('PATCH', `/properties/${id}`, { longitude: -96.8 })).body.errors).toEqual({
      latitude: ['The latitude is required with a longitude.'],
    })
  })

  it('of a batch takes coordinates in its row', async () => {
    const rows = [{ ...point, label: 'A' }, { address: 'North pasture', ...point }, { latitude: 33 }, { address: 'Houston, TX 75201' }]
    const { status, body } = await call('POST', '/properties/batch', { properties: rows })
    expect(status).toBe(207)
    fits(keys.propertyBatch, body)
    expect(
      body.results.map(({ status, property }: { status: string; property: { address: object } | null }) => [status, property?.address]),
    ).toEqual([
      ['created', expect.objectContaining({ located: true, precision: 'point' })],
      ['duplicate', expect.objectContaining(point)],
      ['rejected', undefined],
      ['created', expect.objectContaining({ failure_message: HOUSTON })],
    ])
  })
})

describe('the graph', () => {
  it('takes the same coordinates, and shows the same', async () => {
    const graph = await openGraph(world.app)
    const create = `mutation ($latitude: Float!, $longitude: Float!) {
      createReport(latitude: $latitude, longitude: $longitude, window_start: "2025-01-01", window_end: "2025-12-31") { address { query } failure_message }
      createProperty(latitude: $latitude, longitude: $longitude) { address { precision failure_reason failure_message } } }`
    const { data, errors } = await graph.ask(token, create, point)
    expect([errors, data]).toEqual([
      undefined,
      {
        createReport: { address: { query: '33.14990, -96.82410' }, failure_message: null },
        createProperty: { address: { precision: 'point', failure_reason: null, failure_message: null } },
      },
    ])
    await graph.close()
  })
})

describe('the description', () => {
  it('states that the address or the coordinates are required, and describes each', async () => {
    const { body } = await call('GET', '/openapi.json')
    const ajv = formats.default(new Ajv2020({ strict: false })).addSchema(body, 'openapi')
    const bodyOf = (path: string) => `#/paths/${path.replaceAll('/', '~1')}/post/requestBody/content/application~1json/schema`
    const { schemas } = body.components
    for (const [pointer, described, more] of [
      [bodyOf('/api/v1/reports'), body.paths['/api/v1/reports'].post.requestBody.content['application/json'].schema, year],
      [bodyOf('/api/v1/properties'), body.paths['/api/v1/properties'].post.requestBody.content['application/json'].schema, {}],
      ['#/components/schemas/ReportRowInput', schemas.ReportRowInput, {}],
      ['#/components/schemas/PropertyRowInput', schemas.PropertyRowInput, {}],
    ] as const) {
      expect(described.required ?? []).not.toContain('address')
      expect(described.properties).toMatchObject({ latitude: { minimum: -90, maximum: 90 }, longitude: { minimum: -180, maximum: 180 } })
      const valid = ajv.compile({ $ref: `openapi${pointer}` })
      const { latitude, longitude } = point
      for (const where of [point, { address: '1 Main St, Moore, OK' }, { address: 'HQ of ours', ...point }, { address: null, ...point }])
        expect([pointer, where, valid({ ...more, ...where })]).toEqual([pointer, where, true])
      for (const where of [{}, { address: null }, { latitude }, { longitude, latitude: null }, { latitude: 91, longitude }])
        expect([pointer, where, valid({ ...more, ...where })]).toEqual([pointer, where, false])
    }
    for (const path of ['/api/v1/reports', '/api/v1/properties'])
      expect(body.paths[path].post.requestBody.content['application/json'].schema.properties.latitude.description).toContain(
        'the address gives the name of the same place',
      )
  })
})
