import type pg from 'pg'
import { blocksWithin, CONUS } from '#domain/archive/radar/grid.ts'
import { present } from '#domain/kernel/present.ts'
import { cachedCells } from '#domain/maps/block-cache.ts'
import { boxOf, EDGE, type TileAddress } from '#domain/maps/mercator.ts'
import { OVERVIEW_SIDE } from '#domain/maps/radar-days.ts'
import type { RecordSource } from '#domain/weather/sources.ts'

/** The largest hail of one local day in the grid cells that had any. */
export interface RadarDay {
  /** YYYY-MM-DD */
  day: string
  source: RecordSource
  /** Row and column in the grid, counted from the north-west, and tenths of a millimetre: three numbers per cell. */
  parts: Uint16Array[]
}

/** From this zoom, each grid cell is drawn: 3.6 of a tile's 512 pixels. Each zoom below doubles the cells per side that are drawn as one. */
const WHOLE_CELL_ZOOM = 8
/** Rows per query: some megabytes, and most tiles have fewer. */
const ROWS_AT_ONCE = 2000

/** Grid cells per side of a cell as drawn. */
export function cellSideAt(zoom: number): number {
  return 2 ** Math.max(0, WHOLE_CELL_ZOOM - zoom)
}

/**
 * Yields the days with radar hail around a tile, newest first, in cells no larger than the tile draws them. They are read a
 * few at a time: a view of the whole country includes every day of the archive.
 */
export async function* radarDaysOf(client: Pick<pg.ClientBase, 'query'>, tile: TileAddress): AsyncGenerator<RadarDay> {
  const rows = cellSideAt(tile.z) >= OVERVIEW_SIDE ? overviewRows(client, tile) : blockRows(client, tile)
  let current: RadarDay | null = null
  for await (const { day, source, cells } of rows) {
    if (current && (current.day !== day || current.source !== source)) {
      yield current
      current = null
    }
    current ??= { day, source, parts: [] }
    current.parts.push(cells)
  }
  if (current) yield current
}

interface Row extends Pick<RadarDay, 'day' | 'source'> {
  cells: Uint16Array
}

async function* blockRows(client: Pick<pg.ClientBase, 'query'>, tile: TileAddress): AsyncGenerator<Row> {
  const blocks = blocksOfTile(tile)
  if (blocks.length === 0) return
  for (let last = { day: 'infinity', source: '', block: -1 }; ; ) {
    // `day + 0` keeps the database from scanning the index of days in order, through all the other blocks.
    const { rows } = await client.query<{ block: number; day: string; source: RecordSource; data: Buffer }>({
      name: 'radar_days',
      text: `SELECT block, day, source, data FROM radar_days
              WHERE block = ANY($1::int[]) AND day <= $2 AND (day < $2 OR (source, block) > ($3, $4)) ORDER BY day + 0 DESC, source, block LIMIT $5`,
      values: [blocks, last.day, last.source, last.block, ROWS_AT_ONCE],
    })
    for (const { block, day, source, data } of rows) yield { day, source, cells: cachedCells(block, data) }
    if (rows.length < ROWS_AT_ONCE) return
    last = present(rows.at(-1))
  }
}

/** Fewer rows per query than above, because every row is another day. */
const OVERVIEWS_AT_ONCE = 100

async function* overviewRows(client: Pick<pg.ClientBase, 'query'>, tile: TileAddress): AsyncGenerator<Row> {
  if (!overlapsGrid(tile)) return
  for (let last = { day: 'infinity', source: '' }; ; ) {
    const { rows } = await client.query<{ day: string; source: RecordSource; data: Buffer }>({
      name: 'radar_day_overviews',
      text: `SELECT day, source, data FROM radar_day_overviews
              WHERE day <= $1 AND (day < $1 OR source > $2) ORDER BY day DESC, source LIMIT $3`,
      values: [last.day, last.source, OVERVIEWS_AT_ONCE],
    })
    for (const { day, source, data } of rows) yield { day, source, cells: numbersOf(data) }
    if (rows.length < OVERVIEWS_AT_ONCE) return
    last = present(rows.at(-1))
  }
}

/** Returns the blocks of the radar grid that a tile and its edge overlap. */
function blocksOfTile(tile: TileAddress): number[] {
  const inGrid = partOfGrid(tile)
  return inGrid ? blocksWithin(inGrid) : []
}

const overlapsGrid = (tile: TileAddress) => partOfGrid(tile) !== null

/** Returns the part of the grid under a tile and its edge, in degrees; null if they are outside the grid. */
function partOfGrid(tile: TileAddress) {
  const { south, west, north, east } = boxOf(tile)
  const margin = (east - west) * EDGE
  const part = {
    south: Math.max(south - margin, CONUS.north - CONUS.rows * CONUS.step),
    north: Math.min(north + margin, CONUS.north),
    west: Math.max(west - margin, CONUS.west),
    east: Math.min(east + margin, CONUS.west + CONUS.columns * CONUS.step),
  }
  return part.south > part.north || part.west > part.east ? null : part
}

/** Numbers of two bytes each, little-endian. */
function numbersOf(data: Buffer): Uint16Array {
  const numbers = new Uint16Array(data.length / 2)
  for (let at = 0; at < numbers.length; at++) numbers[at] = data.readUInt16LE(at * 2)
  return numbers
}
