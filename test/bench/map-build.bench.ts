import assert from 'node:assert'
import { spawnSync } from 'node:child_process'
import path from 'node:path'
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
  url: string
  pool: pg.Pool
  records: number
}

export async function setup(bed: Bed): Promise<Stage> {
  const { url } = await bed.database()
  const { pool, close } = openDatabase(url)
  bed.closing(close)
  await holdMapRecords(pool, bed.size, bed.random)
  return { url, pool, records: bed.size }
}

/** The whole archive is new to the maps. */
async function changeAll({ pool }: Stage): Promise<void> {
  await pool.query('TRUNCATE tile_lists, tiles, map_changes')
  await pool.query('INSERT INTO map_changes (cells) SELECT array_agg(DISTINCT cell) FROM record_cells')
}

async function build(stage: Stage): Promise<number> {
  const { pool } = stage
  await changeAll(stage)
  const startedAt = performance.now()
  await refreshMaps({ pool })
  return performance.now() - startedAt
}

/** The busiest tile of zoom 4, after a change, drawn on request. */
async function firstTile({ pool }: Stage): Promise<number> {
  await pool.query('DELETE FROM tiles')
  await pool.query(`UPDATE install_facts SET value = to_jsonb(value::bigint + 1) WHERE name = 'map_version'`)
  const { rows } = await pool.query<Tile>('SELECT z, x, y FROM tile_lists WHERE z = 4 ORDER BY octet_length(points) DESC LIMIT 1')
  const startedAt = performance.now()
  await tileOf({ pool }, rows[0] as Tile)
  return performance.now() - startedAt
}

export const arms: Arm<Stage>[] = [
  { name: 'lists of zoom 0 to 9', operations: 1, run: async (stage): Promise<Measured> => ({ value: await build(stage) }) },
  { name: 'first tile of zoom 4', operations: 1, run: async (stage): Promise<Measured> => ({ value: await firstTile(stage) }) },
]

export const reach: Reach[] = [
  { arm: 'lists of zoom 0 to 9', at_most: 60_000, percentile: 95 },
  { arm: 'first tile of zoom 4', at_most: 1000, percentile: 95 },
]

/** Limit in MB on a whole process while the maps are made. */
const PEAK_MB_MAX = 400

/** Every record, or a stronger one at its spot, is in the list of a tile of zoom 9; memory stays within its bound. */
export async function check(stage: Stage): Promise<void> {
  await changeAll(stage)
  const peak_mb = peakOfRefreshing(stage)
  assert(peak_mb < PEAK_MB_MAX, `making the maps took ${peak_mb} MB`)
  console.log(`  making the maps of ${stage.records} records: ${peak_mb} MB at the peak of the process`)
  const { rows } = await stage.pool.query<{ z: number; points: number }>(
    'SELECT z, (sum(octet_length(points)) / 24)::int AS points FROM tile_lists GROUP BY z ORDER BY z',
  )
  assert.deepStrictEqual(
    rows.map(({ z }) => z),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  )
  for (const [above, { points }] of rows.slice(1).entries()) assert(points >= (rows[above]?.points ?? 0) && points <= stage.records)
}

/** In a process whose memory is its own. */
function peakOfRefreshing({ url }: Stage): number {
  const script = path.join(import.meta.dirname, 'maps-process.ts')
  const env = { ...process.env, DATABASE_URL: url }
  const { stdout, stderr } = spawnSync(process.execPath, ['--import', 'tsx', script], { env, encoding: 'utf8' })
  assert(stdout, stderr)
  return JSON.parse(stdout).peak_mb
}
