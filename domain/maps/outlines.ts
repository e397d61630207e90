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
  const grid: Grid = { bands, columns, rows, done: new Uint8Array(bands.length), edges: new Uint8Array((columns + 1) * (rows + 1)) }
  for (let at = 0; at < bands.length; at++) {
    const band = bands[at] ?? 0
    if (band === 0 || grid.done[at]) continue
    const area = outline(joined(grid, at), grid)
    const held = areas.get(band)
    if (held) held.push(area)
    else areas.set(band, [area])
  }
  return areas
}

interface Grid {
  bands: Uint8Array
  columns: number
  rows: number
  /** Cells that are in an area already. */
  done: Uint8Array
  /** Edges with the current area on their right, by the corner that they start from: one bit per direction, east, south, west, north. */
  edges: Uint8Array
}

/** Returns the cells that are connected by their sides, the northernmost first. */
function joined(grid: Grid, start: number): number[] {
  const { bands, columns } = grid
  const cells: number[] = []
  join(grid, start, cells)
  for (let nth = 0; nth < cells.length; nth++) {
    const at = present(cells[nth])
    const x = at % columns
    const band = bands[at]
    if (x + 1 < columns && bands[at + 1] === band) join(grid, at + 1, cells)
    if (at + columns < bands.length && bands[at + columns] === band) join(grid, at + columns, cells)
    if (x > 0 && bands[at - 1] === band) join(grid, at - 1, cells)
    if (at >= columns && bands[at - columns] === band) join(grid, at - columns, cells)
  }
  return cells
}

function join({ done }: Grid, cell: number, cells: number[]): void {
  if (done[cell]) return
  done[cell] = 1
  cells.push(cell)
}

/** Returns the rings of an area. The ring with the upper edge of the first cell goes around the whole area. */
function outline(cells: number[], grid: Grid): Corner[][] {
  const { bands, columns, rows, edges } = grid
  const wide = columns + 1
  const band = bands[present(cells[0])]
  const corners: number[] = []
  for (const cell of cells) {
    const x = cell % columns
    const y = (cell - x) / columns
    const corner = y * wide + x
    if (y === 0 || bands[cell - columns] !== band) put(grid, corner, 0, corners)
    if (x + 1 === columns || bands[cell + 1] !== band) put(grid, corner + 1, 1, corners)
    if (y + 1 === rows || bands[cell + columns] !== band) put(grid, corner + wide + 1, 2, corners)
    if (x === 0 || bands[cell - 1] !== band) put(grid, corner + wide, 3, corners)
  }
  const rings: Corner[][] = []
  for (const corner of corners) while (edges[corner]) rings.push(walk(edges, wide, corner))
  return rings
}

function put({ edges }: Grid, corner: number, direction: number, corners: number[]): void {
  edges[corner] = (edges[corner] ?? 0) | (1 << direction)
  corners.push(corner)
}

/**
 * Follows edges from a corner back to it and removes them; returns the turning points as a closed ring. If two directions are open, the left
 * one separates areas that touch at a corner from what they enclose, so a ring visits no corner twice.
 */
function walk(edges: Uint8Array, wide: number, start: number): Corner[] {
  const ring: Corner[] = []
  // East, south, west, north: the way around a cell with it on the right.
  const steps = [1, wide, -1, -wide] as const
  const first = wayOn(edges, start, 0)
  let direction = first
  let at = start + present(steps[first])
  while (at !== start) {
    const next = wayOn(edges, at, (direction + 3) % 4)
    if (next !== direction) ring.push(turnAt(at, wide))
    direction = next
    at += present(steps[next])
  }
  if (direction !== first) ring.unshift(turnAt(start, wide))
  ring.push(present(ring[0]))
  return ring
}

/** Removes the leftmost edge that starts at a corner, and returns its direction. */
function wayOn(edges: Uint8Array, corner: number, leftmost: number): number {
  const open = edges[corner] ?? 0
  let way = leftmost
  while ((open & (1 << way)) === 0) way = (way + 1) % 4
  edges[corner] = open & ~(1 << way)
  return way
}

const turnAt = (corner: number, wide: number): Corner => [corner % wide, Math.floor(corner / wide)]
