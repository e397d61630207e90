import type { FrameCell } from '#domain/archive/radar/frame.ts'
import { centreOf } from '#domain/archive/radar/grid.ts'
import { cellOf } from '#domain/geo/cells.ts'
import { distanceMiles, EARTH_RADIUS_MILES } from '#domain/geo/measure.ts'
import { present } from '#domain/kernel/present.ts'

/** Grid cells by search cell, to compare watches with one after the other. */
export interface Reach<Cell extends FrameCell> {
  cells: Cell[]
  latitudes: Float64Array
  longitudes: Float64Array
  /** 1 for each cell that a watch reached. */
  reached: Uint8Array
  patches: Map<number, Patch>
}

/** The grid cells of one search cell: the box around their centres, in degrees, and the indexes of those that no watch reached yet. */
interface Patch {
  south: number
  north: number
  west: number
  east: number
  left: number[]
}

/** A watch in one of the search cells that it reaches. A territory's watch has no point, since its shape decides later. */
export interface WatchInCell {
  cell: number
  latitude: number | null
  longitude: number | null
  radius_miles: number | null
}

/** Miles per degree along a meridian. */
const MILES_PER_DEGREE = (EARTH_RADIUS_MILES * Math.PI) / 180

/** Groups grid cells that no watch has reached yet. */
export function groupByCell<Cell extends FrameCell>(cells: Cell[]): Reach<Cell> {
  const centres = cells.map(centreOf)
  const patches = new Map<number, Patch>()
  for (const [place, { latitude, longitude }] of centres.entries()) {
    const cell = cellOf(latitude, longitude)
    const patch = patches.get(cell) ?? { south: latitude, north: latitude, west: longitude, east: longitude, left: [] }
    patches.set(cell, patch)
    patch.south = Math.min(patch.south, latitude)
    patch.north = Math.max(patch.north, latitude)
    patch.west = Math.min(patch.west, longitude)
    patch.east = Math.max(patch.east, longitude)
    patch.left.push(place)
  }
  return {
    cells,
    latitudes: Float64Array.from(centres, ({ latitude }) => latitude),
    longitudes: Float64Array.from(centres, ({ longitude }) => longitude),
    reached: new Uint8Array(cells.length),
    patches,
  }
}

/**
 * Marks the cells that a watch reaches: for a property, those whose centres are within its radius; for a territory, its
 * whole search cell.
 */
export function mark({ latitudes, longitudes, reached, patches }: Reach<FrameCell>, watch: WatchInCell): void {
  const patch = patches.get(watch.cell)
  if (!patch) return
  let left = 0
  for (const place of patch.left) {
    if (reaches(watch, present(latitudes[place]), present(longitudes[place]))) reached[place] = 1
    else patch.left[left++] = place
  }
  patch.left.length = left
}

function reaches({ latitude, longitude, radius_miles }: WatchInCell, cell_latitude: number, cell_longitude: number): boolean {
  if (latitude === null || longitude === null || radius_miles === null) return true
  // Compares latitudes first, so that the distance is computed only for near cells.
  if (Math.abs(cell_latitude - latitude) * MILES_PER_DEGREE > radius_miles) return false
  return distanceMiles(latitude, longitude, cell_latitude, cell_longitude) <= radius_miles
}

/** Whether watches reached every cell, so that no further watch has to be read. */
export function isAllReached({ patches }: Reach<FrameCell>): boolean {
  return [...patches.values()].every(({ left }) => left.length === 0)
}

/** Returns the cells that a watch reached, in order. */
export function reachedOf<Cell extends FrameCell>({ cells, reached }: Reach<Cell>): Cell[] {
  return cells.filter((_, place) => reached[place] === 1)
}
