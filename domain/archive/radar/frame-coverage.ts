import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'
import { CONUS, centreOf, type GridCell, gridCellAt } from '#domain/archive/radar/grid.ts'
import type { Bounds } from '#domain/geo/area.ts'
import { present } from '#domain/kernel/present.ts'

/** Grid cells along a side of a 0.25-degree coverage cell, and coverage cells in a row. */
export const COVERAGE_SIDE = 25
export const COVERAGE_COLUMNS = CONUS.columns / COVERAGE_SIDE

const PACKING = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** Returns coverage bits with none set: one for each 0.25-degree cell, north-west first. */
export function noCoverage(): Buffer {
  return Buffer.alloc((COVERAGE_COLUMNS * (CONUS.rows / COVERAGE_SIDE)) / 8)
}

/** Sets the bit of a 0.25-degree cell. */
export function setCovered(bits: Buffer, cell: number): void {
  bits[cell >> 3] = (bits[cell >> 3] ?? 0) | (1 << (cell & 7))
}

/** Packs the bits as a frame stores them. */
export function packCoverage(bits: Uint8Array): Buffer {
  return brotliCompressSync(bits, PACKING)
}

/** Whether the radar covered any part of the 0.25-degree cell around a point; false outside the grid. */
export function wasCovered(coverage: Buffer, latitude: number, longitude: number): boolean {
  const cell = coverageCellAt(latitude, longitude)
  return cell !== null && isSet(brotliDecompressSync(coverage), cell)
}

/** Whether the radar covered any part of a box. */
export function coversAny(coverage: Buffer, { south, west, north, east }: Bounds): boolean {
  const bits = brotliDecompressSync(coverage)
  const [first, last] = [gridCellAt(north, west), gridCellAt(south, east)]
  const place = (at: number, most: number) => Math.floor(Math.min(Math.max(at, 0), most - 1) / COVERAGE_SIDE)
  if (last.row < 0 || last.column < 0 || first.row >= CONUS.rows || first.column >= CONUS.columns) return false
  for (let row = place(first.row, CONUS.rows); row <= place(last.row, CONUS.rows); row++)
    for (let column = place(first.column, CONUS.columns); column <= place(last.column, CONUS.columns); column++)
      if (isSet(bits, row * COVERAGE_COLUMNS + column)) return true
  return false
}

/** Returns the 0.25-degree cells, counted from the north-west, of which the radar covered any part. */
export function coveredCells(coverage: Buffer): number[] {
  const bits = brotliDecompressSync(coverage)
  return Array.from({ length: bits.length * 8 }, (_, cell) => cell).filter((cell) => isSet(bits, cell))
}

/** Returns the 0.25-degree cell around a point; null outside the grid. */
export function coverageCellAt(latitude: number, longitude: number): number | null {
  const { row, column } = gridCellAt(latitude, longitude)
  if (row < 0 || column < 0 || row >= CONUS.rows || column >= CONUS.columns) return null
  return coverageCellOf({ row, column })
}

/** Returns the 0.25-degree cell around a grid cell. */
export function coverageCellOf({ row, column }: GridCell): number {
  return Math.floor(row / COVERAGE_SIDE) * COVERAGE_COLUMNS + Math.floor(column / COVERAGE_SIDE)
}

/** Returns the middle of a 0.25-degree cell. */
export function middleOf(cell: number): { latitude: number; longitude: number } {
  const middle = (place: number) => place * COVERAGE_SIDE + Math.floor(COVERAGE_SIDE / 2)
  return centreOf({ row: middle(Math.floor(cell / COVERAGE_COLUMNS)), column: middle(cell % COVERAGE_COLUMNS) })
}

/** Returns the coverage of two frames combined. */
export function coverageOfBoth(one: Buffer, other: Buffer): Buffer {
  if (one.equals(other)) return one
  const [bits, more] = [brotliDecompressSync(one), brotliDecompressSync(other)]
  return packCoverage(bits.map((byte, at) => byte | present(more[at])))
}

const isSet = (bits: Buffer, at: number) => ((bits[at >> 3] ?? 0) & (1 << (at & 7))) !== 0
