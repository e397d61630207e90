import assert from 'node:assert'
import { gunzipSync } from 'node:zlib'
import type { Pool } from 'undici'
import { authenticate } from '#domain/access/authenticate.ts'
import { TILE_BYTES_MAX } from '#domain/maps/draw.ts'
import { LISTED_ZOOM_MAX } from '#domain/maps/pyramid.ts'
import { tileOf } from '#domain/maps/tile.ts'
import { TILE_TYPE } from '#rest/tile.ts'
import type { Arm, Bed, Measured, Reach } from './frame.ts'
import { AT_ONCE, bytesFrom, type MapService, openMapService, serve, type Tile } from './map-service.ts'

export const claim = 'A tile that was drawn before is sent for little more than the sending of its bytes, and no tile is heavy'

/** Records of the archive. */
export const sizes = { small: [5_000, 50_000], full: [100_000, 1_000_000] } as const
const ZOOM = 8

interface Stage extends MapService {
  tile: Tile
  /** Sends the same bytes to any client with a token, as ours does. */
  behindToken: Pool
  /** Sends them to everybody. */
  bare: Pool
}

export async function setup(bed: Bed): Promise<Stage> {
  const service = await openMapService(bed)
  const { rows } = await service.app.pool.query<Tile>(
    'SELECT z, x, y FROM tile_lists WHERE z = $1 ORDER BY octet_length(points) OFFSET (SELECT count(*) / 2 FROM tile_lists WHERE z = $1) LIMIT 1',
    [ZOOM],
  )
  const tile = rows[0] as Tile
  const body = await bytesFrom(service.client, service, tile)
  const headers = { 'content-type': TILE_TYPE, 'content-encoding': 'gzip', 'content-length': body.length }
  return {
    ...service,
    tile,
    bare: await serve(bed, (_, response) => void response.writeHead(200, headers).end(body)),
    behindToken: await serve(bed, async (request, response) => {
      await authenticate(service.app, request.headers.authorization, '127.0.0.1')
      response.writeHead(200, headers).end(body)
    }),
  }
}

/** The measured value is the time of one request among those in flight. */
async function together(client: Pool, stage: Stage): Promise<Measured> {
  await Promise.all(Array.from({ length: AT_ONCE }, () => bytesFrom(client, stage, stage.tile)))
  return { operations: AT_ONCE }
}

export const arms: Arm<Stage>[] = [
  { name: 'a tile at hand', run: (stage) => together(stage.client, stage) },
  { name: 'node:http behind the token', peer: true, run: (stage) => together(stage.behindToken, stage) },
  { name: 'node:http for anybody', peer: true, run: (stage) => together(stage.bare, stage) },
]

/** 0.6 of the requests. */
export const reach: Reach[] = [{ arm: 'a tile at hand', peer: 'node:http behind the token', ratio_at_most: 1 / 0.6 }]

/** Below the lists, the fullest tiles are those beneath these. */
const FULLEST = 5
const ZOOM_MAX = 14

/** All arms return the same bytes; every tile of the lists, and the fullest tiles of every zoom level beneath, is within its size limit. */
export async function check({ app, client, bare, behindToken, tile, token }: Stage): Promise<void> {
  const expected = await bytesFrom(client, { token }, tile)
  for (const peer of [bare, behindToken]) assert((await bytesFrom(peer, { token }, tile)).equals(expected))
  const { rows: listed } = await app.pool.query<Tile>('SELECT z, x, y FROM tile_lists ORDER BY z, octet_length(points) DESC')
  for (const one of listed) await assertLight(app, one)
  let fullest = listed.filter(({ z }) => z === LISTED_ZOOM_MAX).slice(0, FULLEST)
  for (let z = LISTED_ZOOM_MAX + 1; z <= ZOOM_MAX; z++) {
    const children = fullest.flatMap(({ x, y }) =>
      [0, 1].flatMap((right) => [0, 1].map((down) => ({ z, x: 2 * x + right, y: 2 * y + down }))),
    )
    const weighed = await Promise.all(children.map(async (child) => ({ child, bytes: await assertLight(app, child) })))
    fullest = weighed
      .sort((a, b) => b.bytes - a.bytes)
      .slice(0, FULLEST)
      .map(({ child }) => child)
  }
}

async function assertLight(app: MapService['app'], tile: Tile): Promise<number> {
  const { gzip } = await tileOf(app, tile)
  const bytes = gzip.length === 0 ? 0 : gunzipSync(gzip).length
  assert(bytes <= TILE_BYTES_MAX, `tile ${tile.z}/${tile.x}/${tile.y} has ${bytes} bytes`)
  return bytes
}
