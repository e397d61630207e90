import type { Bounds } from '#domain/geo/area.ts'

/** The agency's CONUS grid, which the rows and columns of a stored cell refer to. Degrees. */
export const CONUS = { rows: 3500, columns: 7000, north: 54.995, west: -129.995, step: 0.01 } as const
/** Half a side of a grid cell, degrees. */
export const HALF_CELL = CONUS.step / 2
/** Grid cells along a side of a one-degree block. */
export const BLOCK_SIDE = 100

/** Row and column of a cell, from the north-west of the CONUS grid. */
export interface GridCell {
  row: number
  column: number
}

/** Returns the centre of a grid cell, in degrees with the grid's own three decimals. */
export function centreOf({ row, column }: GridCell): { latitude: number; longitude: number } {
  return { latitude: thousandths(CONUS.north - row * CONUS.step), longitude: thousandths(CONUS.west + column * CONUS.step) }
}

/** Returns the grid cell that contains a point; a cell outside the grid for a point beyond it. */
export function gridCellAt(latitude: number, longitude: number): GridCell {
  return { row: Math.round((CONUS.north - latitude) / CONUS.step), column: Math.round((longitude - CONUS.west) / CONUS.step) }
}

const AROUND = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((across) => ({ down, across }))).filter(({ down, across }) => down || across)

/** Returns the eight cells that touch a cell, side by side or corner to corner. */
export function cellsAround<Cell extends GridCell>(cell: Cell): Cell[] {
  return AROUND.map(({ down, across }) => ({ ...cell, row: cell.row + down, column: cell.column + across }))
}

/** Returns the block of a point and the index of its grid cell there, row by row from the north-west; null outside the grid. */
export function placeInBlock(latitude: number, longitude: number): { block: number; index: number } | null {
  const { row, column } = gridCellAt(latitude, longitude)
  if (row < 0 || column < 0 || row >= CONUS.rows || column >= CONUS.columns) return null
  return { block: blockOf(row, column), index: indexInBlock(row, column) }
}

/** Returns the blocks that a box of degrees touches. */
export function blocksWithin(box: Bounds): number[] {
  const blocks: number[] = []
  for (let latitude = Math.floor(box.south); latitude <= Math.floor(box.north); latitude++) {
    for (let longitude = Math.floor(box.west); longitude <= Math.floor(box.east); longitude++)
      blocks.push((90 + latitude) * 360 + 180 + longitude)
  }
  return blocks
}

/** Returns the block of a grid cell. Grid rows are half a cell off whole degrees, so each block has 100 x 100 whole cells. */
export function blockOf(row: number, column: number): number {
  return (90 + 54 - Math.floor(row / BLOCK_SIDE)) * 360 + 180 - 130 + Math.floor(column / BLOCK_SIDE)
}

/** Returns the north-western grid cell of a block. */
export function northWestOf(block: number): GridCell {
  return { row: (90 + 54 - Math.floor(block / 360)) * BLOCK_SIDE, column: ((block % 360) - 180 + 130) * BLOCK_SIDE }
}

/** Returns the index of a grid cell in its block, row by row from the north-west. */
export function indexInBlock(row: number, column: number): number {
  return (row % BLOCK_SIDE) * BLOCK_SIDE + (column % BLOCK_SIDE)
}

const thousandths = (degrees: number) => Math.round(degrees * 1000) / 1000
