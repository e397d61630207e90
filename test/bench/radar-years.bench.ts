import assert from 'node:assert'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type pg from 'pg'
import { packSizes } from '#domain/archive/radar/day-sizes.ts'
import { cellsOf, type FrameCell, frameOf } from '#domain/archive/radar/frame.ts'
import { readGrid } from '#domain/archive/radar/grib2.ts'
import { CONUS } from '#domain/archive/radar/grid.ts'
import { openDatabase } from '#domain/engines/database.ts'
import { storeOverview } from '#domain/maps/radar-days.ts'
import type { Arm, Bed, Measured, Reach } from './frame.ts'
import { blocksOf } from './hail-storms.ts'
import type { Random } from './random.ts'

export const claim =
  "Six years of radar's largest hail of each day take half a gigabyte of the database, by days that are shaped like the agency's own grid of 24 hours"

export const unit = 'MB'

/** Stored days: at the larger size from one spring through the next. */
export const sizes = { small: [40, 400], full: [220, 2200] } as const

const DAYS_OF_SIX_YEARS = 2192
/** Different days, spread over the seasons; each is stored under several dates, because compressing one takes half a second. */
const SHAPES = 40
const REAL_DAY = 'MRMS_MESH_Max_1440min_00.50_20240228-100000.grib2'
const file = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'mrms', REAL_DAY)
const isThere = existsSync(file)

interface Stage {
  pool: pg.Pool
  days: number
}

export async function setup(bed: Bed): Promise<Stage> {
  const { url } = await bed.database()
  const { pool, close } = openDatabase(url)
  bed.closing(close)
  if (!isThere) return { pool, days: 0 }
  const { blocks, coverage } = await frameOf(await readGrid(readFileSync(file)))
  const real = blocks.flatMap(({ block, data }) => cellsOf(block, data))
  for (let shape = 0; shape < SHAPES; shape++) {
    const blocks = packed(likeDay(real, Math.round((shape * 365) / SHAPES), bed.random))
    for (let nth = shape; nth < bed.size; nth += SHAPES) await keepDay(pool, nth, blocks, coverage)
  }
  return { pool, days: bed.size }
}

/** Cells along the side of a square that is kept or cleared as a whole: a storm with its neighbours. */
const SQUARE = 200
const WIDE = Math.ceil(CONUS.columns / SQUARE)
/** The share of the real day's storms by season: with its thousands of storms it counts as a day of early summer; midwinter has a fifth of it. */
const shareOf = (nth: number) => 0.6 - 0.4 * Math.cos((2 * Math.PI * (nth + 70)) / 365)
const SHIFT_MAX = 300

/** The real day mirrored, moved, larger or smaller, with the season's share of its storms. */
function likeDay(real: readonly FrameCell[], nth: number, random: Random): FrameCell[] {
  const [isUpsideDown, isMirrored] = [random.integer(0, 1) === 1, random.integer(0, 1) === 1]
  const [down, right] = [random.integer(-SHIFT_MAX, SHIFT_MAX), random.integer(-SHIFT_MAX, SHIFT_MAX)]
  const scale = random.integer(70, 130) / 100
  const share = shareOf(nth) * 100
  const hasHail = Array.from({ length: Math.ceil(CONUS.rows / SQUARE) * WIDE }, () => random.integer(0, 99) < share)
  return real.flatMap(({ row, column, size_mm }) => {
    if (!hasHail[Math.floor(row / SQUARE) * WIDE + Math.floor(column / SQUARE)]) return []
    const place = {
      row: (isUpsideDown ? CONUS.rows - 1 - row : row) + down,
      column: (isMirrored ? CONUS.columns - 1 - column : column) + right,
    }
    const isInside = place.row >= 0 && place.column >= 0 && place.row < CONUS.rows && place.column < CONUS.columns
    return isInside ? [{ ...place, size_mm: Math.max(1, Math.round(size_mm * scale * 10)) / 10 }] : []
  })
}

type Blocks = [block: number, data: Buffer][]

const packed = (hail: FrameCell[]): Blocks => [...blocksOf(hail)].map(([block, sizes]) => [block, packSizes(sizes)])

async function keepDay(pool: pg.Pool, nth: number, blocks: Blocks, coverage: Buffer): Promise<void> {
  const day = new Date(Date.UTC(2024, 2, 1 + nth)).toISOString().slice(0, 10)
  await pool.query(
    `INSERT INTO radar_days (block, day, source, data, from_at, until_at, of_moments, file_id, revision)
     SELECT block, $1::date, 'noaa_mesh', data, $1::date + time '06:00', $1::date + 1 + time '06:00', false, 1, 1
       FROM unnest($2::int[], $3::bytea[]) AS b (block, data)`,
    [day, blocks.map(([block]) => block), blocks.map(([, data]) => data)],
  )
  await storeOverview(pool, { day, source: 'noaa_mesh', coverage })
}

/** Rows, indexes and out-of-line storage, for as many days as six years have. Megabytes of a million bytes. */
async function sixYears({ pool, days }: Stage): Promise<number> {
  const { rows } = await pool.query<{ bytes: string }>(
    "SELECT pg_total_relation_size('radar_days') + pg_total_relation_size('radar_day_overviews') AS bytes",
  )
  return (Number(rows[0]?.bytes) * DAYS_OF_SIX_YEARS) / days / 1e6
}

const missing = () => (isThere ? null : 'no real records')

export const arms: Arm<Stage>[] = [
  { name: 'six years', operations: 1, missing, run: async (stage): Promise<Measured> => ({ value: await sixYears(stage) }) },
]

export const reach: Reach[] = [{ arm: 'six years', at_most: 500, percentile: 95 }]

/** Every day is there, with its overview. */
export async function check({ pool, days }: Stage): Promise<void> {
  const { rows } = await pool.query(
    'SELECT count(DISTINCT day)::int AS days, (SELECT count(*)::int FROM radar_day_overviews) AS overviews FROM radar_days',
  )
  assert.deepStrictEqual(rows, [{ days, overviews: days }])
}
