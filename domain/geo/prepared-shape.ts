import type { Polygon as GeoPolygon, MultiPolygon } from 'geojson'
import type { Bounds } from '#domain/geo/area.ts'
import type { Position } from '#domain/geo/measure.ts'
import { polygonsOf } from '#domain/geo/shape.ts'
import { present } from '#domain/kernel/present.ts'

/**
 * A shape indexed for many queries: its edges as flat numbers, grouped by the latitude bands that they cross, so that a
 * point is compared with only a few of them. Edges are straight in longitude and latitude (GeoJSON, RFC 7946).
 */
export interface PreparedShape {
  bounds: Bounds
  /** x1, y1, x2, y2 of each edge, including holes: a point is inside if an odd number of edges is to its east. */
  edges: Float64Array
  /** Start of each band in `offsets`, plus the end of the last one. */
  starts: Int32Array
  /** Offsets into `edges`, by band. */
  offsets: Int32Array
  bands_per_degree: number
}

/** Target number of edges in a band: fewer bands need more comparisons, more bands list an edge many times. */
const EDGES_PER_BAND = 4
const BANDS_MAX = 4096
/** The most bands that list an edge, on average: 10,000 edges from end to end of a shape would take a hundred megabytes in every band. */
const LISTINGS_PER_EDGE = 16

/** @param geometry a Polygon or MultiPolygon, or its JSON text */
export function prepareShape(geometry: GeoPolygon | MultiPolygon | string): PreparedShape {
  const shape: GeoPolygon | MultiPolygon = typeof geometry === 'string' ? JSON.parse(geometry) : geometry
  const rings = polygonsOf(shape).flat()
  const edges = edgesOf(rings)
  const bounds = boundsOf(edges)
  const bands = numberOfBands(edges, bounds)
  const bands_per_degree = bands / Math.max(bounds.north - bounds.south, Number.MIN_VALUE)
  return { bounds, edges, bands_per_degree, ...groupEdges(edges, bands, bounds.south, bands_per_degree) }
}

/** Fewer for a shape of long edges: each would be listed in most of them. */
function numberOfBands(edges: Float64Array, { south, north }: Bounds): number {
  const bands = Math.min(BANDS_MAX, Math.max(1, Math.floor(edges.length / 4 / EDGES_PER_BAND)))
  let heights = 0
  for (let at = 0; at < edges.length; at += 4) heights += Math.abs(present(edges[at + 3]) - present(edges[at + 1]))
  // No edge, or all of them along one latitude.
  if (heights === 0) return 1
  const edgesAtOneLatitude = heights / (north - south)
  return Math.max(1, Math.min(bands, Math.floor((LISTINGS_PER_EDGE * edges.length) / 4 / edgesAtOneLatitude)))
}

/** Whether a point is inside. */
export function containsPoint(shape: PreparedShape, longitude: number, latitude: number): boolean {
  const { bounds, edges, starts, offsets } = shape
  if (longitude < bounds.west || longitude > bounds.east || latitude < bounds.south || latitude > bounds.north) return false
  const band = bandOf(latitude, bounds.south, shape.bands_per_degree, starts.length - 1)
  let inside = false
  for (let place = present(starts[band]); place < present(starts[band + 1]); place++) {
    const at = present(offsets[place])
    const y1 = present(edges[at + 1])
    const y2 = present(edges[at + 3])
    if (y1 > latitude === y2 > latitude) continue
    const x1 = present(edges[at])
    if (longitude < x1 + ((latitude - y1) / (y2 - y1)) * (present(edges[at + 2]) - x1)) inside = !inside
  }
  return inside
}

/** Whether a line touches the shape: one of its positions is inside, or it crosses an edge. One position is a point. */
export function intersectsPath(shape: PreparedShape, positions: readonly Position[]): boolean {
  if (positions.some(([longitude, latitude]) => containsPoint(shape, longitude, latitude))) return true
  return positions.some((position, place) => place > 0 && crosses(shape, present(positions[place - 1]), position))
}

/** Whether an area touches the shape: they cross, or one is inside the other. The ring may be open or closed. */
export function intersectsArea(shape: PreparedShape, ring: readonly Position[]): boolean {
  const [first] = ring
  if (!first) return false
  if (intersectsPath(shape, [...ring, first])) return true
  const { edges, offsets } = shape
  const prepared = prepareShape({ type: 'Polygon', coordinates: [[...ring, first]] })
  const [from, until] = listingsBetween(shape, prepared.bounds.south, prepared.bounds.north)
  for (let place = from; place < until; place++) {
    const at = present(offsets[place])
    if (containsPoint(prepared, present(edges[at]), present(edges[at + 1]))) return true
  }
  return false
}

/** Returns where in `offsets` the edges that may reach between two latitudes begin and end; an edge in several bands is listed in each. */
function listingsBetween({ bounds, starts, bands_per_degree }: PreparedShape, south: number, north: number): [from: number, until: number] {
  const bands = starts.length - 1
  const [first, last] = [bandOf(south, bounds.south, bands_per_degree, bands), bandOf(north, bounds.south, bands_per_degree, bands)]
  return [present(starts[first]), present(starts[last + 1])]
}

function edgesOf(rings: readonly Position[][]): Float64Array {
  const flat: number[] = []
  for (const ring of rings) {
    ring.forEach(([x, y], place) => {
      const before = present(ring[place === 0 ? ring.length - 1 : place - 1])
      if (before[0] !== x || before[1] !== y) flat.push(before[0], before[1], x, y)
    })
  }
  return Float64Array.from(flat)
}

function boundsOf(edges: Float64Array): Bounds {
  const bounds = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity }
  for (let at = 0; at < edges.length; at += 2) {
    bounds.west = Math.min(bounds.west, present(edges[at]))
    bounds.east = Math.max(bounds.east, present(edges[at]))
    bounds.south = Math.min(bounds.south, present(edges[at + 1]))
    bounds.north = Math.max(bounds.north, present(edges[at + 1]))
  }
  return bounds
}

function bandOf(latitude: number, south: number, bands_per_degree: number, bands: number): number {
  return Math.min(bands - 1, Math.max(0, Math.floor((latitude - south) * bands_per_degree)))
}

/** Sorts the edges by the bands that they cross (counting sort). */
function groupEdges(edges: Float64Array, bands: number, south: number, bands_per_degree: number) {
  const starts = new Int32Array(bands + 1)
  const span = (at: number) => {
    const [one, other] = [present(edges[at + 1]), present(edges[at + 3])]
    return [
      bandOf(Math.min(one, other), south, bands_per_degree, bands),
      bandOf(Math.max(one, other), south, bands_per_degree, bands),
    ] as const
  }
  for (let at = 0; at < edges.length; at += 4) {
    const [low, high] = span(at)
    for (let band = low; band <= high; band++) starts[band + 1] = present(starts[band + 1]) + 1
  }
  for (let band = 0; band < bands; band++) starts[band + 1] = present(starts[band + 1]) + present(starts[band])
  const next = starts.slice()
  const offsets = new Int32Array(present(starts[bands]))
  for (let at = 0; at < edges.length; at += 4) {
    const [low, high] = span(at)
    for (let band = low; band <= high; band++) {
      const place = present(next[band])
      offsets[place] = at
      next[band] = place + 1
    }
  }
  return { starts, offsets }
}

/** Whether a segment crosses an edge: the ends of each are on both sides of the other. */
function crosses(shape: PreparedShape, [ax, ay]: Position, [bx, by]: Position): boolean {
  const { bounds, edges, offsets } = shape
  if (
    Math.max(ax, bx) < bounds.west ||
    Math.min(ax, bx) > bounds.east ||
    Math.max(ay, by) < bounds.south ||
    Math.min(ay, by) > bounds.north
  )
    return false
  const [from, until] = listingsBetween(shape, Math.min(ay, by), Math.max(ay, by))
  const [west, east] = [Math.min(ax, bx), Math.max(ax, bx)]
  for (let place = from; place < until; place++) {
    const at = present(offsets[place])
    const x1 = present(edges[at])
    const x2 = present(edges[at + 2])
    // Most edges at these latitudes are far away.
    if ((x1 < west && x2 < west) || (x1 > east && x2 > east)) continue
    const y1 = present(edges[at + 1])
    const y2 = present(edges[at + 3])
    const side = (x: number, y: number) => (bx - ax) * (y - ay) - (by - ay) * (x - ax)
    const across = (x: number, y: number) => (x2 - x1) * (y - y1) - (y2 - y1) * (x - x1)
    if (side(x1, y1) > 0 !== side(x2, y2) > 0 && across(ax, ay) > 0 !== across(bx, by) > 0) return true
  }
  return false
}
