import { CONUS } from '#domain/archive/radar/frame.ts'
import { present } from '#domain/kernel/present.ts'
import { boxOf, EDGE, EXTENT, type TileAddress, WORLD_BITS, worldX, worldY } from '#domain/maps/mercator.ts'
import { cellSideAt, type RadarDay } from '#domain/maps/radar-cells.ts'
import { radarBands } from '#domain/weather/radar-bands.ts'
import type { RecordSource } from '#domain/weather/sources.ts'

const TENTHS_PER_IN = 254

export interface Ring {
  x: number
  y: number
}

/** The places of a day where the largest hail lay in a band: rings in tile units, each outer one before its holes. */
export interface BandArea {
  day: string
  source: RecordSource
  /** Index in `radarBands`. */
  band: number
  rings: Ring[][]
}

/** Bytes that radar may take of a tile: it is the wordiest, and the records come first. */
const BYTES_MAX = 200_000
/** Bytes that a corner of an outline takes, about, and an area besides. */
const CORNER_BYTES = 4
const AREA_BYTES = 40
/** Areas beyond the budget are dropped when there are this many times too many, and at the end. */
const HELD_TIMES = 4

/**
 * The bands of the days in a tile: the largest bands of the newest days, as far as the bytes go.
 * @param days newest first
 */
export async function bandAreas(days: AsyncIterable<RadarDay>, tile: TileAddress): Promise<BandArea[]> {
  const window = windowOf(tile)
  let areas: BandArea[] = []
  let held = 0
  // Of what comes later no band up to this has room: it is older than one of the same size that had none.
  let crowded = -1
  for await (const { day, source, parts } of days) {
    const bands = bandsInWindow(parts, window)
    for (let band = radarBands.length - 1; band > crowded; band--) {
      const rings = ringsOf(bands, window, band + 1).map((ring) => ring.map(([column, row]) => cornerOf(column, row, window, tile)))
      if (rings.length === 0) continue
      areas.push({ day, source, band, rings })
      held += bytesOf(rings)
    }
    if (held < BYTES_MAX * HELD_TIMES) continue
    const kept = withinBudget(areas)
    crowded = areas[kept]?.band ?? crowded
    areas = areas.slice(0, kept)
    held = areas.reduce((sum, { rings }) => sum + bytesOf(rings), 0)
  }
  return areas.slice(0, withinBudget(areas))
}

/** Sorts areas by what matters, and counts those that have room. */
function withinBudget(areas: BandArea[]): number {
  areas.sort((one, other) => other.band - one.band || other.day.localeCompare(one.day))
  let left = BYTES_MAX
  const beyond = areas.findIndex(({ rings }) => {
    left -= bytesOf(rings)
    return left < 0
  })
  return beyond < 0 ? areas.length : beyond
}

function bytesOf(rings: Ring[][]): number {
  return AREA_BYTES + rings.reduce((sum, ring) => sum + ring.length * CORNER_BYTES, 0)
}

/** The part of the grid that a tile shows, in cells of its zoom. */
interface Window {
  /** Grid cells along the side of a cell as drawn. */
  factor: number
  west: number
  north: number
  columns: number
  rows: number
}

function windowOf(tile: TileAddress): Window {
  const factor = cellSideAt(tile.z)
  const { south, west, north, east } = boxOf(tile)
  const margin = (east - west) * EDGE
  const column = (longitude: number) => Math.floor((longitude - WEST_EDGE) / CONUS.step / factor)
  const row = (latitude: number) => Math.floor((NORTH_EDGE - latitude) / CONUS.step / factor)
  const inColumns = (value: number) => Math.min(Math.max(value, 0), Math.ceil(CONUS.columns / factor) - 1)
  const inRows = (value: number) => Math.min(Math.max(value, 0), Math.ceil(CONUS.rows / factor) - 1)
  const [left, right] = [inColumns(column(west - margin)), inColumns(column(east + margin))]
  const [top, bottom] = [inRows(row(north + margin)), inRows(row(south - margin))]
  return { factor, west: left, north: top, columns: right - left + 1, rows: bottom - top + 1 }
}

/** The grid's coordinates are those of the cells' centres. */
const WEST_EDGE = CONUS.west - CONUS.step / 2
const NORTH_EDGE = CONUS.north + CONUS.step / 2

/** Band of each cell of the window, counted from 1; 0 where there is no hail. A cell of several has the largest of them. */
function bandsInWindow(parts: Uint16Array[], { factor, west, north, columns, rows }: Window): Uint8Array {
  const bands = new Uint8Array(columns * rows)
  for (const cells of parts) {
    for (let at = 0; at < cells.length; at += 3) {
      const y = Math.floor(present(cells[at]) / factor) - north
      const x = Math.floor(present(cells[at + 1]) / factor) - west
      if (x < 0 || y < 0 || x >= columns || y >= rows) continue
      bands[y * columns + x] = Math.max(present(bands[y * columns + x]), bandOf(present(cells[at + 2])) + 1)
    }
  }
  return bands
}

/** @param size tenths of a millimetre */
function bandOf(size: number): number {
  return radarBands.findLastIndex(({ from_in }) => size >= Math.round(from_in * TENTHS_PER_IN))
}

type Corner = [column: number, row: number]

/** East, south, west, north: the way around a cell with it on the right. */
const STEPS: Corner[] = [
  [1, 0],
  [0, 1],
  [-1, 0],
  [0, -1],
]

/** Outlines of the cells of one band: clockwise around them, the other way around holes, each area's own before its holes. */
function ringsOf(bands: Uint8Array, { columns, rows }: Window, band: number): Corner[][] {
  const rings: Corner[][] = []
  const done = new Uint8Array(bands.length)
  for (let at = 0; at < bands.length; at++) {
    if (bands[at] !== band || done[at]) continue
    rings.push(...outline(joined(bands, done, columns, rows, at), columns, at))
  }
  return rings
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

/** A corner of the window's cells in tile units, kept within the tile's edge. */
function cornerOf(column: number, row: number, { factor, west, north }: Window, tile: TileAddress): Ring {
  const scale = 2 ** (tile.z - WORLD_BITS) * EXTENT
  const longitude = WEST_EDGE + (west + column) * factor * CONUS.step
  const latitude = NORTH_EDGE - (north + row) * factor * CONUS.step
  const kept = (value: number) => Math.round(Math.min(EXTENT * (1 + EDGE), Math.max(-EXTENT * EDGE, value)))
  return { x: kept(worldX(longitude) * scale - tile.x * EXTENT), y: kept(worldY(latitude) * scale - tile.y * EXTENT) }
}
