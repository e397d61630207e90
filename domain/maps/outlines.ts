import { present } from '#domain/kernel/present.ts'

/** A corner of the grid's cells, counted from the north-west. */
export type Corner = [column: number, row: number]

/** East, south, west, north: the way around a cell with it on the right. */
const STEPS: Corner[] = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
]

/**
 * The areas of the cells of one band, each as its outline and those of its holes: clockwise as the map is seen, holes the other way.
 * Cells are outlined as they are, so that the middle of each lies in its own band and in no other.
 * @param bands of each cell, row by row
 */
export function outlinesOf(bands: Uint8Array, { columns, rows }: { columns: number; rows: number }, band: number): Corner[][][] {
  const areas: Corner[][][] = []
  const done = new Uint8Array(bands.length)
  for (let at = bands.indexOf(band); at >= 0; at = bands.indexOf(band, at + 1))
    if (!done[at]) areas.push(outline(joined(bands, done, columns, rows, at), columns, at))
  return areas
}

/** The cells that hang together by their sides. */
function joined(bands: Uint8Array, done: Uint8Array, columns: number, rows: number, start: number): Set<number> {
  const cells = new Set([start])
  done[start] = 1
  for (const at of cells) {
    const x = at % columns
    const y = Math.floor(at / columns)
    for (const [right, down] of STEPS) {
      const [nx, ny] = [x + right, y + down]
      const next = ny * columns + nx
      if (nx < 0 || ny < 0 || nx >= columns || ny >= rows || done[next] || bands[next] !== bands[start]) continue
      done[next] = 1
      cells.add(next)
    }
  }
  return cells
}

/** @param first the northernmost cell: the ring that its upper edge is on goes around the whole area */
function outline(cells: Set<number>, columns: number, first: number): Corner[][] {
  // Edges that the area has on their right, by the corner that they leave from: a bit for each of STEPS.
  const wide = columns + 1
  const edges = new Map<number, number>()
  const has = (x: number, y: number) => x >= 0 && x < columns && cells.has(y * columns + x)
  const put = (x: number, y: number, direction: number) => edges.set(y * wide + x, (edges.get(y * wide + x) ?? 0) | (1 << direction))
  for (const cell of cells) {
    const [x, y] = [cell % columns, Math.floor(cell / columns)]
    if (!has(x, y - 1)) put(x, y, 0)
    if (!has(x + 1, y)) put(x + 1, y, 1)
    if (!has(x, y + 1)) put(x + 1, y + 1, 2)
    if (!has(x - 1, y)) put(x, y + 1, 3)
  }
  const rings = [walk(edges, wide, Math.floor(first / columns) * wide + (first % columns))]
  for (const [corner, left] of edges)
    if (left) for (let more = left; more; more = edges.get(corner) ?? 0) rings.push(walk(edges, wide, corner))
  return rings
}

/** Follows edges from a corner back to it, taking them away; a closed ring of its turning points. */
function walk(edges: Map<number, number>, wide: number, start: number): Corner[] {
  const ring: Corner[] = []
  let at = start
  let direction = -1
  do {
    const open = edges.get(at) ?? 0
    // Where two ways lead on, the left one keeps areas that touch at a corner apart from what they enclose.
    const turns = direction < 0 ? [0, 1, 2, 3] : [(direction + 3) % 4, direction, (direction + 1) % 4]
    const next = present(turns.find((turn) => open & (1 << turn)))
    edges.set(at, open & ~(1 << next))
    if (next !== direction) ring.push([at % wide, Math.floor(at / wide)])
    direction = next
    const [right, down] = present(STEPS[next])
    at += down * wide + right
  } while (at !== start || closes(edges, at, direction))
  ring.push(present(ring[0]))
  return ring
}

/** Whether the ring passes through its first corner once more: an edge to the left of where it came leads on. */
function closes(edges: Map<number, number>, at: number, direction: number): boolean {
  return ((edges.get(at) ?? 0) & (1 << ((direction + 3) % 4))) !== 0
}
