import { CONUS } from '#domain/archive/radar/grid.ts'
import type { Position } from '#domain/geo/measure.ts'
import { present } from '#domain/kernel/present.ts'
import { type Corner, outlinesOf } from '#domain/maps/outlines.ts'
import { swathBands } from '#domain/weather/swath-bands.ts'

/** The area where the largest radar estimate of hail was in one band. */
export interface Swath {
  /** Inches, inclusive. */
  from_in: number
  /** Inches, exclusive; null for the largest band. */
  to_in: number | null
  /** Areas as in GeoJSON (RFC 7946): the outline counterclockwise, then its holes. */
  polygons: Position[][][]
}

const TENTHS_PER_IN = 254
/** Edges of grid cells are at whole hundredths of a degree. */
const CELLS_PER_DEGREE = 100
const WEST_CELLS = Math.round((CONUS.west - CONUS.step / 2) * CELLS_PER_DEGREE)
const NORTH_CELLS = Math.round((CONUS.north + CONUS.step / 2) * CELLS_PER_DEGREE)

/**
 * Returns the swaths of a day, the smallest first: the cells of each band as they are, unsmoothed, so that what is true of a cell's middle
 * is true of its swath.
 * @param parts row and column in the grid and tenths of a millimetre: three numbers per cell; each cell once
 */
export function swathsOf(parts: Uint16Array[]): Swath[] {
  const window = windowAround(parts)
  if (!window) return []
  const bands = new Uint8Array(window.columns * window.rows)
  for (const cells of parts) {
    for (let at = 0; at < cells.length; at += 3) {
      const band = swathBandOf(present(cells[at + 2]))
      if (band > 0) bands[(present(cells[at]) - window.north) * window.columns + present(cells[at + 1]) - window.west] = band
    }
  }
  const outlines = outlinesOf(bands, window)
  return swathBands.flatMap((from_in, index) => {
    const areas = outlines.get(index + 1)
    if (!areas) return []
    const polygons = areas.map((rings) => rings.map((ring) => ring.map((corner) => positionOf(corner, window)).reverse()))
    return [{ from_in, to_in: swathBands[index + 1] ?? null, polygons }]
  })
}

/** Returns the band of a size, counted from 1; 0 if it is in none. @param tenths of a millimetre */
export function swathBandOf(tenths: number): number {
  let band = edges.length
  while (band > 0 && tenths < present(edges[band - 1])) band--
  return band
}

/** Tenths of a millimetre. */
const edges = swathBands.map((from_in) => from_in * TENTHS_PER_IN)
const LEAST_TENTHS = Math.min(...edges)

/** Whether a size is in any band. @param tenths of a millimetre */
export const isInSwath = (tenths: number) => tenths >= LEAST_TENTHS

interface Window {
  north: number
  west: number
  rows: number
  columns: number
}

/** Returns the part of the grid with hail of any band; null if there is none. */
function windowAround(parts: Uint16Array[]): Window | null {
  let [north, south, west, east] = [Infinity, -Infinity, Infinity, -Infinity]
  for (const cells of parts) {
    for (let at = 0; at < cells.length; at += 3) {
      if (!isInSwath(present(cells[at + 2]))) continue
      const [row, column] = [present(cells[at]), present(cells[at + 1])]
      north = Math.min(north, row)
      south = Math.max(south, row)
      west = Math.min(west, column)
      east = Math.max(east, column)
    }
  }
  return south < north ? null : { north, west, rows: south - north + 1, columns: east - west + 1 }
}

function positionOf([column, row]: Corner, { north, west }: Window): Position {
  return [(WEST_CELLS + west + column) / CELLS_PER_DEGREE, (NORTH_CELLS - north - row) / CELLS_PER_DEGREE]
}
