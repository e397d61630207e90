import { setImmediate } from 'node:timers/promises'
import { CELLS_PER_DEGREE, cellOf } from '#domain/geo/cells.ts'
import type { Position } from '#domain/geo/measure.ts'
import type { Polygon } from '#domain/geo/shape.ts'
import { present } from '#domain/kernel/present.ts'

/** The part of the polygons in one row of cells, as longitudes. */
interface RowSpan {
  /** Spans covered by edges. */
  touched: [west: number, east: number][]
  /** Where edges cross the middle of the row. */
  crossings: number[]
}

/** Rows processed before the event loop gets a turn: a few milliseconds of work. */
const ROWS_AT_ONCE = 50_000

/**
 * Returns every cell that polygons touch. Edges are straight in longitude and latitude (GeoJSON, RFC 7946); each row of cells is
 * filled between the edges that cross it. The time grows with the number of edges and the rows that they cross.
 */
export async function cellsOfPolygons(polygons: Polygon[]): Promise<number[]> {
  const rows = new Map<number, RowSpan>()
  let run = 0
  for (const ring of polygons.flat()) {
    for (let index = 1; index < ring.length; index++) {
      run += addEdge(rows, present(ring[index - 1]), present(ring[index]))
      if (run > ROWS_AT_ONCE) {
        run = 0
        await setImmediate()
      }
    }
  }
  const cells = new Set<number>()
  for (const [row, { touched, crossings }] of rows) {
    for (const [west, east] of [...touched, ...pairsOf(crossings)]) addColumns(cells, row, west, east)
  }
  return [...cells]
}

/** Adds an edge to the rows that it crosses; returns their number. */
function addEdge(rows: Map<number, RowSpan>, from: Position, to: Position): number {
  const [south, north] = from[1] < to[1] ? [from, to] : [to, from]
  const longitudeAt = (latitude: number) => south[0] + ((latitude - south[1]) / (north[1] - south[1])) * (north[0] - south[0])
  const [first, last] = [Math.floor(south[1] * CELLS_PER_DEGREE), Math.floor(north[1] * CELLS_PER_DEGREE)]
  for (let row = first; row <= last; row++) {
    const span = rows.get(row) ?? { touched: [], crossings: [] }
    const below = row === first ? south[0] : longitudeAt(row / CELLS_PER_DEGREE)
    const above = row === last ? north[0] : longitudeAt((row + 1) / CELLS_PER_DEGREE)
    span.touched.push([Math.min(below, above), Math.max(below, above)])
    const middle = (row + 0.5) / CELLS_PER_DEGREE
    if (south[1] <= middle && middle < north[1]) span.crossings.push(longitudeAt(middle))
    rows.set(row, span)
  }
  return last - first + 1
}

/** Between the first and the second crossing is the inside, between the second and the third the outside. */
function pairsOf(crossings: number[]): [number, number][] {
  const sorted = crossings.sort((a, b) => a - b)
  return sorted.flatMap((west, index): [number, number][] => (index % 2 === 0 ? [[west, sorted[index + 1] ?? west]] : []))
}

function addColumns(cells: Set<number>, row: number, west: number, east: number): void {
  const latitude = (row + 0.5) / CELLS_PER_DEGREE
  for (let column = Math.floor(west * CELLS_PER_DEGREE); column <= Math.floor(east * CELLS_PER_DEGREE); column++)
    cells.add(cellOf(latitude, (column + 0.5) / CELLS_PER_DEGREE))
}
