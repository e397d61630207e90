import assert from 'node:assert'
import type { RequestListener } from 'node:http'
import { promisify } from 'node:util'
import { constants, gunzipSync, gzip as gzipCallback } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import type { Pool } from 'undici'
import { authenticate } from '#domain/access/authenticate.ts'
import { drawAhead } from '#domain/maps/tile.ts'
import { TILE_TYPE } from '#rest/tile.ts'
import type { Arm, Bed, Measured, Reach } from './frame.ts'
import { AT_ONCE, bytesFrom, type MapService, openMapService, serve, type Tile } from './map-service.ts'
import { createTilePeer, PEER_TILE } from './tile-peer.ts'

export const claim = 'A tile that nobody asked for yet is at hand in a fraction of the time in which a database encodes its records'

/** Records of the archive. */
export const sizes = { small: [10_000, 100_000], full: [100_000, 1_000_000] } as const
const ZOOM = 8

interface Stage extends MapService {
  /** Null without PostGIS. */
  peer: Pool | null
  /** Tiles are drawn in proportion to their records: people look where storms are. */
  tiles: Tile[]
}

export async function setup(bed: Bed): Promise<Stage> {
  const service = await openMapService(bed)
  if (bed.postgis) await createTilePeer(service.app.pool)
  return { ...service, peer: bed.postgis ? await serve(bed, byPeer(service)) : null, tiles: await tilesByRecords(service, bed) }
}

async function tilesByRecords({ app }: MapService, { random }: Bed): Promise<Tile[]> {
  const { rows } = await app.pool.query<Tile>(
    'SELECT z, x, y FROM tile_lists, generate_series(1, octet_length(points) / 1000 + 1) WHERE z = $1 ORDER BY x, y',
    [ZOOM],
  )
  return Array.from({ length: TILES }, () => random.pick(rows))
}

/** More tiles than one round requests. */
const TILES = 4000

const gzip = promisify(gzipCallback)

/** The peer: one statement for each tile, behind the same token and limit, compressed equally fast. */
function byPeer({ app }: MapService): RequestListener {
  return async (request, response) => {
    await authenticate(app, request.headers.authorization, '127.0.0.1')
    const [, z, x, y] = /(\d+)\/(\d+)\/(\d+)\.mvt$/.exec(request.url ?? '') ?? []
    const { rows } = await app.pool.query<{ tile: Buffer }>({ ...PEER_TILE, values: [z, x, y] })
    const body = await gzip(rows[0]?.tile ?? Buffer.alloc(0), { level: constants.Z_BEST_SPEED })
    response.writeHead(200, { 'content-type': TILE_TYPE, 'content-encoding': 'gzip', 'content-length': body.length }).end(body)
  }
}

/** The tiles of one view, requested at once; the measured value is the time of one. */
async function view(client: Pool, stage: Stage, tiles: Tile[]): Promise<Measured> {
  const startedAt = performance.now()
  await Promise.all(tiles.map((tile) => bytesFrom(client, stage, tile)))
  return { value: tiles.map(() => (performance.now() - startedAt) / tiles.length) }
}

function tilesOf({ tiles }: Stage, turn: number): Tile[] {
  const of = Array.from({ length: AT_ONCE }, (_, place) => tiles[(turn * AT_ONCE + place) % tiles.length] as Tile)
  return [...new Set(of)]
}

/** As after a change of the archive: no cache in memory. */
async function change({ app }: Stage): Promise<void> {
  await app.pool.query(`UPDATE install_facts SET value = to_jsonb(value::bigint + 1) WHERE name = 'map_version'`)
}

export const arms: Arm<Stage>[] = [
  {
    name: 'drawn when its records came',
    async run(stage, turn) {
      const tiles = tilesOf(stage, turn)
      await drawAhead(stage.app, tiles)
      await change(stage)
      return view(stage.client, stage, tiles)
    },
  },
  {
    name: 'drawn when it is asked for',
    async run(stage, turn) {
      await stage.app.pool.query('DELETE FROM tiles')
      await change(stage)
      return view(stage.client, stage, tilesOf(stage, turn))
    },
  },
  {
    name: 'ST_AsMVT',
    peer: true,
    missing: ({ peer }) => (peer ? null : 'no PostGIS'),
    run: (stage, turn) => view(stage.peer as Pool, stage, tilesOf(stage, turn)),
  },
]

/** Five times the requests. */
export const reach: Reach[] = [{ arm: 'drawn when its records came', peer: 'ST_AsMVT', ratio_at_most: { small: 1, full: 1 / 5 } }]

/** Tiles of which every feature is compared. */
const COMPARED = 20

/**
 * The peer shows every record in the tile; ours are the strongest of them for each spot and layer, computed here by
 * SQL. A feature that both show has the same properties and the same location, except that one rounds and the other
 * truncates.
 */
export async function check(stage: Stage): Promise<void> {
  if (!stage.peer) return
  for (let turn = 0; turn < COMPARED; turn++) {
    const tile = stage.tiles[turn] as Tile
    const features = featuresOf(await bytesFrom(stage.client, stage, tile))
    const peerFeatures = featuresOf(await bytesFrom(stage.peer, stage, tile))
    const { rows } = await stage.app.pool.query<{ name: string; strongest: boolean }>(STRONGEST, [ZOOM, tile.x, tile.y])
    const named = new Map(peerFeatures.map((shown) => [nameOf(shown), shown]))
    for (const { name } of rows) assert(named.has(name), `PostGIS does not show ${name}`)
    assert.deepStrictEqual(
      features
        .filter(({ layer }) => layer !== 'tornado_paths')
        .map(nameOf)
        .sort(),
      rows.flatMap(({ name, strongest }) => (strongest ? name : [])).sort(),
    )
    for (const shown of features) assertAlike(shown, named.get(nameOf(shown)))
  }
}

interface Shown {
  layer: string
  id: number
  properties: Record<string, unknown>
  /** The first corner, in units of the tile. */
  x: number
  y: number
}

const nameOf = ({ layer, id }: Shown) => `${layer} ${id}`

function featuresOf(packed: Buffer): Shown[] {
  const { layers } = new VectorTile(new PbfReader(gunzipSync(packed)))
  return Object.entries(layers).flatMap(([layer, found]) =>
    Array.from({ length: found.length }, (_, index) => {
      const feature = found.feature(index)
      const { x = 0, y = 0 } = feature.loadGeometry()[0]?.[0] ?? {}
      return { layer, id: Number(feature.id), properties: { ...feature.properties }, x, y }
    }),
  )
}

function assertAlike(own: Shown, peer: Shown | undefined): void {
  assert(peer, `PostGIS does not show ${nameOf(own)}`)
  assert.deepStrictEqual(own.properties, peer.properties)
  // The place where a path is cut at the tile's edge may differ.
  if (own.layer === 'tornado_paths') return
  assert(Math.abs(own.x - peer.x) <= 1 && Math.abs(own.y - peer.y) <= 1, `PostGIS shows ${nameOf(own)} elsewhere`)
}

/** A spot is a sixty-fourth of the tile's side. Records on the east or south edge belong to the next tile. */
const STRONGEST = `
  SELECT layer || ' ' || id AS name,
         row_number() OVER (PARTITION BY layer, x, y ORDER BY array_position('{minor,moderate,severe,extreme}', severity) DESC, value DESC NULLS LAST,
                                                              date DESC, id DESC) = 1 AS strongest
    FROM peer_record, ST_TileEnvelope($1, $2, $3) AS tile,
         LATERAL (SELECT floor((ST_X(place) - ST_XMin(tile)) * 64 / (ST_XMax(tile) - ST_XMin(tile))) AS x,
                         floor((ST_YMax(tile) - ST_Y(place)) * 64 / (ST_YMax(tile) - ST_YMin(tile))) AS y) AS spot
   WHERE place && tile AND x < 64 AND y < 64`

export async function explain({ app, peer, tiles: [tile] }: Stage): Promise<Record<string, string>> {
  if (!peer || !tile) return {}
  const { rows } = await app.pool.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, BUFFERS) ${PEER_TILE.text}`, [ZOOM, tile.x, tile.y])
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  assert.match(plan, /peer_record_place/)
  return { ST_AsMVT: plan }
}
