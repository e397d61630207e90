import type pg from 'pg'
import { type ScannedCell, type StoredCells, storeCells } from '#domain/archive/radar/cell-records.ts'
import { cellsOf, type FrameCell } from '#domain/archive/radar/frame.ts'
import { cellsAround } from '#domain/archive/radar/grid.ts'
import { groupByCell, isAllReached, mark, type Reach, reachedOf, type WatchInCell } from '#domain/archive/radar/reach.ts'
import { pagesOf, pagesWithin } from '#domain/engines/cursor.ts'
import { CELL_COLUMNS, CELLS_PER_DEGREE } from '#domain/geo/cells.ts'
import type { RecordSource } from '#domain/weather/sources.ts'

/** The smallest size of which a record states 1.00 in: a smaller radar estimate makes no exposure. */
const EXPOSURE_MIN_MM = 25.3
/** Watches read at once: a few hundred kilobytes, looked up in a few milliseconds. */
const WATCHES_AT_ONCE = 5_000

/** Returns the cells of a frame's blocks for which the radar estimated an inch or more. */
export function largeCells(blocks: { block: number; data: Buffer }[], source: RecordSource, valid_at: Date): ScannedCell[] {
  return blocks.flatMap(({ block, data }) =>
    cellsOf(block, data)
      .filter(({ size_mm }) => size_mm >= EXPOSURE_MIN_MM)
      .map((cell) => ({ ...cell, source, valid_at })),
  )
}

/**
 * Stores the large cells of a frame that a watched place reaches as records, with those that show that one does not stand
 * alone: of a mosaic of millions, only what somebody watches. Call it in a transaction.
 */
export async function storeWatchedCells(client: Pick<pg.ClientBase, 'query'>, cells: ScannedCell[]): Promise<StoredCells> {
  return storeCells(client, withTouching(cells, await watchedCells(client, cells)))
}

/**
 * Returns the reached cells and, for each that touches no other of them, those of its frame that touch it. One cell alone
 * makes no exposure, wherever the radius of a watch ends.
 * @param cells all large cells of the frames
 */
function withTouching(cells: ScannedCell[], reached: ScannedCell[]): ScannedCell[] {
  const reachedNames = new Set(reached.map(nameOf))
  const namesAround = (cell: ScannedCell) => cellsAround(cell).map(nameOf)
  const around = new Set(
    reached
      .map(namesAround)
      .filter((names) => !names.some((name) => reachedNames.has(name)))
      .flat(),
  )
  return around.size === 0 ? reached : [...reached, ...cells.filter((cell) => around.has(nameOf(cell)))]
}

const nameOf = ({ source, valid_at, row, column }: ScannedCell) => `${source} ${valid_at.getTime()} ${row} ${column}`

/**
 * Returns the cells of a grid that a watched place reaches. The watches around the cells are read once, page by page, and
 * looked up in the grid. The cost depends on the search cells with large hail and the watches there, not on watches
 * elsewhere.
 */
export async function watchedCells<Cell extends FrameCell>(client: Pick<pg.ClientBase, 'query'>, cells: Cell[]): Promise<Cell[]> {
  const reach = groupByCell(cells)
  if (cells.length === 0) return []
  for await (const watches of pagesWithin<WatchInCell>(client, WATCHES_AROUND, boxesOf(reach), WATCHES_AT_ONCE)) {
    for (const watch of watches) mark(reach, watch)
    if (isAllReached(reach)) break
  }
  return reachedOf(reach)
}

/** Miles per degree, rounded down so that a box is slightly too large. The exact distance is decided when a watch is looked up. */
const MILES_PER_DEGREE_MIN = 69

/** Selects the watches in a search cell that may reach the box of its grid cells, including those of territories. */
export const WATCHES_AROUND = `
  SELECT w.cell, w.latitude, w.longitude, w.radius_miles
    FROM unnest($1::int[], $2::float8[], $3::float8[], $4::float8[], $5::float8[], $6::float8[]) AS box (cell, south, north, west, east, wide)
    JOIN watch_cells w ON w.cell = box.cell
   WHERE w.latitude IS NULL OR (
     w.latitude BETWEEN box.south - w.radius_miles / ${MILES_PER_DEGREE_MIN} AND box.north + w.radius_miles / ${MILES_PER_DEGREE_MIN}
     AND w.longitude BETWEEN box.west - w.radius_miles / box.wide AND box.east + w.radius_miles / box.wide)`

/** Degrees north of a box at which the miles per degree of longitude are taken: further than any watch reaches. */
const NARROWER = 0.25

/** Returns search cells with the boxes of their grid cells, and the miles per degree of longitude there. */
export function boxesOf({ patches }: Reach<FrameCell>): [cells: number[], ...degrees: number[][]] {
  const boxes = [...patches.values()]
  const wide = boxes.map(({ north }) => MILES_PER_DEGREE_MIN * Math.cos(((north + NARROWER) * Math.PI) / 180))
  const sides = (['south', 'north', 'west', 'east'] as const).map((side) => boxes.map((box) => box[side]))
  return [[...patches.keys()], ...sides, wide]
}

/** Stores the large cells that a place reaches in the frames since then, for a place that is watched from now on. */
export async function storeCellsSince({ pool }: { pool: pg.Pool }, subject_id: string, since: Date): Promise<void> {
  const { rows: watch } = await pool.query<WatchInCell>(
    'SELECT cell, latitude, longitude, radius_miles FROM watch_cells WHERE subject_id = $1',
    [subject_id],
  )
  // Cells on both sides of a block's edge touch: a frame whose blocks may continue in the next page waits for them.
  let open: BlockOfFrame[] = []
  for await (const page of pagesOf<BlockOfFrame>(pool, BLOCKS_OF, [subject_id, since, EXPOSURE_MIN_MM])) {
    const blocks = [...open, ...page]
    open = blocks.filter(({ frame_id }) => frame_id === blocks.at(-1)?.frame_id)
    await storeCells(pool, reachedIn(blocks.slice(0, -open.length), watch))
  }
  await storeCells(pool, reachedIn(open, watch))
}

function reachedIn(blocks: BlockOfFrame[], watch: WatchInCell[]): ScannedCell[] {
  const cells = blocks.flatMap((block) => largeCells([block], block.source, block.valid_at))
  const reach = groupByCell(cells)
  for (const cell of watch) mark(reach, cell)
  return withTouching(cells, reachedOf(reach))
}

interface BlockOfFrame {
  frame_id: number
  source: RecordSource
  valid_at: Date
  block: number
  data: Buffer
}

/** A search cell, and those around it, are in the blocks of their whole degrees; there are 360 blocks in a row. */
const BLOCKS_OF = `
  SELECT f.id AS frame_id, f.source, f.valid_at, b.block, b.data
    FROM (SELECT DISTINCT ((cell / ${CELL_COLUMNS} + down) / ${CELLS_PER_DEGREE}) * 360 + (cell % ${CELL_COLUMNS} + across) / ${CELLS_PER_DEGREE} AS block
            FROM watch_cells, generate_series(-1, 1) down, generate_series(-1, 1) across WHERE subject_id = $1) w
    JOIN radar_blocks b USING (block) JOIN radar_frames f ON f.id = b.frame_id
   WHERE f.product = 'mesh' AND f.valid_at >= $2 AND f.peak_mm >= $3
   ORDER BY f.valid_at, f.id`
