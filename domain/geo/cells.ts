import { distanceMiles, EARTH_RADIUS_MILES, type Point, type Position, wrapLongitude } from '#domain/geo/measure.ts'
import { insideRing } from '#domain/geo/ring.ts'
import { present, tupleOf } from '#domain/kernel/present.ts'

/** The world in cells of 0.25 degrees: 17 miles high, which keeps a search of 10 miles within four to nine of them. */
export const CELLS_PER_DEGREE = 4
const ROWS = 180 * CELLS_PER_DEGREE
/** Cells of a row around the world. */
export const CELL_COLUMNS = 360 * CELLS_PER_DEGREE

const RADIANS = Math.PI / 180
/** Degrees (1 cm) added around a circle, so that rounding never loses a cell that the circle just reaches. */
const CIRCLE_MARGIN = 1e-7
/**
 * Degrees added around a line. Distance measurements treat a record's line as straight in a plane centred on the place; here it
 * follows the great circle. Over the longest known paths the two differ by at most 0.001 degrees.
 */
const LINE_MARGIN = 0.005

/** Cell of a point, as a whole number below 1,036,800: row * 1440 + column, from the south-west. */
export function cellOf(latitude: number, longitude: number): number {
  return rowOf(latitude) * CELL_COLUMNS + columnOf(longitude)
}

/** The middle of a cell. */
export function cellCentre(cell: number): Point {
  const half = 0.5 / CELLS_PER_DEGREE
  return { latitude: southOf(Math.floor(cell / CELL_COLUMNS)) + half, longitude: westOf(cell) + half }
}

/** Every cell that a circle touches, also across the antimeridian and the poles; it may include a cell that the circle just misses. */
export function cellsWithin(latitude: number, longitude: number, radius_miles: number): number[] {
  const reach = radius_miles / EARTH_RADIUS_MILES
  const margin = reach / RADIANS + CIRCLE_MARGIN
  const south = latitude - margin
  const north = latitude + margin
  const cells: number[] = []
  for (let row = rowOf(south); row <= rowOf(north); row++) {
    const half = halfWidth(latitude, reach, Math.max(south, southOf(row)), Math.min(north, southOf(row + 1)))
    pushColumns(cells, row, longitude - half - CIRCLE_MARGIN, longitude + half + CIRCLE_MARGIN)
  }
  return cells
}

/** Miles subtracted from a radius before a cell counts as inside: far more than two ways of measuring ever differ. */
const INSIDE_MARGIN = 0.001

/** Whether all of a cell lies within a circle; the farthest point of a cell is a corner. */
export function isInside(cell: number, latitude: number, longitude: number, radius_miles: number): boolean {
  const south = southOf(Math.floor(cell / CELL_COLUMNS))
  const west = westOf(cell)
  const side = 1 / CELLS_PER_DEGREE
  const reach = radius_miles - INSIDE_MARGIN
  return [south, south + side].every((lat) => [west, west + side].every((lon) => distanceMiles(latitude, longitude, lat, lon) <= reach))
}

/** Every cell that a line through the positions touches. One position is a point. */
export function cellsOfPath(positions: Position[]): number[] {
  const cells = new Set<number>()
  positions.forEach((position, index) => {
    const next = positions[index + 1]
    if (next) addSegment(cells, position, next)
    else if (positions.length === 1) cells.add(cellOf(position[1], position[0]))
  })
  return [...cells]
}

/** Every cell that an area touches, on its edge or inside. The ring may be open or closed; fewer than three positions are a line. */
export function cellsOfArea(ring: Position[]): number[] {
  const first = ring[0]
  if (!first || ring.length < 3) return cellsOfPath(ring)
  const edge = new Set(cellsOfPath([...ring, first]))
  const flat = unwrap(ring)
  const columnOf = (longitude: number) => Math.floor(longitude * CELLS_PER_DEGREE)
  const longitudes = flat.map(([longitude]) => longitude)
  const latitudes = flat.map(([, latitude]) => latitude)
  const [west, east] = [columnOf(Math.min(...longitudes)), columnOf(Math.max(...longitudes))]
  const [south, north] = [rowOf(Math.min(...latitudes)), rowOf(Math.max(...latitudes))]
  for (let row = south; row <= north; row++) {
    for (let column = west; column <= east; column++) {
      const latitude = southOf(row) + 0.5 / CELLS_PER_DEGREE
      const longitude = (column + 0.5) / CELLS_PER_DEGREE
      // A cell that no edge touches lies wholly inside or wholly outside: its centre decides.
      if (insideRing(longitude, latitude, flat)) edge.add(cellOf(latitude, longitude))
    }
  }
  return [...edge]
}

/** Adds the cells of a great-circle segment, in pieces shorter than a cell. */
function addSegment(cells: Set<number>, from: Position, to: Position): void {
  const ends = [vectorOf(from), vectorOf(to)] as const
  const turn = Math.abs(wrapLongitude(to[0] - from[0]))
  const pieces = Math.max(1, Math.ceil(Math.max(turn, Math.abs(to[1] - from[1])) * CELLS_PER_DEGREE))
  let last = from
  for (let piece = 1; piece <= pieces; piece++) {
    const next = piece === pieces ? to : between(ends[0], ends[1], piece / pieces)
    const eastward = wrapLongitude(next[0] - last[0])
    const west = Math.min(last[0], last[0] + eastward) - LINE_MARGIN
    const east = Math.max(last[0], last[0] + eastward) + LINE_MARGIN
    const north = Math.max(last[1], next[1]) + LINE_MARGIN
    const touched: number[] = []
    for (let row = rowOf(Math.min(last[1], next[1]) - LINE_MARGIN); row <= rowOf(north); row++) pushColumns(touched, row, west, east)
    for (const cell of touched) cells.add(cell)
    last = next
  }
}

/** Largest difference in longitude, degrees, between the centre and the part of the circle between two latitudes. */
function halfWidth(latitude: number, reach: number, south: number, north: number): number {
  const centre = latitude * RADIANS
  if (Math.abs(centre) + reach >= Math.PI / 2 - CIRCLE_MARGIN) return 180
  const widest = Math.asin(Math.sin(centre) / Math.cos(reach))
  const at = Math.min(Math.max(widest, south * RADIANS), north * RADIANS)
  const cosine = (Math.cos(reach) - Math.sin(centre) * Math.sin(at)) / (Math.cos(centre) * Math.cos(at))
  return Math.acos(Math.min(1, Math.max(-1, cosine))) / RADIANS
}

function pushColumns(cells: number[], row: number, west: number, east: number): void {
  const first = Math.floor(west * CELLS_PER_DEGREE)
  const last = Math.min(Math.floor(east * CELLS_PER_DEGREE), first + CELL_COLUMNS - 1)
  for (let column = first; column <= last; column++) cells.push(row * CELL_COLUMNS + columnOf((column + 0.5) / CELLS_PER_DEGREE))
}

/** Makes longitudes continuous, without the jump at the antimeridian. */
function unwrap(ring: Position[]): Position[] {
  let last = ring[0]?.[0] ?? 0
  return ring.map(([longitude, latitude]) => {
    last += wrapLongitude(longitude - last)
    return [last, latitude]
  })
}

type Vector = readonly [number, number, number]

function vectorOf([longitude, latitude]: Position): Vector {
  const ring = Math.cos(latitude * RADIANS)
  return [ring * Math.cos(longitude * RADIANS), ring * Math.sin(longitude * RADIANS), Math.sin(latitude * RADIANS)]
}

/** A point on the chord between two places, projected to the ground: it lies on their great circle. */
function between(from: Vector, to: Vector, share: number): Position {
  const [x, y, z] = tupleOf(
    from.map((part, axis) => part + (present(to[axis]) - part) * share),
    3,
  )
  return [Math.atan2(y, x) / RADIANS, Math.atan2(z, Math.hypot(x, y)) / RADIANS]
}

function rowOf(latitude: number): number {
  return Math.min(ROWS - 1, Math.max(0, Math.floor((latitude + 90) * CELLS_PER_DEGREE)))
}

function columnOf(longitude: number): number {
  return Math.floor((wrapLongitude(longitude) + 180) * CELLS_PER_DEGREE) % CELL_COLUMNS
}

function southOf(row: number): number {
  return row / CELLS_PER_DEGREE - 90
}

function westOf(cell: number): number {
  return (cell % CELL_COLUMNS) / CELLS_PER_DEGREE - 180
}
