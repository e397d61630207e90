import { BLOCK_CELLS, BLOCK_SIDE } from '#domain/archive/radar/day-sizes.ts'
import type { FrameCell } from '#domain/archive/radar/frame.ts'
import { CONUS } from '#domain/archive/radar/grid.ts'
import type { Random } from './random.ts'

const TENTHS = 10
/** Grid cells from the core of a storm to its edge, and its largest hail. */
const STORM_RADIUS = 20
const PEAK_MM = 80

/** Returns hail that grows toward the core of each storm, a tenth of it random; where two storms meet, the larger. */
export function hailStorms(cells: number, random: Random): FrameCell[] {
  const byPlace = new Map<number, FrameCell>()
  while (byPlace.size < cells) {
    const middle = {
      row: random.integer(STORM_RADIUS, CONUS.rows - STORM_RADIUS - 1),
      column: random.integer(STORM_RADIUS, CONUS.columns - STORM_RADIUS - 1),
    }
    const peak = random.integer(PEAK_MM / 8, PEAK_MM)
    for (let down = -STORM_RADIUS; down <= STORM_RADIUS; down++)
      for (let right = -STORM_RADIUS; right <= STORM_RADIUS; right++) {
        const strength = 1 - Math.hypot(down, right) / STORM_RADIUS
        const size_mm = Math.round(peak * strength * random.integer(90, 110)) / 100
        const [row, column] = [middle.row + down, middle.column + right]
        const tenths = Math.round(size_mm * TENTHS)
        const place = row * CONUS.columns + column
        if (tenths > 0 && tenths / TENTHS > (byPlace.get(place)?.size_mm ?? 0))
          byPlace.set(place, { row, column, size_mm: tenths / TENTHS })
      }
  }
  return [...byPlace.values()]
}

/** Cells of one block as stored: tenths of a millimetre by grid cell. */
export function sizesOf(cells: readonly FrameCell[]): Uint16Array {
  const sizes = new Uint16Array(BLOCK_CELLS)
  for (const { row, column, size_mm } of cells)
    sizes[(row % BLOCK_SIDE) * BLOCK_SIDE + (column % BLOCK_SIDE)] = Math.round(size_mm * TENTHS)
  return sizes
}

/** Returns the cells of a whole day by their block, as stored. */
export function blocksOf(hail: readonly FrameCell[]): Map<number, Uint16Array> {
  const byBlock = new Map<number, FrameCell[]>()
  for (const cell of hail) {
    const block = blockOf(cell)
    const existing = byBlock.get(block)
    if (existing) existing.push(cell)
    else byBlock.set(block, [cell])
  }
  return new Map([...byBlock].map(([block, cells]) => [block, sizesOf(cells)]))
}

/** The block number as in a frame: (90 + floor(latitude)) * 360 + 180 + floor(longitude) of the south-west corner. */
const blockOf = ({ row, column }: FrameCell) =>
  (90 + Math.floor(CONUS.north - row * CONUS.step)) * 360 + 180 + Math.floor(CONUS.west + column * CONUS.step)
