import type { GridCell } from '#domain/archive/radar/grid.ts'

/** Rows of a strip, columns of cells around the world, and the number of columns between 180 degrees west and the grid. */
export const STRIP_ROWS = 10
const WORLD_COLUMNS = 36_000
const WEST_COLUMNS = 5000

/**
 * Returns a grid cell as one number, as stored in `properties.grid_cell`: strips of ten rows from the north, within each
 * strip the columns from the west, within each column the rows. A storm then covers only a few ranges of numbers.
 */
export function gridCellNumber({ row, column }: GridCell): number {
  const strip = Math.floor(row / STRIP_ROWS)
  return (strip * WORLD_COLUMNS + WEST_COLUMNS + column) * STRIP_ROWS + (row - strip * STRIP_ROWS)
}

/** Returns the cell of a number. */
export function gridCellOf(number: number): GridCell {
  const place = Math.floor(number / STRIP_ROWS)
  const strip = Math.floor(place / WORLD_COLUMNS)
  return { row: strip * STRIP_ROWS + (number - place * STRIP_ROWS), column: place - strip * WORLD_COLUMNS - WEST_COLUMNS }
}
