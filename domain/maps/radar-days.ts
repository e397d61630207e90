import type pg from 'pg'
import { CONUS, cellsOf, northWestOf } from '#domain/archive/radar/frame.ts'
import type { Box } from '#domain/archive/radar/frames.ts'
import { localDate, timezoneAt } from '#domain/geo/zones.ts'
import { present } from '#domain/kernel/present.ts'
import { BLOCK_CELLS, BLOCK_SIDE, packSizes, unpackSizes } from '#domain/maps/day-sizes.ts'
import type { RecordSource } from '#domain/weather/sources.ts'

/** Grid cells along a side of a cell of the overviews. */
export const OVERVIEW_SIDE = 16
const HALF_DAY = 43_200_000
const TENTHS = 10

interface DayOfSource {
  /** YYYY-MM-DD */
  day: string
  source: RecordSource
}

/** The largest hail of one local day in one block: tenths of a millimetre by grid cell, row by row from the north-west; 0 is none. */
interface BlockDay extends DayOfSource {
  block: number
  sizes: Uint16Array
}

/**
 * Raises the days of the frames to what they saw. The 24-hour maximum counts for the day in the middle of its hours.
 * @returns the boxes that changed
 */
export async function mergeFrames(client: pg.ClientBase, frames: number[]): Promise<Box[]> {
  const seen = new Map<string, BlockDay>()
  // One frame after the other: the frames of a day at once would be hundreds of megabytes.
  for (const frame of frames) await addFrame(client, frame, seen)
  for (const one of seen.values()) await keepLargest(client, one)
  const days = new Map([...seen.values()].map(({ day, source }) => [`${day} ${source}`, { day, source }]))
  for (const day of days.values()) await keepOverview(client, day)
  return [...new Set([...seen.values()].map(({ block }) => block))].map(boxOfBlock)
}

/**
 * Drops the days of sources that were forgotten, which have no overview any more. What frames showed of their days is kept for
 * ever, however short the frames themselves are.
 * @param days UTC days of which frames went, or of which the source did
 * @returns the boxes that changed
 */
export async function dropDays(client: pg.ClientBase, days: string[]): Promise<Box[]> {
  if (days.length === 0) return []
  const { rows } = await client.query<{ block: number }>(
    `DELETE FROM radar_days r USING ${LOCAL_DAYS}
      WHERE r.day = gone.day AND NOT EXISTS (SELECT FROM radar_day_overviews o WHERE o.day = r.day AND o.source = r.source)
      RETURNING r.block`,
    [days],
  )
  return [...new Set(rows.map(({ block }) => block))].map(boxOfBlock)
}

/** West of Greenwich a local day lies in its UTC day and the next. */
const LOCAL_DAYS = '(SELECT DISTINCT day - ago AS day FROM unnest($1::date[]) AS d(day), generate_series(0, 1) AS ago) gone'

export function boxOfBlock(block: number): Box {
  const south = Math.floor(block / 360) - 90
  const west = (block % 360) - 180
  return { south, west, north: south + 1, east: west + 1 }
}

async function addFrame(client: pg.ClientBase, frame: number, seen: Map<string, BlockDay>): Promise<void> {
  const { rows } = await client.query<{ source: RecordSource; valid_at: Date; product: string; block: number; data: Buffer }>(
    'SELECT f.source, f.valid_at, f.product, b.block, b.data FROM radar_frames f JOIN radar_blocks b ON b.frame_id = f.id WHERE f.id = $1',
    [frame],
  )
  for (const { source, valid_at, product, block, data } of rows) {
    const { south, west } = boxOfBlock(block)
    const at = product === 'mesh' ? valid_at : new Date(valid_at.getTime() - HALF_DAY)
    const day = localDate(at, timezoneAt(south + 0.5, west + 0.5))
    const key = `${day} ${block} ${source}`
    const held = seen.get(key) ?? { block, day, source, sizes: new Uint16Array(BLOCK_CELLS) }
    seen.set(key, held)
    for (const { row, column, size_mm } of cellsOf(block, data)) {
      const index = (row % BLOCK_SIDE) * BLOCK_SIDE + (column % BLOCK_SIDE)
      held.sizes[index] = Math.max(present(held.sizes[index]), Math.round(size_mm * TENTHS))
    }
  }
}

async function keepLargest(client: pg.ClientBase, { block, day, source, sizes }: BlockDay): Promise<void> {
  const { rows } = await client.query<{ data: Buffer }>('SELECT data FROM radar_days WHERE block = $1 AND day = $2 AND source = $3', [
    block,
    day,
    source,
  ])
  const held = rows[0] && unpackSizes(rows[0].data)
  if (held) for (const [index, size] of held.entries()) sizes[index] = Math.max(present(sizes[index]), size)
  await client.query(
    'INSERT INTO radar_days (block, day, source, data) VALUES ($1, $2, $3, $4) ON CONFLICT (block, day, source) DO UPDATE SET data = EXCLUDED.data',
    [block, day, source, packSizes(sizes)],
  )
}

/** Makes the overview of a day anew, for the views in which a grid cell is too small to be drawn. */
export async function keepOverview(client: Pick<pg.ClientBase, 'query'>, { day, source }: DayOfSource): Promise<void> {
  const { rows } = await client.query<{ block: number; data: Buffer }>(
    'SELECT block, data FROM radar_days WHERE day = $1 AND source = $2',
    [day, source],
  )
  const largest = new Map<number, number>()
  for (const { block, data } of rows) {
    const { row, column } = northWestOf(block)
    for (const [index, size] of unpackSizes(data).entries()) {
      if (size === 0) continue
      const cell = groupOf(row + Math.floor(index / BLOCK_SIDE)) * CONUS.columns + groupOf(column + (index % BLOCK_SIDE))
      largest.set(cell, Math.max(largest.get(cell) ?? 0, size))
    }
  }
  await client.query(
    'INSERT INTO radar_day_overviews (day, source, data) VALUES ($1, $2, $3) ON CONFLICT (day, source) DO UPDATE SET data = EXCLUDED.data',
    [day, source, packGroups(largest)],
  )
}

/** The first row or column of the cells that are one in an overview. */
const groupOf = (place: number) => place - (place % OVERVIEW_SIDE)

/** Three numbers of two bytes each: row and column of the first cell, and the size. */
function packGroups(largest: Map<number, number>): Buffer {
  const bytes = Buffer.allocUnsafe(largest.size * 6)
  let at = 0
  for (const [cell, size] of largest)
    for (const value of [Math.floor(cell / CONUS.columns), cell % CONUS.columns, size]) at = bytes.writeUInt16LE(value, at)
  return bytes
}
