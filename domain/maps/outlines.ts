import { present } from '#domain/kernel/present.ts'

/** A corner of the grid's cells, counted from the north-west. */
export type Corner = [column: number, row: number]

/**
 * Returns the areas of each band, by band, each with its outline and those of its holes: clockwise as seen on the map, holes the other way.
 * Cells are outlined as they are, so that the middle of each is in its own band and in no other.
 * @param bands the band of each cell, row by row; 0 is none
 */
export function outlinesOf(bands: Uint8Array, { columns, rows }: { columns: number; rows: number }): Map<number, Corner[][][]> {
  const areas = new Map<number, Corner[][][]>()
  const grid: Grid = { bands, columns, rows, visited: new Uint8Array(bands.length), edges: new Uint8Array((columns + 1) * (rows + 1)) }
  for (let at = 0; at < bands.length; at++) {
    const band = bands[at] ?? 0
    if (band === 0 || grid.visited[at]) continue
    const area = outline(connectedCells(grid, at), grid)
    const existing = areas.get(band)
    if (existing) existing.push(area)
    else areas.set(band, [area])
  }
  return areas
}

interface Grid {
  bands: Uint8Array
  columns: number
  rows: number
  /** Cells that are in an area already. */
  visited: Uint8Array
  /** Edges with the current area on their right, by the corner that they start from: one bit per direction, east, south, west, north. */
  edges: Uint8Array
}

/** Returns the cells that are connected by their sides, the northernmost first. */
function connectedCells(grid: Grid, start: number): number[] {
  const { bands, columns } = grid
  const cells: number[] = []
  addCell(grid, start, cells)
  for (let nth = 0; nth < cells.length; nth++) {
    const at = present(cells[nth])
    const x = at % columns
    const band = bands[at]
    if (x + 1 < columns && bands[at + 1] === band) addCell(grid, at + 1, cells)
    if (at + columns < bands.length && bands[at + columns] === band) addCell(grid, at + columns, cells)
    if (x > 0 && bands[at - 1] === band) addCell(grid, at - 1, cells)
    if (at >= columns && bands[at - columns] === band) addCell(grid, at - columns, cells)
  }
  return cells
}

function addCell({ visited }: Grid, cell: number, cells: number[]): void {
  if (visited[cell]) return
  visited[cell] = 1
  cells.push(cell)
}

/** Returns the rings of an area. The ring with the upper edge of the first cell goes around the whole area. */
function outline(cells: number[], grid: Grid): Corner[][] {
  const { bands, columns, rows, edges } = grid
  const stride = columns + 1
  const band = bands[present(cells[0])]
  const corners: number[] = []
  for (const cell of cells) {
    const x = cell % columns
    const y = (cell - x) / columns
    const corner = y * stride + x
    if (y === 0 || bands[cell - columns] !== band) addEdge(grid, corner, 0, corners)
    if (x + 1 === columns || bands[cell + 1] !== band) addEdge(grid, corner + 1, 1, corners)
    if (y + 1 === rows || bands[cell + columns] !== band) addEdge(grid, corner + stride + 1, 2, corners)
    if (x === 0 || bands[cell - 1] !== band) addEdge(grid, corner + stride, 3, corners)
  }
  const rings: Corner[][] = []
  for (const corner of corners) while (edges[corner]) rings.push(traceRing(edges, stride, corner))
  return rings
}

function addEdge({ edges }: Grid, corner: number, direction: number, corners: number[]): void {
  edges[corner] = (edges[corner] ?? 0) | (1 << direction)
  corners.push(corner)
}

/**
 * Follows edges from a corner back to it and removes them; returns the turning points as a closed ring. If two directions are open, the left
 * one separates areas that touch at a corner from what they enclose, so a ring visits no corner twice.
 */
function traceRing(edges: Uint8Array, stride: number, start: number): Corner[] {
  const ring: Corner[] = []
  // East, south, west, north: the way around a cell with it on the right.
  const steps = [1, stride, -1, -stride] as const
  const first = takeLeftmostEdge(edges, start, 0)
  let direction = first
  let at = start + present(steps[first])
  while (at !== start) {
    const next = takeLeftmostEdge(edges, at, (direction + 3) % 4)
    if (next !== direction) ring.push(cornerAt(at, stride))
    direction = next
    at += present(steps[next])
  }
  if (direction !== first) ring.unshift(cornerAt(start, stride))
  ring.push(present(ring[0]))
  return ring
}

/** Removes the leftmost edge that starts at a corner, and returns its direction. */
function takeLeftmostEdge(edges: Uint8Array, corner: number, leftmost: number): number {
  const open = edges[corner] ?? 0
  let direction = leftmost
  while ((open & (1 << direction)) === 0) direction = (direction + 1) % 4
  edges[corner] = open & ~(1 << direction)
  return direction
}

const cornerAt = (corner: number, stride: number): Corner => [corner % stride, Math.floor(corner / stride)]
