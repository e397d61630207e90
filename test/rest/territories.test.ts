import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import type { Sent } from '#test/support/rest-call.ts'
import { openWorld, type World } from '#test/support/world.ts'
import * as keys from './keys.ts'

let world: World
let rest: Rest
let token: string
beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  rest = await openRest(world)
})
afterAll(() => rest.close())
beforeEach(async () => {
  token = (await aToken(world, await aTeam(world))).token
})

type Method = Parameters<Rest['call']>[0]
const call = (method: Method, path: string, body?: unknown, more: Sent = {}) => rest.call(method, path, { token, body, ...more })
const fits = (shape: keys.Shape, value: unknown) => expect(keys.differences(shape, value)).toEqual([])
/** Sends a body exactly as written, with all its digits. */
const sendText = (path: string, payload: string, method: 'POST' | 'PATCH' = 'POST') =>
  rest.fastify.inject({
    method,
    url: `/api/v1${path}`,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload,
  })

const square = {
  type: 'Polygon',
  coordinates: [
    [
      [-97, 35],
      [-96.9, 35],
      [-96.9, 35.1],
      [-97, 35.1],
      [-97, 35],
    ],
  ],
}
const drawn = { name: 'North', kind: 'polygon', geometry: square }
const save = async (body: Record<string, unknown> = drawn) => (await call('POST', '/territories', body)).body.data

describe('a drawn territory', () => {
  it('is saved with every key, found, listed, changed and removed', async () => {
    const made = await call('POST', '/territories', { ...drawn, colour: 'moss', notes: 'a\nb' })
    expect(made.status).toBe(201)
    fits(keys.data(keys.territory), made.body)
    expect(made.body.data).toMatchObject({
      kind: 'polygon',
      status: 'watching',
      color: '#5C7A3A',
      description: 'Polygon, 39.1 sq mi',
      definition: [{ positions: 5, holes: 0 }],
      geometry: square,
      centre: { latitude: 35.05, longitude: -96.95 },
      bounds: { west: -97, south: 35, east: -96.9, north: 35.1 },
      last_activity_on: null,
    })
    // A tenth of a degree squared on a sphere of 3958.7613 mi, at 35.05 north.
    expect(made.body.data.area_sq_miles).toBeCloseTo((0.1 * (Math.PI / 180) * 3958.7613) ** 2 * Math.cos((35.05 * Math.PI) / 180), 1)
    const path = `/territories/${made.body.data.id}`
    expect((await call('GET', path)).body).toEqual(made.body)
    const listed = await call('GET', '/territories')
    fits(keys.page(keys.territory), listed.body)
    world.clock.advance(1000)
    const changed = await call('PATCH', path, { name: 'South', colour: 'rust', notes: null })
    expect(changed.body.data).toMatchObject({ name: 'South', color: '#A94F2D', notes: null, geometry: square })
    expect(changed.body.data.updated_at > made.body.data.updated_at).toBe(true)
    expect((await call('DELETE', path)).status).toBe(204)
    expect((await call('GET', path)).status).toBe(404)
    expect((await call('DELETE', path)).status).toBe(404)
    expect(await world.app.db.watchCell.count({ where: { subject_id: made.body.data.id } })).toBe(0)
  })

  it('keeps every digit, from a feature too, and returns it everywhere', async () => {
    const ring = '[[-97.000,35.10],[-96.9000000000000000001,35.1],[-96.9,35.20000000000000000002],[-9.7E1,35.2],[-97.000,35.10]]'
    const geometry = `{"type":"Polygon","coordinates":[${ring}]}`
    const body = `{"name":"Digits","kind":"polygon","geometry":{"type":"Feature","properties":{"a":1.0},"geometry":{"coordinates":[ ${ring.replaceAll(',', ' , ')} ],"type":"Polygon"}}}`
    const made = await sendText('/territories', body)
    expect(made.statusCode).toBe(201)
    expect(made.payload).toContain(`"geometry":${geometry}`)
    const { id } = JSON.parse(made.payload).data
    expect((await call('GET', `/territories/${id}`)).text).toContain(`"geometry":${geometry}`)
    expect((await call('GET', '/territories')).text).toContain(`"geometry":${geometry}`)
    expect((await sendText('/territories/quote', body)).payload).toContain(`"geometry":${geometry}`)
    const again = geometry.replaceAll('35.10]', '35.100]')
    expect((await sendText(`/territories/${id}`, `{"geometry":${again}}`, 'PATCH')).payload).toContain(`"geometry":${again}`)
  })

  it.each([
    ['a number of 33 characters', `-97.${'0'.repeat(29)}`, 1, 'A number of the geometry has more than 32 characters.'],
    [
      'more characters than 10,000 positions need',
      `-97.${'0'.repeat(28)}`,
      9_000,
      'The geometry has more than 524,288 characters: send fewer digits or positions.',
    ],
  ])('is refused with %s, archived or not', async (_, west, positions, sentence) => {
    const slope = Array.from({ length: positions }, (_, at) => `[${west},${35 + at / 100_000},${west.replace('-', '')}]`)
    const ring = `[${slope.join(',')},[-96.9,35.2],[-96.9,35.0],[${west},35,0]]`
    const geometry = `{"type":"Polygon","coordinates":[${ring}]}`
    for (const path of ['/territories', '/territories/quote']) {
      const refused = await sendText(path, `{"name":"Digits","kind":"polygon","status":"archived","geometry":${geometry}}`)
      expect(refused.statusCode).toBe(422)
      expect(JSON.parse(refused.payload).errors).toEqual({ geometry: [sentence] })
    }
  })
})

describe('a circle', () => {
  it('is drawn around an address or a point', async () => {
    const near = await call('POST', '/territories', { name: 'A', kind: 'radius', address: 'Moore, OK', radius_miles: 5 })
    expect(near.status).toBe(201)
    fits(keys.data(keys.radiusTerritory), near.body)
    expect(near.body.data).toMatchObject({
      description: '5 mi around Moore, OK',
      definition: [{ address: 'Moore, OK', radius_miles: 5 }],
      geometry: { type: 'Polygon' },
    })
    expect(near.body.data.area_sq_miles).toBeCloseTo(Math.PI * 25, 0)
    expect(near.body.data.centre).toEqual({
      latitude: near.body.data.definition[0].latitude,
      longitude: near.body.data.definition[0].longitude,
    })
    const around = await call('POST', '/territories', {
      name: 'B',
      kind: 'radius',
      latitude: 35.3391234,
      longitude: -97.5,
      radius_miles: 2.5,
    })
    expect(around.body.data).toMatchObject({
      description: '2.5 mi around 35.33912, -97.50000',
      definition: [{ address: null, latitude: 35.33912, longitude: -97.5, radius_miles: 2.5 }],
      centre: { latitude: 35.33912, longitude: -97.5 },
    })
  })

  it('keeps its centre when its radius changes, and its radius when it moves', async () => {
    const { id } = await save({ name: 'A', kind: 'radius', address: 'Moore, OK', radius_miles: 5 })
    const wider = await call('PATCH', `/territories/${id}`, { radius_miles: 6 })
    expect(wider.body.data).toMatchObject({ description: '6 mi around Moore, OK', definition: [{ address: 'Moore, OK', radius_miles: 6 }] })
    const moved = await call('PATCH', `/territories/${id}`, { latitude: 36, longitude: -97 })
    expect(moved.body.data).toMatchObject({ definition: [{ address: null, latitude: 36, longitude: -97, radius_miles: 6 }] })
    const redrawn = await call('PATCH', `/territories/${id}`, { kind: 'polygon', geometry: square })
    fits(keys.data(keys.territory), redrawn.body)
    expect(redrawn.body.data).toMatchObject({ kind: 'polygon', geometry: square })
  })
})

describe('circles around places', () => {
  const placeIds = async (...names: string[]) =>
    Promise.all(names.map(async (name) => (await call('GET', `/places?search=${encodeURIComponent(name)}`)).body.data[0].id))

  it('are one territory, described by their names', async () => {
    const place_ids = await placeIds('Moore, OK', 'Norman, OK', 'Dallas, TX')
    const made = await call('POST', '/territories', { name: 'A', kind: 'places', place_ids: [...place_ids, place_ids[0]], radius_miles: 6 })
    expect(made.status).toBe(201)
    fits(keys.data(keys.placesTerritory), made.body)
    expect(made.body.data).toMatchObject({
      description: 'Moore, Norman and 1 more, 6 mi each',
      definition: ['Moore', 'Norman', 'Dallas'].map((name, index) => ({ place_id: place_ids[index], name, radius_miles: 6 })),
      geometry: { type: 'MultiPolygon' },
    })
    expect(made.body.data.geometry.coordinates).toHaveLength(2)
    const fewer = await call('PATCH', `/territories/${made.body.data.id}`, { place_ids: place_ids.slice(0, 1) })
    expect(fewer.body.data).toMatchObject({ description: 'Moore, 6 mi', geometry: { type: 'Polygon' } })
  })
})

describe('an invalid territory', () => {
  const errorsOf = async (body: Record<string, unknown>, method: Method = 'POST', path = '/territories') => {
    const { status, body: answer } = await call(method, path, body)
    expect(status, JSON.stringify(body)).toBe(422)
    fits(keys.errorBody, answer)
    return Object.keys(answer.errors).sort()
  }

  it('is refused by field, with all faults at once, and nothing is saved', async () => {
    for (const path of ['/territories', '/territories/quote']) {
      expect(await errorsOf({}, 'POST', path)).toEqual(['kind', 'name'])
      expect(await errorsOf({ name: 'A', kind: 'circle' }, 'POST', path)).toEqual(['kind'])
      expect(await errorsOf({ name: ' ', kind: 'polygon', notes: 'n'.repeat(5001) }, 'POST', path)).toEqual(['geometry', 'name', 'notes'])
      expect(await errorsOf({ name: 'A', kind: 'polygon', geometry: 'no' }, 'POST', path)).toEqual(['geometry'])
      expect(await errorsOf({ name: 'A', kind: 'radius' }, 'POST', path)).toEqual(['address', 'radius_miles'])
      expect(await errorsOf({ name: 'A', kind: 'radius', latitude: 91, longitude: 0, radius_miles: 0.4 }, 'POST', path)).toEqual([
        'latitude',
        'radius_miles',
      ])
      expect(await errorsOf({ name: 'A', kind: 'radius', latitude: 30, radius_miles: 100.1 }, 'POST', path)).toEqual([
        'longitude',
        'radius_miles',
      ])
      expect(
        await errorsOf({ name: 'A', kind: 'radius', address: 'Moore, OK', latitude: 1, longitude: 1, radius_miles: 1 }, 'POST', path),
      ).toEqual(['address'])
      expect(await errorsOf({ name: 'A', kind: 'radius', address: 'Nowhere at all, Zzyzxville', radius_miles: 1 }, 'POST', path)).toEqual([
        'address',
      ])
      expect(await errorsOf({ name: 'A', kind: 'radius', latitude: 52, longitude: 179.99, radius_miles: 10 }, 'POST', path)).toEqual([
        'radius_miles',
      ])
      expect(await errorsOf({ name: 'A', kind: 'places', radius_miles: 1 }, 'POST', path)).toEqual(['place_ids'])
      expect(await errorsOf({ name: 'A', kind: 'places', place_ids: [], radius_miles: 1 }, 'POST', path)).toEqual(['place_ids'])
      expect(await errorsOf({ name: 'A', kind: 'places', place_ids: [1, 99_999_999], radius_miles: 1 }, 'POST', path)).toEqual([
        'place_ids.1',
      ])
      expect(await errorsOf({ ...drawn, colour: 'pink', status: 'asleep' }, 'POST', path)).toEqual(['colour', 'status'])
    }
    expect((await call('GET', '/territories')).body.meta.total).toBe(0)
  })

  it('has a shape that is open, crosses itself, is beyond the map, crosses the antimeridian or is too large', async () => {
    const shape = (ring: number[][]) => ({ name: 'A', kind: 'polygon', geometry: { type: 'Polygon', coordinates: [ring] } })
    const open = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ]
    const crossing = [
      [0, 0],
      [1, 1],
      [1, 0],
      [0, 1],
      [0, 0],
    ]
    const beyond = [
      [179, 0],
      [181, 0],
      [181, 1],
      [179, 0],
    ]
    const across = [
      [179, 0],
      [-179, 0],
      [-179, 1],
      [179, 0],
    ]
    const large = [...Array.from({ length: 10_000 }, (_, index) => [index / 1000, index % 2]), [0, 0]]
    for (const ring of [open, crossing, beyond, across, large]) expect(await errorsOf(shape(ring))).toEqual(['geometry'])
  })

  it('is also a change that does not apply to the territory, or clears what it needs', async () => {
    const { id } = await save()
    const path = `/territories/${id}`
    expect(await errorsOf({ radius_miles: 5 }, 'PATCH', path)).toEqual(['radius_miles'])
    expect(await errorsOf({ kind: 'radius' }, 'PATCH', path)).toEqual(['address', 'radius_miles'])
    expect(await errorsOf({ name: null, colour: null, status: null, geometry: null, kind: null }, 'PATCH', path)).toEqual([
      'colour',
      'geometry',
      'kind',
      'name',
      'status',
    ])
    expect(await errorsOf({ status: 'asleep' }, 'POST', `${path}/status`)).toEqual(['status'])
    expect(await errorsOf({}, 'POST', `${path}/status`)).toEqual(['status'])
    expect((await call('GET', path)).body.data.geometry).toEqual(square)
  })
})

describe('a quote', () => {
  it('measures, saves nothing, and states why the plan has no room', async () => {
    const quoted = await call('POST', '/territories/quote', drawn)
    expect(quoted.status).toBe(200)
    fits(keys.data(keys.territoryQuote), quoted.body)
    expect(quoted.body.data).toMatchObject({ kind: 'polygon', geometry: square, allowed: true, notice: null })
    const small = await aTeam(world, { plan: 'professional', limit_overrides: { territories: 1, max_area_sq_miles: 50 } })
    token = (await aToken(world, small)).token
    const wide = { name: 'A', kind: 'radius', latitude: 35, longitude: -97, radius_miles: 10 }
    expect((await call('POST', '/territories/quote', wide)).body.data).toMatchObject({
      allowed: false,
      notice: expect.stringMatching(/50 sq mi.*Professional|Professional.*50 sq mi/),
    })
    await save()
    const full = (await call('POST', '/territories/quote', drawn)).body.data
    fits(keys.territoryQuote, full)
    expect(full).toMatchObject({ allowed: false, notice: expect.stringContaining('1 territory') })
    expect((await call('GET', '/territories')).body.meta.total).toBe(1)
  })
})

describe('the plan', () => {
  beforeEach(async () => {
    const small = await aTeam(world, { plan: 'professional', limit_overrides: { territories: 2, max_area_sq_miles: 50 } })
    token = (await aToken(world, small)).token
  })

  it('limits each area, on creation and on change', async () => {
    const wide = { kind: 'radius', latitude: 35, longitude: -97, radius_miles: 10 }
    const refused = await call('POST', '/territories', { name: 'A', ...wide })
    expect(refused.status).toBe(402)
    fits(keys.errorBody, refused.body)
    expect(refused.body).toMatchObject({ code: 'plan_limit', limit: 'territory_area', required_plan: 'business' })
    const { id } = await save()
    expect((await call('PATCH', `/territories/${id}`, wide)).body).toMatchObject({ limit: 'territory_area' })
    expect((await call('GET', `/territories/${id}`)).body.data.kind).toBe('polygon')
  })

  it('counts watched and paused territories, and checks again when an archived one is restored', async () => {
    const first = await save()
    await save({ ...drawn, status: 'paused' })
    expect((await call('POST', '/territories', drawn)).body).toMatchObject({ status: 402, limit: 'territories', required_plan: 'business' })
    const archived = await call('POST', '/territories', { ...drawn, status: 'archived' })
    expect(archived.status).toBe(201)
    const path = `/territories/${archived.body.data.id}`
    for (const attempt of [call('POST', `${path}/status`, { status: 'watching' }), call('PATCH', path, { status: 'paused' })])
      expect((await attempt).body).toMatchObject({ status: 402, limit: 'territories' })
    await call('POST', `/territories/${first.id}/status`, { status: 'archived' })
    expect((await call('POST', `${path}/status`, { status: 'watching' })).body.data.status).toBe('watching')
  })

  it('of a smaller area keeps what is watched, and restores no archived territory above it', async () => {
    const reduced = await aTeam(world, { plan: 'business' })
    token = (await aToken(world, reduced)).token
    const watched = await save()
    const archived = await save({ ...drawn, status: 'archived' })
    const path = `/territories/${archived.id}`
    await world.app.db.team.update({ where: { id: reduced.id }, data: { limit_overrides: { max_area_sq_miles: 20 } } })
    for (const attempt of [call('POST', `${path}/status`, { status: 'watching' }), call('PATCH', path, { status: 'paused' })])
      expect((await attempt).body).toMatchObject({ status: 402, limit: 'territory_area', required_plan: 'enterprise' })
    for (const status of ['paused', 'watching'])
      expect((await call('POST', `/territories/${watched.id}/status`, { status })).body.data.status).toBe(status)
    const smaller = { kind: 'radius', latitude: 35, longitude: -97, radius_miles: 2 }
    expect((await call('PATCH', path, { ...smaller, status: 'watching' })).body.data).toMatchObject({ status: 'watching' })
  })

  it('allows one of twenty concurrent creates if one place is left', async () => {
    await save()
    const answers = await Promise.all(Array.from({ length: 20 }, () => call('POST', '/territories', drawn)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(19).fill(402)])
    expect((await call('GET', '/territories')).body.meta.total).toBe(2)
  })

  it('that lapsed watches nothing new, and still allows reading, pausing and removing', async () => {
    const lapsed = await aTeam(world)
    token = (await aToken(world, lapsed)).token
    const { id } = await save()
    await world.app.db.team.update({ where: { id: lapsed.id }, data: { lapsed_at: world.clock.now() } })
    expect((await call('POST', '/territories', drawn)).body).toMatchObject({ status: 402, limit: 'lapsed' })
    expect((await call('POST', '/territories/quote', drawn)).body.data).toMatchObject({ allowed: false })
    expect((await call('POST', `/territories/${id}/status`, { status: 'paused' })).status).toBe(200)
    expect((await call('POST', `/territories/${id}/status`, { status: 'watching' })).body).toMatchObject({ status: 402, limit: 'lapsed' })
    expect((await call('PATCH', `/territories/${id}`, { name: 'Still mine' })).status).toBe(200)
    expect((await call('DELETE', `/territories/${id}`)).status).toBe(204)
  })
})

describe('a state', () => {
  it('is moved from any to any, and the watch with it', async () => {
    const { id } = await save()
    const cells = () => world.app.db.watchCell.count({ where: { subject_id: id } })
    const backfills = () =>
      world.app.db.outboxJob.count({ where: { name: 'detection.backfill', payload: { path: ['subject_id'], equals: id } } })
    expect([await cells(), await backfills()]).toEqual([1, 1])
    const states = ['watching', 'paused', 'archived', 'watching', 'archived', 'paused', 'watching']
    for (const status of states) {
      const { status: code, body } = await call('POST', `/territories/${id}/status`, { status })
      expect([code, body.data.status]).toEqual([200, status])
      expect(await cells()).toBe(status === 'watching' ? 1 : 0)
    }
    expect(await backfills()).toBe(3)
    expect((await call('GET', '/territories?status=watching')).body.meta.total).toBe(1)
    expect((await call('GET', '/territories?status=archived')).body.data).toEqual([])
    expect((await call('GET', '/territories?status=asleep')).body.errors).toHaveProperty('status')
  })
})

describe('an Idempotency-Key', () => {
  it('creates once, returns the territory in its current state, and detects a different request', async () => {
    const headers = { 'idempotency-key': 'draw-1' }
    const first = await call('POST', '/territories', drawn, { headers })
    await call('PATCH', `/territories/${first.body.data.id}`, { name: 'Renamed' })
    const again = await call('POST', '/territories', drawn, { headers })
    expect([again.status, again.headers['idempotent-replay'], again.body.data.name]).toEqual([200, 'true', 'Renamed'])
    expect((await call('POST', '/territories', { ...drawn, name: 'Other' }, { headers })).body.code).toBe('idempotency_key_reused')
    expect((await call('GET', '/territories')).body.meta.total).toBe(1)
    await call('DELETE', `/territories/${first.body.data.id}`)
    expect((await call('POST', '/territories', drawn, { headers })).status).toBe(404)
  })

  it('creates once for many concurrent requests', async () => {
    const headers = { 'idempotency-key': 'draw-2' }
    const answers = await Promise.all(Array.from({ length: 10 }, () => call('POST', '/territories', drawn, { headers })))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.every(({ status }) => [200, 201, 409].includes(status))).toBe(true)
    expect((await call('GET', '/territories')).body.meta.total).toBe(1)
  })

  it('can be used again after a refusal', async () => {
    const headers = { 'idempotency-key': 'draw-3' }
    expect((await call('POST', '/territories', { ...drawn, name: '' }, { headers })).status).toBe(422)
    expect((await call('POST', '/territories', drawn, { headers })).status).toBe(201)
  })
})

it('of another team, with an unknown id or a malformed id is not found', async () => {
  const { id } = await save()
  token = (await aToken(world, await aTeam(world))).token
  for (const other of [id, '01a1fc42-4334-725a-b4ba-ba96c45e8c1f', 'abc']) {
    expect((await call('GET', `/territories/${other}`)).status).toBe(404)
    expect((await call('PATCH', `/territories/${other}`, { name: 5 })).status).toBe(404)
    expect((await call('POST', `/territories/${other}/status`, { status: 'no' })).status).toBe(404)
    expect((await call('GET', `/territories/${other}/exposures`)).status).toBe(404)
    expect((await call('DELETE', `/territories/${other}`)).status).toBe(404)
  }
  expect(await world.app.db.territory.count({ where: { id } })).toBe(1)
})
