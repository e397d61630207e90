import type { Polygon as GeoPolygon, MultiPolygon } from 'geojson'
import type { Position } from '#domain/geo/measure.ts'
import type { Polygon } from '#domain/geo/shape.ts'
import { present } from '#domain/kernel/present.ts'

export interface ParsedGeometry {
  geometry: GeoPolygon | MultiPolygon
  /** Only longitudes and latitudes. */
  polygons: Polygon[]
}

export const POSITIONS_MAX = 10_000
export const POLYGONS_MAX = 100
/** Three corners and the first one again. */
export const RING_MIN = 4
/** An edge this long, in degrees, runs the other way around the world. */
const HALF_A_TURN = 180

/** Reads the structure of a geometry, or returns a sentence that says what is wrong. The work is bounded by the limit on positions. */
export function parseGeometry(input: unknown): ParsedGeometry | string {
  const geometry = unwrap(input)
  if (!geometry) return 'The geometry must be a GeoJSON Polygon, MultiPolygon, or a Feature wrapping one.'
  const { type, coordinates } = geometry
  if (!isList(coordinates)) return 'The geometry has no coordinates.'
  const parts = type === 'Polygon' ? [coordinates] : coordinates
  if (parts.length > POLYGONS_MAX) return `The geometry has more than ${POLYGONS_MAX} polygons.`
  const nested = nestedLists(parts)
  if (typeof nested === 'string') return nested
  const polygons = readPolygons(nested)
  if (typeof polygons === 'string') return polygons
  return { geometry: { type, coordinates } as GeoPolygon | MultiPolygon, polygons }
}

function unwrap(input: unknown): { type: 'Polygon' | 'MultiPolygon'; coordinates: unknown } | null {
  if (!isObject(input)) return null
  const geometry = input.type === 'Feature' ? input.geometry : input
  if (!isObject(geometry)) return null
  const { type, coordinates } = geometry
  return type === 'Polygon' || type === 'MultiPolygon' ? { type, coordinates } : null
}

/** Checks the limits before anything else, without reading the content of a ring. */
function nestedLists(polygons: unknown[]): unknown[][][] | string {
  let positions = 0
  const nested: unknown[][][] = []
  for (const polygon of polygons) {
    if (!isList(polygon)) return NOT_NESTED
    const rings: unknown[][] = []
    nested.push(rings)
    for (const ring of polygon) {
      if (!isList(ring)) return NOT_NESTED
      rings.push(ring)
      positions += ring.length
      // Rings are limited too: thousands of empty ones would have no positions.
      if (positions > POSITIONS_MAX || polygon.length > POSITIONS_MAX)
        return `The geometry has more than ${POSITIONS_MAX.toLocaleString('en')} positions.`
    }
  }
  return nested
}

const NOT_NESTED = 'The coordinates are not nested as the type requires: polygons contain rings, rings contain positions.'

function readPolygons(polygons: unknown[][][]): Polygon[] | string {
  if (polygons.length === 0) return 'The geometry has no polygon.'
  const read: Polygon[] = []
  for (const polygon of polygons) {
    if (polygon.length === 0) return 'A polygon has no ring.'
    const rings: Polygon = []
    read.push(rings)
    for (const ring of polygon) {
      const positions = readRing(ring)
      if (typeof positions === 'string') return positions
      rings.push(positions)
    }
  }
  return read
}

function readRing(ring: unknown[]): Position[] | string {
  if (ring.length < RING_MIN) return 'A ring has fewer than four positions.'
  const positions: Position[] = []
  for (const position of ring) {
    if (!isPosition(position)) return 'A position is not a longitude and a latitude in numbers.'
    if (Math.abs(position[0]) > 180 || Math.abs(position[1]) > 90)
      return 'A position is out of range: longitudes go from -180 to 180, latitudes from -90 to 90, longitude first.'
    positions.push([position[0], position[1]])
  }
  const [first, last] = [present(positions[0]), present(positions.at(-1))]
  if (first[0] !== last[0] || first[1] !== last[1]) return 'A ring is not closed: its last position must be its first.'
  if (positions.some((position, index) => index > 0 && Math.abs(position[0] - present(positions[index - 1])[0]) >= HALF_A_TURN)) {
    return 'The geometry crosses the antimeridian, or has an edge half around the world: cut it at longitude 180.'
  }
  return positions
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value)
}

/** A third number is an elevation, which RFC 7946 allows and nothing here uses. */
function isPosition(value: unknown): value is [number, number] {
  return (
    isList(value) && (value.length === 2 || value.length === 3) && value.every((part) => typeof part === 'number' && Number.isFinite(part))
  )
}
