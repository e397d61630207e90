import assert from 'node:assert'
import type pg from 'pg'
import { openDatabase } from '#domain/engines/database.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { tileOf } from '#domain/maps/tile.ts'
import type { Arm, Bed, Measured, Reach } from './frame.ts'
import { holdMapRecords } from './map-records.ts'
import type { Tile } from './map-service.ts'

export const claim =
  'The maps of the whole archive are made in the background within a minute, in little memory, and the widest views come at once'

/** Records of the archive. */
export const sizes = { small: [5_000, 50_000], full: [100_000, 1_000_000] } as const

interface Stage {
  pool: pg.Pool
  records: number
}

export async function setup(bed: Bed): Promise<Stage> {
  const { url } = await bed.database()
  const { pool, close } = openDatabase(url)
  bed.closing(close)
  await holdMapRecords(pool, bed.size, bed.random)
  return { pool, records: bed.size }
}

/** All of the archive is new to the maps. */
async function build({ pool }: Stage): Promise<number> {
  await pool.query('TRUNCATE tile_lists, tiles, map_changes')
  await pool.query('INSERT INTO map_changes (cells) SELECT array_agg(DISTINCT cell) FROM record_cells')
  const began = performance.now()
  await refreshMaps({ pool })
  return performance.now() - began
}

/** The busiest tile of zoom 4, after a change, drawn while it is asked for. */
async function firstTile({ pool }: Stage): Promise<number> {
  await pool.query('DELETE FROM tiles')
  await pool.query(`UPDATE install_facts SET value = to_jsonb(value::bigint + 1) WHERE name = 'map_version'`)
  const { rows } = await pool.query<Tile>('SELECT z, x, y FROM tile_lists WHERE z = 4 ORDER BY octet_length(points) DESC LIMIT 1')
  const began = performance.now()
  await tileOf({ pool }, rows[0] as Tile)
  return performance.now() - began
}

export const arms: Arm<Stage>[] = [
  { name: 'lists of zoom 0 to 9', operations: 1, run: async (stage): Promise<Measured> => ({ value: await build(stage) }) },
  { name: 'first tile of zoom 4', operations: 1, run: async (stage): Promise<Measured> => ({ value: await firstTile(stage) }) },
]

export const reach: Reach[] = [
  { arm: 'lists of zoom 0 to 9', at_most: 60_000, percentile: 95 },
  { arm: 'first tile of zoom 4', at_most: 1000, percentile: 95 },
]

/** Bytes of the whole process at most while the maps are made. */
const MEMORY_MAX = 400e6
const SAMPLE_MS = 20

/** Every record is in the list of a tile of zoom 9, or a stronger one of its spot is; memory stays within its bound. */
export async function check(stage: Stage): Promise<void> {
  let peak = 0
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, SAMPLE_MS)
  await build(stage)
  clearInterval(timer)
  assert(peak < MEMORY_MAX, `making the maps took ${Math.round(peak / 1e6)} MB`)
  const { rows } = await stage.pool.query<{ z: number; points: number }>(
    'SELECT z, (sum(octet_length(points)) / 24)::int AS points FROM tile_lists GROUP BY z ORDER BY z',
  )
  assert.deepStrictEqual(
    rows.map(({ z }) => z),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  )
  for (const [above, { points }] of rows.slice(1).entries()) assert(points >= (rows[above]?.points ?? 0) && points <= stage.records)
}
