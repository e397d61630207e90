import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { storeFrame } from '#domain/archive/radar/frames.ts'
import { sampleFrames } from '#domain/archive/sample/frames.ts'
import { openPool } from '#domain/engines/pool.ts'
import type { Replica } from '#domain/engines/replica.ts'
import { prepareScopes, scopedPool } from '#domain/engines/row-scope.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { storeRecord } from '#test/domain/maps/store-record.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import * as keys from './keys.ts'

let world: World
let rest: Rest
let token: string
beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  rest = await openRest(world)
  token = (await aToken(world, await aTeam(world))).token
  await storeRecord(world, { latitude: 33.15, longitude: -96.82, hail_size_in: 2, occurred_on: '2025-05-28' })
  for (const frame of sampleFrames()) await storeFrame(world.app, 'sample', frame)
  await refreshMaps(world.app)
})
afterAll(() => rest.close())

const ask = (path: string, headers: Record<string, string> = {}, by = token) =>
  rest.fastify.inject({ url: `/api/v1${path}`, headers: { authorization: `Bearer ${by}`, ...headers } })
const tile = '/tiles/6/14/25.mvt'

describe('a tile over REST', () => {
  it('is compressed for clients that accept it, and a browser may cache the bytes', async () => {
    const [packed, plain] = [await ask(tile, { 'accept-encoding': 'br, gzip;q=0.5' }), await ask(tile, { 'accept-encoding': 'gzip;q=0' })]
    expect([packed.statusCode, plain.statusCode]).toEqual([200, 200])
    expect(packed.headers).toMatchObject({
      'content-type': 'application/x-protobuf',
      'content-encoding': 'gzip',
      'cache-control': 'private, max-age=3600',
      vary: 'accept-encoding',
    })
    expect(plain.headers).not.toHaveProperty('content-encoding')
    expect(gunzipSync(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(plain.rawPayload.length).toBeGreaterThan(100)
    expect(packed.headers.etag).not.toBe(plain.headers.etag)
  })

  it('is 304 for a client that has it, and the same bytes for every team', async () => {
    const first = await ask(tile, { 'accept-encoding': 'gzip' })
    const { token: other } = await aToken(world, await aTeam(world))
    const second = await ask(tile, { 'accept-encoding': 'gzip' }, other)
    expect(second.rawPayload.equals(first.rawPayload)).toBe(true)
    const notModified = await ask(tile, { 'accept-encoding': 'gzip', 'if-none-match': String(first.headers.etag) })
    expect([notModified.statusCode, notModified.rawPayload.length, notModified.headers.etag]).toEqual([304, 0, first.headers.etag])
    expect(notModified.headers['cache-control']).toBe('private, max-age=3600')
  })

  it('is 200 with no bytes if it is empty, and 404 outside the grid', async () => {
    const empty = await ask('/tiles/6/40/40.mvt')
    expect([empty.statusCode, empty.rawPayload.length]).toEqual([200, 0])
    for (const path of [
      '/tiles/15/0/0.mvt',
      '/tiles/2/4/0.mvt',
      '/tiles/2/0/4.mvt',
      '/tiles/a/0/0.mvt',
      '/tiles/2/-1/0.mvt',
      '/tiles/2/01/0.mvt',
    ])
      expect((await ask(path)).json()).toMatchObject({ status: 404, code: 'not_found' })
    expect((await ask('/tiles/2/b/0.mvt')).json().message).toBe('There is no such tile: x must be a whole number of at most 5 digits.')
  })
})

describe('playback over REST', () => {
  const box = 'south=32&west=-98&north=34&east=-96'

  it('has the keys of the contract without a wrapper, with hail and without', async () => {
    for (const date of ['2025-05-28', '2001-01-01']) {
      const { status, body } = await rest.call('GET', `/playback?date=${date}&${box}`, { token })
      expect(status).toBe(200)
      expect(keys.differences(keys.playback, body)).toEqual([])
      expect(body.meta.available).toBe(date === '2025-05-28')
    }
  })

  it('is compressed in the encoding that the client accepts, each encoding with its own ETag', async () => {
    const path = `/playback?date=2025-05-28&${box}`
    const plain = await ask(path)
    const forms = [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip, br;q=0', 'gzip', gunzipSync],
      ['*', 'br', brotliDecompressSync],
    ] as const
    const tags = new Set([plain.headers.etag])
    for (const [accepts, encoding, unpack] of forms) {
      const packed = await ask(path, { 'accept-encoding': accepts })
      expect(packed.headers).toMatchObject({
        'content-encoding': encoding,
        'content-type': 'application/json; charset=utf-8',
        vary: 'accept-encoding',
        'x-ratelimit-limit': expect.anything(),
      })
      expect(unpack(packed.rawPayload).equals(plain.rawPayload)).toBe(true)
      expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5)
      tags.add(packed.headers.etag)
      const notModified = await ask(path, { 'accept-encoding': accepts, 'if-none-match': String(packed.headers.etag) })
      expect([notModified.statusCode, notModified.rawPayload.length]).toEqual([304, 0])
    }
    expect(tags.size).toBe(3)
    for (const accepts of ['identity', 'br;q=0, gzip;q=0.000', 'deflate'])
      expect((await ask(path, { 'accept-encoding': accepts })).headers).not.toHaveProperty('content-encoding')
    const short = await ask(`/playback?date=2001-01-01&${box}`, { 'accept-encoding': 'br' })
    expect([short.headers['content-encoding'], short.headers.vary]).toEqual([undefined, 'accept-encoding'])
  })

  it('names each missing or wrong parameter', async () => {
    for (const [query, field] of [
      [`date=2025-05-28&south=32&west=-98&north=34`, 'east'],
      [box, 'date'],
      [`date=yesterday&${box}`, 'date'],
      [`date=0000-01-01&${box}`, 'date'],
      [`date=2025-05-28&south=abc&west=-98&north=34&east=-96`, 'south'],
      [`date=2025-05-28&south=20&west=-98&north=34&east=-96`, 'north'],
    ]) {
      const { status, body } = await rest.call('GET', `/playback?${query}`, { token })
      expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
    }
  })

  it('accepts a box of six degrees whose sides differ by a little more in doubles', async () => {
    expect(32.7 - 26.7).toBeGreaterThan(6)
    const { status } = await rest.call('GET', '/playback?date=2025-05-28&south=26.7&west=-69.9&north=32.7&east=-63.9', { token })
    expect(status).toBe(200)
  })
})

describe('a tile that a replica serves', () => {
  it('is stored by the primary, because a replica cannot write', async () => {
    const settings = { default_transaction_read_only: 'on' }
    const pool = scopedPool(
      openPool(world.app.config.database_url, { max: 2, application_name: 'replica', settings, prepare: prepareScopes }),
      'system',
    )
    const replica: Replica = { pool, unfit: () => null, lag: () => 0, whileItAnswers: (read) => read, close: () => pool.end() }
    const replicated = await openRest({ ...world, app: { ...world.app, replica } })
    const stored = async () => (await world.app.pool.query('SELECT etag FROM tiles WHERE (z, x, y) = (7, 29, 51)')).rows
    expect(await stored()).toEqual([])
    const { statusCode, headers } = await replicated.fastify.inject({
      url: '/api/v1/tiles/7/29/51.mvt',
      headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' },
    })
    expect(statusCode).toBe(200)
    await expect.poll(stored).toEqual([{ etag: String(headers.etag).replaceAll('"', '') }])
    await replicated.fastify.close()
    await pool.end()
  })
})
