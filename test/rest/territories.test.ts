import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openRest, type Rest, type Sent } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
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
/** Sends a body as it is written, digits and all. */
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
      definition: { positions: 5, polygons: 1 },
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

  it('keeps every digit, out of a feature too, and gives them back everywhere', async () => {
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
})
