import { setImmediate as yieldEventLoop } from 'node:timers/promises'
import {
  COVERAGE_COLUMNS,
  COVERAGE_SIDE,
  coverageCellOf,
  noCoverage,
  packCoverage,
  setCovered,
} from '#domain/archive/radar/frame-coverage.ts'
import { type Grid, unreadable } from '#domain/archive/radar/grib2.ts'
import { BLOCK_SIDE, blockOf, CONUS, type GridCell, indexInBlock, northWestOf } from '#domain/archive/radar/grid.ts'
import { present } from '#domain/kernel/present.ts'
import { MM_PER_IN } from '#domain/weather/units.ts'

/**
 * One moment of the hail-size field (MESH), ready to store: the cells with hail, grouped by one-degree block, and the area
 * that the radar covered. Sizes are tenths of a millimetre, as delivered.
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

/** A grid cell with hail. */
export interface FrameCell extends GridCell {
  size_mm: number
}

const TENTHS = 10
/** The field's own mark for "outside the radar's reach"; -1 means "covered, no hail". They are never merged. */
const NO_COVERAGE_MM = -3
const MESH_DISCIPLINE = 209
const MESH_CATEGORY = 3
const PRODUCTS: Readonly<Record<number, Frame['product']>> = { 28: 'mesh', 34: 'mesh_max_1440min' }
/** Grid rows between yields to other work: under ten milliseconds on a busy processor. */
const ROWS_AT_ONCE = 50

/**
 * Turns a grid into a frame, a few rows at a time.
 * @throws Error if the grid is not a hail-size field on the agency's CONUS grid.
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
  const coverage = noCoverage()
  let cells = 0
  let peak = 0
  for (let row = 0, at = 0; row < CONUS.rows; row++) {
    if (row % ROWS_AT_ONCE === 0) await yieldEventLoop()
    const firstCovered = Math.floor(row / COVERAGE_SIDE) * COVERAGE_COLUMNS
    // The cells of a row that share a coverage bit: it is set once for all of them.
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
        const pairs = byBlock.get(block)
        if (pairs) pairs.push(indexInBlock(row, column), size)
        else byBlock.set(block, [indexInBlock(row, column), size])
      }
      if (covered) setCovered(coverage, firstCovered + group)
    }
  }
  return {
    product,
    valid_at: grid.valid_at,
    cells,
    peak_mm: peak / TENTHS,
    blocks: blocksOf(byBlock),
    coverage: packCoverage(coverage),
  }
}

/** Builds a frame from single cells. The radar counts as covering the ground wherever there is hail. */
export function frameOfCells(valid_at: Date, cells: FrameCell[]): Frame {
  const byBlock = new Map<number, number[]>()
  const coverage = noCoverage()
  for (const { row, column, size_mm } of [...cells].sort((a, b) => a.row - b.row || a.column - b.column)) {
    setCovered(coverage, coverageCellOf({ row, column }))
    const block = blockOf(row, column)
    const pairs = byBlock.get(block) ?? []
    byBlock.set(block, pairs)
    pairs.push(indexInBlock(row, column), Math.round(size_mm * TENTHS))
  }
  return {
    product: 'mesh',
    valid_at,
    cells: cells.length,
    peak_mm: cells.reduce((peak, { size_mm }) => Math.max(peak, size_mm), 0),
    blocks: blocksOf(byBlock),
    coverage: packCoverage(coverage),
  }
}

/** Returns the cells of one stored block, north to south and west to east. */
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

/** Converts to inches with two decimals, as radar sizes are shown: the delivered value, never recalibrated. */
export function inches(size_mm: number): number {
  return Math.round((size_mm / MM_PER_IN) * 100) / 100
}

function productOf(grid: Grid): Frame['product'] {
  const product = PRODUCTS[grid.parameter]
  if (grid.discipline !== MESH_DISCIPLINE || grid.category !== MESH_CATEGORY || !product) {
    throw unreadable(`product ${grid.discipline}/${grid.category}/${grid.parameter} is not a hail-size field`)
  }
  return product
}

/** The field has at most 65,536 packed values. Unpacking each once reduces the loop over 24.5 million cells to look-ups. */
function tenthsByPackedValue(grid: Grid): Int32Array {
  const values = new Int32Array(grid.packed instanceof Uint16Array ? 65_536 : 256)
  for (let packed = 0; packed < values.length; packed++) values[packed] = Math.round(grid.unpack(packed) * TENTHS)
  return values
}

/** Builds the blocks, in order of their numbers, from the indexes and sizes of the cells in each. */
function blocksOf(byBlock: Map<number, number[]>): FrameBlock[] {
  return [...byBlock].sort(([a], [b]) => a - b).map(([block, pairs]) => ({ block, cells: pairs.length / 2, data: packPairs(pairs) }))
}

/** Packs index steps and sizes as base-128 numbers, low seven bits first. */
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
