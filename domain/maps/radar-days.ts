import type pg from 'pg'
import { type DayHours, HOURS_24_MS, hoursOfDay, hoursOfFrame, joinHours } from '#domain/archive/radar/day-hours.ts'
import { BLOCK_CELLS, BLOCK_SIDE, packSizes, unpackSizes } from '#domain/archive/radar/day-sizes.ts'
import { cellsOf, type Frame } from '#domain/archive/radar/frame.ts'
import { coverageOfBoth } from '#domain/archive/radar/frame-coverage.ts'
import { CONUS, northWestOf } from '#domain/archive/radar/grid.ts'
import type { Bounds } from '#domain/geo/area.ts'
import { localDate, timezoneAt } from '#domain/geo/zones.ts'
import { present } from '#domain/kernel/present.ts'
import type { RecordSource } from '#domain/weather/sources.ts'

/** Grid cells per side of an overview cell. */
export const OVERVIEW_SIDE = 16
const TENTHS = 10

interface DayOfSource {
  /** YYYY-MM-DD */
  day: string
  source: RecordSource
}

/** The largest hail of one local day in one block: tenths of a millimetre per grid cell, row by row from the north-west; 0 is none. */
interface BlockDay extends DayOfSource {
  block: number
  sizes: Uint16Array
  hours: DayHours
}

/** A local day, with the area that its frames covered. */
interface CoveredDay extends DayOfSource {
  coverage: Buffer
}

/** Blocks of days in memory at once, each 20 kB, before those of one more frame: some 40 MB. */
const BLOCK_DAYS_AT_ONCE = 2000

/**
 * Raises the days of the frames to the sizes that the frames show. A 24-hour maximum counts for the day in the middle of its hours.
 * @returns the boxes of degrees that changed
 */
export async function mergeFrames(client: pg.ClientBase, frames: number[], at_once = BLOCK_DAYS_AT_ONCE): Promise<Bounds[]> {
  const blockDays = new Map<string, BlockDay>()
  const days = new Map<string, CoveredDay>()
  const changed = new Set<number>()
  const storeAll = async () => {
    for (const one of blockDays.values()) {
      await storeLargest(client, one)
      changed.add(one.block)
    }
    blockDays.clear()
  }
  // One frame at a time: all frames of a day together would be hundreds of megabytes, and so would the blocks of a year's days.
  for (const frame of frames) {
    await addFrame(client, frame, blockDays, days)
    if (blockDays.size >= at_once) await storeAll()
  }
  await storeAll()
  for (const day of days.values()) await storeOverview(client, day)
  return [...changed].map(boxOfBlock)
}

/**
 * Deletes the days of forgotten sources, which no longer have an overview. Otherwise the maxima of a day are stored
 * permanently, however briefly its frames are.
 * @param days UTC days from which frames or the source were removed
 * @returns the boxes of degrees that changed
 */
export async function dropDays(client: pg.ClientBase, days: string[]): Promise<Bounds[]> {
  if (days.length === 0) return []
  const { rows } = await client.query<{ block: number }>(
    `DELETE FROM radar_days r USING ${LOCAL_DAYS}
      WHERE r.day = gone.day AND NOT EXISTS (SELECT FROM radar_day_overviews o WHERE o.day = r.day AND o.source = r.source)
      RETURNING r.block`,
    [days],
  )
  return [...new Set(rows.map(({ block }) => block))].map(boxOfBlock)
}

/** West of Greenwich, a local day spans its UTC day and the next. */
const LOCAL_DAYS = '(SELECT DISTINCT day - ago AS day FROM unnest($1::date[]) AS d(day), generate_series(0, 1) AS ago) gone'

function boxOfBlock(block: number): Bounds {
  const south = Math.floor(block / 360) - 90
  const west = (block % 360) - 180
  return { south, west, north: south + 1, east: west + 1 }
}

type FrameRow = Pick<Frame, 'product' | 'valid_at' | 'coverage'> &
  Pick<DayHours, 'file_id' | 'revision'> & { source: RecordSource; blocks: number[]; data: Buffer[] }

async function addFrame(
  client: pg.ClientBase,
  frame: number,
  blockDays: Map<string, BlockDay>,
  days: Map<string, CoveredDay>,
): Promise<void> {
  const { rows } = await client.query<FrameRow>(
    `SELECT f.source, f.valid_at, f.product, f.coverage, f.file_id, f.revision,
            coalesce(array_agg(b.block) FILTER (WHERE b.block IS NOT NULL), '{}') AS blocks,
            coalesce(array_agg(b.data) FILTER (WHERE b.block IS NOT NULL), '{}') AS data
       FROM radar_frames f LEFT JOIN radar_blocks b ON b.frame_id = f.id WHERE f.id = $1 GROUP BY f.id`,
    [frame],
  )
  for (const row of rows) {
    const { source, coverage } = row
    for (const day of new Set(TIMEZONES.map((timezone) => dayOf(row, timezone)))) {
      const key = `${day} ${source}`
      const existing = days.get(key)
      days.set(key, { day, source, coverage: existing ? coverageOfBoth(existing.coverage, coverage) : coverage })
    }
    for (const [nth, block] of row.blocks.entries()) addBlock(row, block, present(row.data[nth]), blockDays)
  }
}

/** Returns the blocks of days that have frames with hail, from which they can be merged again. */
export async function daysWithFrames<Day extends Pick<BlockDay, 'block' | 'day' | 'source'>>(
  client: Pick<pg.ClientBase, 'query'>,
  days: Day[],
): Promise<Day[]> {
  const hours = days.map(({ block, day }) => boundsOf(day, timezoneOf(block)))
  const { rows } = await client.query<{ nth: number }>(
    `SELECT nth::int AS nth FROM unnest($1::int[], $2::text[], $3::timestamptz[], $4::timestamptz[]) WITH ORDINALITY AS d(block, source, from_at, until_at, nth)
      WHERE EXISTS (
        SELECT FROM radar_blocks b JOIN radar_frames f ON f.id = b.frame_id
         WHERE b.block = d.block AND f.source = d.source
           AND CASE f.product WHEN 'mesh' THEN f.valid_at ELSE f.valid_at - interval '12 hours' END BETWEEN d.from_at AND d.until_at - interval '1 ms')`,
    [
      days.map(({ block }) => block),
      days.map(({ source }) => source),
      hours.map(({ from_at }) => from_at),
      hours.map(({ until_at }) => until_at),
    ],
  )
  return rows.map(({ nth }) => present(days[nth - 1]))
}

/** The time zones by which the grid's days are counted. */
const TIMEZONES = ['America/New_York', 'America/Chicago', 'America/Denver', 'America/Phoenix', 'America/Los_Angeles']

/** Returns the local day of a moment, or of the middle of 24 hours. */
function dayOf({ product, valid_at }: Pick<Frame, 'product' | 'valid_at'>, timezone: string): string {
  return localDate(product === 'mesh' ? valid_at : new Date(valid_at.getTime() - HOURS_24_MS / 2), timezone)
}

function addBlock(frame: FrameRow, block: number, data: Buffer, blockDays: Map<string, BlockDay>): void {
  const { source } = frame
  const timezone = timezoneOf(block)
  const day = dayOf(frame, timezone)
  const key = `${day} ${block} ${source}`
  const hours = hoursOfFrame(frame, boundsOf(day, timezone), frame)
  const existing = blockDays.get(key)
  const blockDay = existing
    ? { ...existing, hours: joinHours(existing.hours, hours) }
    : { block, day, source, sizes: new Uint16Array(BLOCK_CELLS), hours }
  blockDays.set(key, blockDay)
  for (const { row, column, size_mm } of cellsOf(block, data)) {
    const index = (row % BLOCK_SIDE) * BLOCK_SIDE + (column % BLOCK_SIDE)
    blockDay.sizes[index] = Math.max(present(blockDay.sizes[index]), Math.round(size_mm * TENTHS))
  }
}

/** Returns the time zone in a block's middle. */
function timezoneOf(block: number): string {
  const { south, west } = boxOfBlock(block)
  return timezoneAt(south + 0.5, west + 0.5)
}

/** Bounds of recently used days: each of a frame's hundred blocks needs them. */
let bounds = new Map<string, ReturnType<typeof hoursOfDay>>()
const BOUNDS_MAX = 100

function boundsOf(day: string, timezone: string): ReturnType<typeof hoursOfDay> {
  const key = `${day} ${timezone}`
  const known = bounds.get(key) ?? hoursOfDay(day, timezone)
  if (bounds.size >= BOUNDS_MAX) bounds = new Map()
  bounds.set(key, known)
  return known
}

async function storeLargest(client: pg.ClientBase, { block, day, source, sizes, hours }: BlockDay): Promise<void> {
  const { rows } = await client.query<{ data: Buffer; from_at: Date | null; until_at: Date } & Omit<DayHours, 'from_at' | 'until_at'>>(
    'SELECT data, from_at, until_at, of_moments, file_id, revision FROM radar_days WHERE block = $1 AND day = $2 AND source = $3',
    [block, day, source],
  )
  const [stored] = rows
  if (stored) for (const [index, size] of unpackSizes(stored.data).entries()) sizes[index] = Math.max(present(sizes[index]), size)
  // The hours of a row that was stored before hours were recorded stay unknown, even if values are added to it.
  const joined = stored ? stored.from_at && joinHours({ ...stored, from_at: stored.from_at }, hours) : hours
  await client.query(
    `INSERT INTO radar_days (block, day, source, data, from_at, until_at, of_moments, file_id, revision) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (block, day, source) DO UPDATE SET data = EXCLUDED.data, from_at = EXCLUDED.from_at, until_at = EXCLUDED.until_at,
       of_moments = EXCLUDED.of_moments, file_id = EXCLUDED.file_id, revision = EXCLUDED.revision`,
    [block, day, source, packSizes(sizes), ...columnsOf(joined), joined?.revision ?? 0],
  )
}

const columnsOf = (hours: DayHours | null) => [
  hours?.from_at ?? null,
  hours?.until_at ?? null,
  hours?.of_moments ?? null,
  hours?.file_id ?? null,
]

/**
 * Rebuilds the overview of a day, for views in which a grid cell is too small to be drawn. A day without hail has an overview
 * too: it shows where radar had coverage.
 */
export async function storeOverview(
  client: Pick<pg.ClientBase, 'query'>,
  { day, source, coverage = null }: DayOfSource & { coverage?: Buffer | null },
): Promise<void> {
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
  const stored = await client.query<{ coverage: Buffer | null }>(
    'SELECT coverage FROM radar_day_overviews WHERE day = $1 AND source = $2',
    [day, source],
  )
  const before = stored.rows[0]?.coverage ?? null
  await client.query(
    `INSERT INTO radar_day_overviews (day, source, data, coverage) VALUES ($1, $2, $3, $4)
     ON CONFLICT (day, source) DO UPDATE SET data = EXCLUDED.data, coverage = EXCLUDED.coverage`,
    [day, source, packGroups(largest), before && coverage ? coverageOfBoth(before, coverage) : (before ?? coverage)],
  )
}

/** Returns the first row or column of the cells that form one overview cell. */
const groupOf = (place: number) => place - (place % OVERVIEW_SIDE)

/** Packs three numbers of two bytes each: row and column of the first cell, and the size. */
function packGroups(largest: Map<number, number>): Buffer {
  const bytes = Buffer.allocUnsafe(largest.size * 6)
  let at = 0
  for (const [cell, size] of largest)
    for (const value of [Math.floor(cell / CONUS.columns), cell % CONUS.columns, size]) at = bytes.writeUInt16LE(value, at)
  return bytes
}
