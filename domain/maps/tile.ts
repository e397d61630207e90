import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { constants, gzip as gzipCallback } from 'node:zlib'
import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { drawTile } from '#domain/maps/draw.ts'
import { boxOf, isTile, type TileAddress, tileKey } from '#domain/maps/mercator.ts'
import { pointsByTile } from '#domain/maps/point-list.ts'
import { LISTED_ZOOM_MAX, MAP_VERSION, readList, type TileList } from '#domain/maps/pyramid.ts'
import { bandAreas, blocksOfTile } from '#domain/maps/radar-bands.ts'
import { radarDaysOf } from '#domain/maps/radar-days.ts'
import { recordsOnMap } from '#domain/maps/records.ts'
import { strongestFirst } from '#domain/maps/strongest.ts'
import { Refusal } from '#domain/refusal.ts'

const gzip = promisify(gzipCallback)

/** A drawn tile as it is sent. */
export interface DrawnTile {
  /** Compressed; no bytes where the tile shows nothing. */
  gzip: Buffer
  /** The same for the same content. */
  etag: string
}

/** Bytes of drawn tiles that a process keeps in memory. */
const MEMORY_BYTES = 64 * 1024 * 1024

/**
 * A tile of the archive: the layers hail, wind, tornado, flood, other (points), tornado_paths (lines) and radar_hail (areas).
 * It is drawn once for each change of what it shows.
 * @throws Refusal not_found for numbers that no tile has; nothing is asked of the database then
 */
export async function tileOf({ pool }: Pick<App, 'pool'>, tile: TileAddress): Promise<DrawnTile> {
  if (!isTile(tile)) throw new Refusal('not_found', 'There is no tile of these numbers.')
  const version = await mapVersion(pool)
  const memory = memoryOf(pool)
  const kept = memory.recall(tileKey(tile), version)
  if (kept) return kept
  return memory.once(tileKey(tile), version, () => findOrDraw(pool, tile, version))
}

/** Counts up with every change of what the tiles show. */
async function mapVersion(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ version: number }>({
    name: 'map_version',
    text: 'SELECT value::int AS version FROM install_facts WHERE name = $1',
    values: [MAP_VERSION],
  })
  return rows[0]?.version ?? 0
}

async function findOrDraw(pool: pg.Pool, tile: TileAddress, version: number): Promise<DrawnTile> {
  const { z, x, y } = tile
  const listed = z <= LISTED_ZOOM_MAX
  if (listed) {
    const { rows } = await pool.query<{ etag: string; data: Buffer }>({
      name: 'drawn_tile',
      text: 'SELECT etag, data FROM tiles WHERE z = $1 AND x = $2 AND y = $3',
      values: [z, x, y],
    })
    if (rows[0]) return { gzip: rows[0].data, etag: rows[0].etag }
  }
  const drawn = await draw(pool, tile)
  const after = await mapVersion(pool)
  // A change came between the readings: half of it may be drawn.
  if (after !== version) return findOrDraw(pool, tile, after)
  if (listed) await keep(pool, tile, version, drawn)
  return drawn
}

async function draw(pool: pg.Pool, tile: TileAddress): Promise<DrawnTile> {
  const [list, days] = await Promise.all([
    tile.z <= LISTED_ZOOM_MAX ? readList(pool, tile) : listOfRecords(pool, tile),
    radarDaysOf(pool, blocksOfTile(tile)),
  ])
  const bytes = drawTile(tile, { ...list, areas: bandAreas(days, tile) })
  // The quickest level: the customary one takes two and a half times as long for a sixteenth less.
  return { gzip: bytes.length === 0 ? bytes : await gzip(bytes, { level: constants.Z_BEST_SPEED }), etag: createHash('sha1').update(bytes).digest('base64url') }
}

async function listOfRecords(pool: pg.Pool, tile: TileAddress): Promise<TileList> {
  const { points, paths } = await recordsOnMap(pool, boxOf(tile))
  return { points: strongestFirst(points, pointsByTile(points, tile.z).get(tileKey(tile)) ?? []), paths }
}

/** Keeps a drawn tile unless the maps changed meanwhile: the row of the version is what a change waits for. */
async function keep(pool: pg.Pool, { z, x, y }: TileAddress, version: number, { gzip: data, etag }: DrawnTile): Promise<void> {
  await pool.query(
    `INSERT INTO tiles (z, x, y, version, etag, data)
     SELECT $1, $2, $3, $4, $5, $6 FROM (SELECT FROM install_facts WHERE name = $7 AND value::int = $4 FOR SHARE SKIP LOCKED) AS unchanged
     ON CONFLICT (z, x, y) DO NOTHING`,
    [z, x, y, version, etag, data, MAP_VERSION],
  )
}

interface Memory {
  recall(key: number, version: number): DrawnTile | null
  /** Draws a tile once for all who ask meanwhile. */
  once(key: number, version: number, work: () => Promise<DrawnTile>): Promise<DrawnTile>
}

const memories = new WeakMap<pg.Pool, Memory>()

/** One memory for each database that the process speaks to. */
function memoryOf(pool: pg.Pool): Memory {
  const memory = memories.get(pool) ?? openMemory()
  memories.set(pool, memory)
  return memory
}

/** Tiles as they were at a version; the longest unused goes first. */
function openMemory(): Memory {
  const kept = new Map<number, { version: number; tile: DrawnTile }>()
  const underway = new Map<string, Promise<DrawnTile>>()
  let bytes = 0
  const forget = (key: number) => {
    bytes -= kept.get(key)?.tile.gzip.length ?? 0
    kept.delete(key)
  }
  const remember = (key: number, version: number, tile: DrawnTile) => {
    forget(key)
    kept.set(key, { version, tile })
    bytes += tile.gzip.length
    for (const oldest of kept.keys()) {
      if (bytes <= MEMORY_BYTES && kept.size <= MEMORY_TILES) break
      forget(oldest)
    }
  }
  return {
    recall(key, version) {
      const held = kept.get(key)
      if (held?.version !== version) return null
      kept.delete(key)
      kept.set(key, held)
      return held.tile
    },
    async once(key, version, work) {
      const name = `${key} ${version}`
      const running = underway.get(name) ?? work().finally(() => underway.delete(name))
      underway.set(name, running)
      const tile = await running
      remember(key, version, tile)
      return tile
    },
  }
}

/** Empty tiles weigh nothing, and are most of the world. */
const MEMORY_TILES = 50_000
