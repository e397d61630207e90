import { present } from '#domain/kernel/present.ts'

/** A corner of the grid's cells, counted from the north-west. */
export type Corner = [column: number, row: number]

/**
 * The areas of the cells of each band, by band, each as its outline and those of its holes: clockwise as the map is seen, holes the other way.
 * Cells are outlined as they are, so that the middle of each lies in its own band and in no other.
 * @param bands of each cell, row by row; 0 is none
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
  /** Edges that the area at hand has on their right, by the corner that they leave from: a bit for each way, east, south, west, north. */
  edges: Uint8Array
}

/** The cells that hang together by their sides, the northernmost first. */
function joined({ bands, columns, done }: Grid, start: number): number[] {
  const band = bands[start]
  const cells = [start]
  const add = (cell: number) => {
    if (done[cell] || bands[cell] !== band) return
    done[cell] = 1
    cells.push(cell)
  }
  done[start] = 1
  for (const at of cells) {
    const x = at % columns
    if (x + 1 < columns) add(at + 1)
    if (at + columns < bands.length) add(at + columns)
    if (x > 0) add(at - 1)
    if (at >= columns) add(at - columns)
  }
  return cells
}

/** The ring that the upper edge of the first cell is on goes around the whole area. */
function outline(cells: number[], { bands, columns, rows, edges }: Grid): Corner[][] {
  const wide = columns + 1
  const band = bands[present(cells[0])]
  const corners: number[] = []
  const put = (corner: number, direction: number) => {
    edges[corner] = (edges[corner] ?? 0) | (1 << direction)
    corners.push(corner)
  }
  for (const cell of cells) {
    const x = cell % columns
    const y = (cell - x) / columns
    const corner = y * wide + x
    if (y === 0 || bands[cell - columns] !== band) put(corner, 0)
    if (x + 1 === columns || bands[cell + 1] !== band) put(corner + 1, 1)
    if (y + 1 === rows || bands[cell + columns] !== band) put(corner + wide + 1, 2)
    if (x === 0 || bands[cell - 1] !== band) put(corner + wide, 3)
  }
  const rings: Corner[][] = []
  for (const corner of corners) while (edges[corner]) rings.push(walk(edges, wide, corner))
  return rings
}

/**
 * Follows edges from a corner back to it, taking them away; a closed ring of its turning points. Where two ways lead on, the left one
 * keeps areas that touch at a corner apart from what they enclose, and so a ring comes by no corner twice.
 */
function walk(edges: Uint8Array, wide: number, start: number): Corner[] {
  const ring: Corner[] = []
  // East, south, west, north: the way around a cell with it on the right.
  const steps = [1, wide, -1, -wide] as const
  const turnAt = (corner: number): Corner => [corner % wide, Math.floor(corner / wide)]
  const wayOn = (corner: number, leftmost: number): number => {
    const open = edges[corner] ?? 0
    let way = leftmost
    while ((open & (1 << way)) === 0) way = (way + 1) % 4
    edges[corner] = open & ~(1 << way)
    return way
  }
  const first = wayOn(start, 0)
  let direction = first
  let at = start + present(steps[first])
  while (at !== start) {
    const next = wayOn(at, (direction + 3) % 4)
    if (next !== direction) ring.push(turnAt(at))
    direction = next
    at += present(steps[next])
  }
  if (direction !== first) ring.unshift(turnAt(start))
  ring.push(present(ring[0]))
  return ring
}
