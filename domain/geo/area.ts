import { EARTH_RADIUS_MILES, type Point, type Position, roundCoordinate } from '#domain/geo/measure.ts'
import type { Polygon } from '#domain/geo/shape.ts'
import { present } from '#domain/kernel/present.ts'

/** Degrees. */
export interface Bounds {
  west: number
  south: number
  east: number
  north: number
}

const RADIANS = Math.PI / 180

/** Area on the sphere in square miles, without holes. Edges are straight in longitude and latitude. Exact: no edge is approximated. */
export function areaSqMiles(polygons: Polygon[]): number {
  return polygons.reduce((sum, polygon) => sum + polygonArea(polygon), 0)
}

/** Centroid, rounded as coordinates are. */
export function centreOf(polygons: Polygon[]): Point {
  // A sum of vectors: parts on both sides of the antimeridian average there, and not in Africa.
  const sum: [number, number, number] = [0, 0, 0]
  for (const polygon of polygons) {
    const weight = polygonArea(polygon)
    const { latitude, longitude } = planeCentre(polygon)
    const ring = Math.cos(latitude * RADIANS)
    sum[0] += weight * ring * Math.cos(longitude * RADIANS)
    sum[1] += weight * ring * Math.sin(longitude * RADIANS)
    sum[2] += weight * Math.sin(latitude * RADIANS)
  }
  const [x, y, z] = sum
  return { latitude: roundCoordinate(Math.atan2(z, Math.hypot(x, y)) / RADIANS), longitude: roundCoordinate(Math.atan2(y, x) / RADIANS) }
}

/** Bounding box in longitude and latitude, unrounded. */
export function boundsOf(polygons: Polygon[]): Bounds {
  const bounds = { west: 180, south: 90, east: -180, north: -90 }
  for (const [longitude, latitude] of polygons.flat(2)) {
    bounds.west = Math.min(bounds.west, longitude)
    bounds.east = Math.max(bounds.east, longitude)
    bounds.south = Math.min(bounds.south, latitude)
    bounds.north = Math.max(bounds.north, latitude)
  }
  return bounds
}

function polygonArea([outer, ...holes]: Polygon): number {
  return holes.reduce((area, hole) => area - ringArea(hole), ringArea(outer ?? []))
}

/**
 * The area between an edge and the equator is the edge's width times the mean sine of its latitudes. For a latitude
 * that changes evenly, that mean is sin(middle) * sin(half) / half.
 */
function ringArea(ring: Position[]): number {
  let sum = 0
  for (let index = 1; index < ring.length; index++) {
    const [from, to] = [present(ring[index - 1]), present(ring[index])]
    const half = ((to[1] - from[1]) / 2) * RADIANS
    const middle = ((to[1] + from[1]) / 2) * RADIANS
    sum += (to[0] - from[0]) * RADIANS * Math.sin(middle) * (half === 0 ? 1 : Math.sin(half) / half)
  }
  return Math.abs(sum) * EARTH_RADIUS_MILES ** 2
}

/** Centroid in the plane of longitudes and latitudes, without holes. */
function planeCentre(polygon: Polygon): Point {
  const [x0, y0] = present(present(polygon[0])[0])
  let [area, x, y] = [0, 0, 0]
  polygon.forEach((ring, place) => {
    const moments = ringMoments(ring, x0, y0)
    // An outer ring adds and a hole subtracts, whatever their direction.
    const sign = moments.area > 0 === (place === 0) ? 1 : -1
    area += sign * moments.area
    x += sign * moments.x
    y += sign * moments.y
  })
  return { longitude: x0 + x / (3 * area), latitude: y0 + y / (3 * area) }
}

/** Twice the signed area and six times its first moments about a point. */
function ringMoments(ring: Position[], x0: number, y0: number): { area: number; x: number; y: number } {
  let [area, x, y] = [0, 0, 0]
  for (let index = 1; index < ring.length; index++) {
    const [ax, ay] = [present(ring[index - 1])[0] - x0, present(ring[index - 1])[1] - y0]
    const [bx, by] = [present(ring[index])[0] - x0, present(ring[index])[1] - y0]
    const cross = ax * by - bx * ay
    area += cross
    x += (ax + bx) * cross
    y += (ay + by) * cross
  }
  return { area, x, y }
}
