import { CONUS } from '#domain/archive/radar/grid.ts'
import { present } from '#domain/kernel/present.ts'
import { boxOf, EDGE, EXTENT, type TileAddress, WORLD_BITS, worldX, worldY } from '#domain/maps/mercator.ts'
import { outlinesOf } from '#domain/maps/outlines.ts'
import { cellSideAt, type RadarDay } from '#domain/maps/radar-cells.ts'
import { radarBands } from '#domain/weather/radar-bands.ts'
import type { RecordSource } from '#domain/weather/sources.ts'

const TENTHS_PER_IN = 254

export interface Ring {
  x: number
  y: number
}

/** The area of a day where the largest hail was in a band: rings in tile units, each outer ring before its holes. */
export interface BandArea {
  day: string
  source: RecordSource
  /** Index in `radarBands`. */
  band: number
  rings: Ring[][]
}

/** Bytes of a tile that radar may take: it needs the most, and the records have priority. */
export const RADAR_BYTES_MAX = 200_000
/** Approximate bytes per corner of an outline, and further bytes per area. */
const CORNER_BYTES = 4
const AREA_BYTES = 40
/** Areas beyond the byte limit are dropped once there are this many times too many, and at the end. */
const TRIM_FACTOR = 4

/**
 * Returns the bands of the days in a tile: the largest bands of the newest days, as far as the byte limit allows.
 * @param days newest first
 */
export async function bandAreas(days: AsyncIterable<RadarDay>, tile: TileAddress): Promise<BandArea[]> {
  const window = windowOf(tile)
  const corners = cornersOf(window, tile)
  let areas: BandArea[] = []
  let bytes = 0
  // Later days have no room for bands up to this one: they are older than a band of the same size that had no room.
  let crowdedBand = -1
  for await (const { day, source, parts } of days) {
    const outlines = outlinesOf(bandsInWindow(parts, window, crowdedBand), window)
    for (const [nth, shapes] of outlines) {
      const rings = shapes
        .flat()
        .map((ring) => ring.map(([column, row]) => ({ x: present(corners.x[column]), y: present(corners.y[row]) })))
      areas.push({ day, source, band: nth - 1, rings })
      bytes += bytesOf(rings)
    }
    if (bytes < RADAR_BYTES_MAX * TRIM_FACTOR) continue
    const count = countWithinBudget(areas)
    crowdedBand = areas[count]?.band ?? crowdedBand
    areas = areas.slice(0, count)
    bytes = areas.reduce((sum, { rings }) => sum + bytesOf(rings), 0)
  }
  return areas.slice(0, countWithinBudget(areas))
}

/** Sorts areas by priority, and counts those that fit. */
function countWithinBudget(areas: BandArea[]): number {
  areas.sort((one, other) => other.band - one.band || other.day.localeCompare(one.day))
  let left = RADAR_BYTES_MAX
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
  /** Grid cells along the side of a cell as drawn: a power of two. */
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

/**
 * Returns the band of each cell of the window, counted from 1; 0 without hail, or without hail of a band above `crowded`. A cell that stands
 * for several has the largest band of them.
 */
function bandsInWindow(parts: Uint16Array[], { factor, west, north, columns, rows }: Window, crowded: number): Uint8Array {
  const bands = new Uint8Array(columns * rows)
  const bits = Math.log2(factor)
  for (const cells of parts) {
    for (let at = 0; at < cells.length; at += 3) {
      const y = (present(cells[at]) >> bits) - north
      const x = (present(cells[at + 1]) >> bits) - west
      if (x < 0 || y < 0 || x >= columns || y >= rows) continue
      const band = present(bandBySize[present(cells[at + 2])])
      const place = y * columns + x
      if (band > crowded && band >= present(bands[place])) bands[place] = band + 1
    }
  }
  return bands
}

/** The band of every size that two bytes can have, in tenths of a millimetre: a lookup table for each of a tile's thousands of cells. */
const bandBySize = new Uint8Array(2 ** 16)
for (const [band, { from_in }] of radarBands.entries()) bandBySize.fill(band, Math.round(from_in * TENTHS_PER_IN))

/** Returns the columns and rows of corners of the window's cells in tile units, limited to the tile's edge. */
function cornersOf({ factor, west, north, columns, rows }: Window, tile: TileAddress): { x: number[]; y: number[] } {
  const scale = 2 ** (tile.z - WORLD_BITS) * EXTENT
  const clamp = (value: number) => Math.round(Math.min(EXTENT * (1 + EDGE), Math.max(-EXTENT * EDGE, value)))
  const xAt = (column: number) => clamp(worldX(WEST_EDGE + (west + column) * factor * CONUS.step) * scale - tile.x * EXTENT)
  const yAt = (row: number) => clamp(worldY(NORTH_EDGE - (north + row) * factor * CONUS.step) * scale - tile.y * EXTENT)
  return { x: Array.from({ length: columns + 1 }, (_, at) => xAt(at)), y: Array.from({ length: rows + 1 }, (_, at) => yAt(at)) }
}
