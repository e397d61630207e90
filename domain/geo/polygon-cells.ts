import { setImmediate } from 'node:timers/promises'
import { CELL_COLUMNS, CELLS_PER_DEGREE, cellOf } from '#domain/geo/cells.ts'
import type { Position } from '#domain/geo/measure.ts'
import type { Polygon } from '#domain/geo/shape.ts'
import { present } from '#domain/kernel/present.ts'

/**
 * One byte for each cell of a row, from the antimeridian: whether an edge touches the cell, and whether an odd number of edges crosses the
 * middle of the row there. Lists would grow with the edges: 10,000 from pole to pole would take half a gigabyte.
 */
type RowMarks = Uint8Array

const TOUCHED = 1
const ODD_CROSSINGS = 2
/** The last column begins at longitude 180. */
const COLUMNS = CELL_COLUMNS + 1

/** Rows processed before the event loop gets a turn: a few milliseconds of work. */
const ROWS_AT_ONCE = 50_000

/**
 * Returns every cell that polygons touch. Edges are straight in longitude and latitude (GeoJSON, RFC 7946); each row of cells is
 * filled between the edges that cross it. The time grows with the number of edges and the rows that they cross.
 */
export async function cellsOfPolygons(polygons: Polygon[]): Promise<number[]> {
  const rows = new Map<number, RowMarks>()
  let run = 0
  for (const ring of polygons.flat()) {
    for (let index = 1; index < ring.length; index++) {
      run += markEdge(rows, present(ring[index - 1]), present(ring[index]))
      if (run > ROWS_AT_ONCE) {
        run = 0
        await setImmediate()
      }
    }
  }
  const cells = new Set<number>()
  for (const [row, marks] of rows) addRow(cells, row, marks)
  return [...cells]
}

/** Marks an edge in the rows that it crosses; returns their number. */
function markEdge(rows: Map<number, RowMarks>, from: Position, to: Position): number {
  const [south, north] = from[1] < to[1] ? [from, to] : [to, from]
  const longitudeAt = (latitude: number) => south[0] + ((latitude - south[1]) / (north[1] - south[1])) * (north[0] - south[0])
  const [first, last] = [Math.floor(south[1] * CELLS_PER_DEGREE), Math.floor(north[1] * CELLS_PER_DEGREE)]
  for (let row = first; row <= last; row++) {
    const marks = rows.get(row) ?? new Uint8Array(COLUMNS)
    const below = row === first ? south[0] : longitudeAt(row / CELLS_PER_DEGREE)
    const above = row === last ? north[0] : longitudeAt((row + 1) / CELLS_PER_DEGREE)
    for (let column = columnOf(Math.min(below, above)); column <= columnOf(Math.max(below, above)); column++)
      marks[column] = present(marks[column]) | TOUCHED
    const middle = (row + 0.5) / CELLS_PER_DEGREE
    if (south[1] <= middle && middle < north[1]) {
      const column = columnOf(longitudeAt(middle))
      marks[column] = present(marks[column]) ^ ODD_CROSSINGS
    }
    rows.set(row, marks)
  }
  return last - first + 1
}

const columnOf = (longitude: number) => Math.floor((longitude + 180) * CELLS_PER_DEGREE)

/** Adds the touched cells of a row, and those between the first and the second crossing, the third and the fourth, and so on. */
function addRow(cells: Set<number>, row: number, marks: RowMarks): void {
  let inside = false
  for (let column = 0; column < COLUMNS; column++) {
    const mark = present(marks[column])
    if (mark & ODD_CROSSINGS) inside = !inside
    if (inside || mark & TOUCHED) cells.add(cellOf((row + 0.5) / CELLS_PER_DEGREE, (column + 0.5) / CELLS_PER_DEGREE - 180))
  }
}
