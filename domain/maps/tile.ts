import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip as gzipCallback } from 'node:zlib'
import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { bandAreas } from '#domain/maps/band-areas.ts'
import { drawTile, type TileContent } from '#domain/maps/draw.ts'
import { boxOf, isTile, type TileAddress, tileKey } from '#domain/maps/mercator.ts'
import { pointsByTile } from '#domain/maps/point-list.ts'
import { findTile, LISTED_ZOOM_MAX } from '#domain/maps/pyramid.ts'
import { radarDaysOf } from '#domain/maps/radar-cells.ts'
import { type MapRecords, recordsOnMap, widePathsOnMap } from '#domain/maps/records.ts'
import { byStrength } from '#domain/maps/strength.ts'
import { strongestFirst } from '#domain/maps/strongest.ts'
import { type DrawnTile, tileCache } from '#domain/maps/tile-cache.ts'
import { boxOfWidths, WIDTHS_ZOOM_MIN } from '#domain/maps/tornado-widths.ts'
import { MAP_VERSION, mapVersion } from '#domain/maps/version.ts'
import { warningAreas } from '#domain/maps/warning-areas.ts'

const gzip = promisify(gzipCallback)

/**
 * Returns a tile of the archive: the layers hail, wind, tornado, flood, other (points), tornado_paths (lines), tornado_widths, radar_hail and
 * warnings (areas). It is drawn once for each change of its contents.
 * @param primary stores the drawn tile, if `pool` is that of a replica
 * @throws Refusal not_found for a tile that cannot exist, without querying the database
 */
export async function tileOf({ pool }: Pick<App, 'pool'>, tile: TileAddress, primary: Pick<App, 'pool'> = { pool }): Promise<DrawnTile> {
  if (!isTile(tile)) throw new Refusal('not_found', 'There is no tile with these numbers.')
  const version = await mapVersion(pool)
  const cache = tileCache(pool)
  return cache.get(tile, version) ?? cache.once(tile, version, () => findOrDraw({ pool, primary: primary.pool }, tile, version))
}

/** Draws tiles up to zoom 9 before they are requested, the lowest zooms first. */
export async function drawAhead({ pool }: Pick<App, 'pool'>, tiles: TileAddress[]): Promise<void> {
  for (const tile of [...tiles].sort((one, other) => one.z - other.z))
    await findOrDraw({ pool, primary: pool }, tile, await mapVersion(pool))
}

interface Servers {
  pool: pg.Pool
  /** The same as `pool`, unless that is a replica's. */
  primary: pg.Pool
}

async function findOrDraw(servers: Servers, tile: TileAddress, version: number): Promise<DrawnTile> {
  const { pool, primary } = servers
  const listed = tile.z <= LISTED_ZOOM_MAX
  const found = listed ? await findTile(pool, tile) : await listOfRecords(pool, tile)
  if ('etag' in found) return found
  const [areas, warnings, widths] = await Promise.all([
    bandAreas(radarDaysOf(pool, tile), tile),
    warningAreas(pool, tile),
    widePaths(pool, tile),
  ])
  const after = await mapVersion(pool)
  // A change happened between the reads: they may have seen half of it.
  if (after !== version) return findOrDraw(servers, tile, after)
  const drawn = await draw(tile, { ...found, areas, warnings, widths })
  // The response does not wait for this: a tile that was not stored is drawn again.
  if (listed) storeTile(primary, tile, version, drawn).catch(() => undefined)
  return drawn
}

async function listOfRecords(pool: pg.Pool, tile: TileAddress): Promise<MapRecords> {
  const { points, paths } = await recordsOnMap(pool, boxOf(tile))
  return { points: strongestFirst(points, pointsByTile(points, tile.z).get(tileKey(tile)) ?? []), paths: paths.sort(byStrength) }
}

const widePaths = (pool: pg.Pool, tile: TileAddress) => (tile.z < WIDTHS_ZOOM_MIN ? [] : widePathsOnMap(pool, boxOfWidths(tile)))

async function draw(tile: TileAddress, content: TileContent): Promise<DrawnTile> {
  const bytes = drawTile(tile, content)
  return {
    // Compressed in one chunk: each further chunk would wait behind other compression work.
    gzip: bytes.length === 0 ? bytes : await gzip(bytes, { level: LEVEL, chunkSize: Math.max(bytes.length, constants.Z_MIN_CHUNK) }),
    etag: createHash('sha1').update(bytes).digest('base64url'),
  }
}

/** The default level takes two and a half times as long, for a result smaller by a sixteenth. */
const LEVEL = constants.Z_BEST_SPEED

/**
 * Stores a drawn tile, unless the maps changed meanwhile, or the replica that it was drawn from is behind: the lock on the version's row
 * makes a change wait.
 */
async function storeTile(primary: pg.Pool, { z, x, y }: TileAddress, version: number, { gzip: data, etag }: DrawnTile): Promise<void> {
  await primary.query({
    name: 'keep_tile',
    text: `INSERT INTO tiles (z, x, y, version, etag, data)
           SELECT $1, $2, $3, $4, $5, $6 FROM (SELECT FROM install_facts WHERE name = $7 AND value::int = $4 FOR SHARE SKIP LOCKED) AS unchanged
           ON CONFLICT (z, x, y) DO NOTHING`,
    values: [z, x, y, version, etag, data, MAP_VERSION],
  })
}
