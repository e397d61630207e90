import { setImmediate as turn } from 'node:timers/promises'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { type Grid, unreadable } from '#domain/archive/radar/grib2.ts'
import { present } from '#domain/kernel/present.ts'
import { MM_PER_IN } from '#domain/weather/units.ts'

/**
 * One moment of the hail-size field (MESH), ready to be kept: the cells with hail, grouped by one-degree block,
 * and where the radar saw at all. Sizes are tenths of a millimetre, as delivered.
 */
export interface Frame {
  product: 'mesh' | 'mesh_max_1440min'
  valid_at: Date
  cells: number
  peak_mm: number
  blocks: FrameBlock[]
  /** One bit for each 0.25-degree cell (north-west first) in which the radar covered at least one grid cell. */
  coverage: Buffer
}

export interface FrameBlock {
  /** (90 + floor(latitude)) * 360 + 180 + floor(longitude): the block's south-west corner. */
  block: number
  cells: number
  data: Buffer
}

/** A grid cell with hail; row and column count from the north-west of the CONUS grid. */
export interface FrameCell {
  row: number
  column: number
  size_mm: number
}

/** The CONUS grid of the agency: what rows and columns of a kept cell refer to. Degrees. */
export const CONUS = { rows: 3500, columns: 7000, north: 54.995, west: -129.995, step: 0.01 } as const
/** Half a side of a grid cell, degrees. */
export const HALF_CELL = CONUS.step / 2

const TENTHS = 10
/** The field's own mark of "outside the radar's reach"; -1 is "covered, no hail". They are never merged. */
const NO_COVERAGE_MM = -3
const MESH_DISCIPLINE = 209
const MESH_CATEGORY = 3
const PRODUCTS: Readonly<Record<number, Frame['product']>> = { 28: 'mesh', 34: 'mesh_max_1440min' }
/** Grid cells along a side of a 0.25-degree coverage cell and of a one-degree block. */
const COVERAGE_SIDE = 25
const BLOCK_SIDE = 100
const COVERAGE_COLUMNS = CONUS.columns / COVERAGE_SIDE

const COVERAGE_PACKING = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** Rows of the grid between which others get their turn: under ten milliseconds of a busy processor. */
const ROWS_AT_ONCE = 50

/**
 * Turns a grid into a frame, a few rows at a time.
 * @throws Error where the grid is no hail-size field on the agency's CONUS grid.
 */
export async function frameOf(grid: Grid): Promise<Frame> {
  const product = productOf(grid)
  if (
    grid.rows !== CONUS.rows ||
    grid.columns !== CONUS.columns ||
    Math.abs(grid.north - CONUS.north) > 1e-3 ||
    Math.abs(grid.west - CONUS.west) > 1e-3
  ) {
    throw unreadable('the grid is not the CONUS grid of 7000 x 3500 cells')
  }
  const tenths = tenthsByPackedValue(grid)
  const byBlock = new Map<number, number[]>()
  const coverage = Buffer.alloc((COVERAGE_COLUMNS * (CONUS.rows / COVERAGE_SIDE)) / 8)
  let cells = 0
  let peak = 0
  for (let row = 0, at = 0; row < CONUS.rows; row++) {
    if (row % ROWS_AT_ONCE === 0) await turn()
    const firstCovered = Math.floor(row / COVERAGE_SIDE) * COVERAGE_COLUMNS
    // The cells of a row that share a bit of the coverage: it is set once for all of them.
    for (let group = 0; group < COVERAGE_COLUMNS; group++) {
      let covered = false
      for (const end = at + COVERAGE_SIDE; at < end; at++) {
        const size = tenths[grid.packed[at] ?? 0] ?? 0
        if (size === NO_COVERAGE_MM * TENTHS) continue
        covered = true
        if (size <= 0) continue
        cells++
        if (size > peak) peak = size
        const column = at - row * CONUS.columns
        const block = blockOf(row, column)
        const held = byBlock.get(block)
        if (held) held.push(indexInBlock(row, column), size)
        else byBlock.set(block, [indexInBlock(row, column), size])
      }
      if (covered) setBit(coverage, firstCovered + group)
    }
  }
  return {
    product,
    valid_at: grid.valid_at,
    cells,
    peak_mm: peak / TENTHS,
    blocks: [...byBlock].sort(([a], [b]) => a - b).map(([block, pairs]) => ({ block, cells: pairs.length / 2, data: packPairs(pairs) })),
    coverage: brotliCompressSync(coverage, COVERAGE_PACKING),
  }
}

/** A frame of cells that are known one by one; where hail is, the radar covered the ground. */
export function frameOfCells(valid_at: Date, cells: FrameCell[]): Frame {
  const byBlock = new Map<number, number[]>()
  const coverage = Buffer.alloc((COVERAGE_COLUMNS * (CONUS.rows / COVERAGE_SIDE)) / 8)
  for (const { row, column, size_mm } of [...cells].sort((a, b) => a.row - b.row || a.column - b.column)) {
    const covered = Math.floor(row / COVERAGE_SIDE) * COVERAGE_COLUMNS + Math.floor(column / COVERAGE_SIDE)
    setBit(coverage, covered)
    const block = blockOf(row, column)
    const held = byBlock.get(block) ?? []
    byBlock.set(block, held)
    held.push(indexInBlock(row, column), Math.round(size_mm * TENTHS))
  }
  return {
    product: 'mesh',
    valid_at,
    cells: cells.length,
    peak_mm: cells.reduce((peak, { size_mm }) => Math.max(peak, size_mm), 0),
    blocks: [...byBlock].sort(([a], [b]) => a - b).map(([block, pairs]) => ({ block, cells: pairs.length / 2, data: packPairs(pairs) })),
    coverage: brotliCompressSync(coverage),
  }
}

/** The cells of one kept block, north to south and west to east. */
export function cellsOf(block: number, data: Buffer): FrameCell[] {
  const { row, column } = northWestOf(block)
  const cells: FrameCell[] = []
  let index = 0
  let at = 0
  const next = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = data[at++]
      if (byte === undefined) throw new Error('a radar block ends inside a number')
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (at < data.length) {
    index += next()
    cells.push({ row: row + Math.floor(index / BLOCK_SIDE), column: column + (index % BLOCK_SIDE), size_mm: next() / TENTHS })
  }
  return cells
}

/** Whether the radar covered any part of the 0.25-degree cell around a point; false outside the grid. */
export function wasCovered(coverage: Buffer, latitude: number, longitude: number): boolean {
  const cell = coverageCellAt(latitude, longitude)
  return cell !== null && isSet(brotliDecompressSync(coverage), cell)
}

/** Whether the radar covered any part of a box. */
export function coversAny(
  coverage: Buffer,
  { south, west, north, east }: { south: number; west: number; north: number; east: number },
): boolean {
  const bits = brotliDecompressSync(coverage)
  const [first, last] = [gridCellAt(north, west), gridCellAt(south, east)]
  const place = (at: number, most: number) => Math.floor(Math.min(Math.max(at, 0), most - 1) / COVERAGE_SIDE)
  if (last.row < 0 || last.column < 0 || first.row >= CONUS.rows || first.column >= CONUS.columns) return false
  for (let row = place(first.row, CONUS.rows); row <= place(last.row, CONUS.rows); row++)
    for (let column = place(first.column, CONUS.columns); column <= place(last.column, CONUS.columns); column++)
      if (isSet(bits, row * COVERAGE_COLUMNS + column)) return true
  return false
}

/** The 0.25-degree cells, counted from the north-west, of which the radar covered any part. */
export function coveredCells(coverage: Buffer): number[] {
  const bits = brotliDecompressSync(coverage)
  return Array.from({ length: bits.length * 8 }, (_, cell) => cell).filter((cell) => isSet(bits, cell))
}

/** The 0.25-degree cell around a point; null outside the grid. */
export function coverageCellAt(latitude: number, longitude: number): number | null {
  const { row, column } = gridCellAt(latitude, longitude)
  if (row < 0 || column < 0 || row >= CONUS.rows || column >= CONUS.columns) return null
  return Math.floor(row / COVERAGE_SIDE) * COVERAGE_COLUMNS + Math.floor(column / COVERAGE_SIDE)
}

/** The middle of a 0.25-degree cell. */
export function middleOf(cell: number): { latitude: number; longitude: number } {
  const middle = (place: number) => place * COVERAGE_SIDE + Math.floor(COVERAGE_SIDE / 2)
  return centreOf({ row: middle(Math.floor(cell / COVERAGE_COLUMNS)), column: middle(cell % COVERAGE_COLUMNS) })
}

/** Where either of two frames covered the ground. */
export function coverageOfBoth(one: Buffer, other: Buffer): Buffer {
  if (one.equals(other)) return one
  const [bits, more] = [brotliDecompressSync(one), brotliDecompressSync(other)]
  return brotliCompressSync(
    bits.map((byte, at) => byte | present(more[at])),
    COVERAGE_PACKING,
  )
}

const isSet = (bits: Buffer, at: number) => ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0

function setBit(bits: Buffer, at: number): void {
  bits[at >> 3] = (bits[at >> 3] ?? 0) | (1 << (at & 7))
}

/** Centre of a grid cell, degrees to the grid's own three decimals. */
export function centreOf({ row, column }: Pick<FrameCell, 'row' | 'column'>): { latitude: number; longitude: number } {
  return { latitude: thousandths(CONUS.north - row * CONUS.step), longitude: thousandths(CONUS.west + column * CONUS.step) }
}

/** The grid cell that holds a point; outside the grid for places beyond it. */
export function gridCellAt(latitude: number, longitude: number): { row: number; column: number } {
  return { row: Math.round((CONUS.north - latitude) / CONUS.step), column: Math.round((longitude - CONUS.west) / CONUS.step) }
}

/** Where a point lies: its block and the place of its grid cell there, row by row from the north-west; null outside the grid. */
export function placeInBlock(latitude: number, longitude: number): { block: number; index: number } | null {
  const { row, column } = gridCellAt(latitude, longitude)
  if (row < 0 || column < 0 || row >= CONUS.rows || column >= CONUS.columns) return null
  return { block: blockOf(row, column), index: indexInBlock(row, column) }
}

/** Blocks that a box of degrees touches. */
export function blocksWithin(box: { south: number; west: number; north: number; east: number }): number[] {
  const blocks: number[] = []
  for (let latitude = Math.floor(box.south); latitude <= Math.floor(box.north); latitude++) {
    for (let longitude = Math.floor(box.west); longitude <= Math.floor(box.east); longitude++)
      blocks.push((90 + latitude) * 360 + 180 + longitude)
  }
  return blocks
}

/** Inches to 0.01, the form in which a radar size is shown: the delivered value, never recalibrated. */
export function inches(size_mm: number): number {
  return Math.round((size_mm / MM_PER_IN) * 100) / 100
}

function productOf(grid: Grid): Frame['product'] {
  const product = PRODUCTS[grid.parameter]
  if (grid.discipline !== MESH_DISCIPLINE || grid.category !== MESH_CATEGORY || !product) {
    throw unreadable(`product ${grid.discipline}/${grid.category}/${grid.parameter} is no hail-size field`)
  }
  return product
}

/** The field has at most 65,536 packed values: unpacking each once keeps the loop over 24.5 million cells to a look-up. */
function tenthsByPackedValue(grid: Grid): Int32Array {
  const values = new Int32Array(grid.packed instanceof Uint16Array ? 65_536 : 256)
  for (let packed = 0; packed < values.length; packed++) values[packed] = Math.round(grid.unpack(packed) * TENTHS)
  return values
}

/** Rows of the grid lie half a cell off whole degrees, so that each block holds 100 x 100 whole cells. */
function blockOf(row: number, column: number): number {
  return (90 + 54 - Math.floor(row / BLOCK_SIDE)) * 360 + 180 - 130 + Math.floor(column / BLOCK_SIDE)
}

/** The north-western grid cell of a block. */
export function northWestOf(block: number): { row: number; column: number } {
  return { row: (90 + 54 - Math.floor(block / 360)) * BLOCK_SIDE, column: ((block % 360) - 180 + 130) * BLOCK_SIDE }
}

function indexInBlock(row: number, column: number): number {
  return (row % BLOCK_SIDE) * BLOCK_SIDE + (column % BLOCK_SIDE)
}

/** Index steps and sizes as base-128 numbers, low seven bits first. */
function packPairs(pairs: number[]): Buffer {
  const bytes: number[] = []
  const put = (value: number) => {
    let left = value
    for (; left >= 0x80; left >>>= 7) bytes.push((left & 0x7f) | 0x80)
    bytes.push(left)
  }
  let before = 0
  for (let i = 0; i < pairs.length; i += 2) {
    const [index, size] = [present(pairs[i]), present(pairs[i + 1])]
    put(index - before)
    put(size)
    before = index
  }
  return Buffer.from(bytes)
}

const thousandths = (degrees: number) => Math.round(degrees * 1000) / 1000
