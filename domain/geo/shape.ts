import type { Polygon as GeoPolygon, MultiPolygon } from 'geojson'
import { EARTH_RADIUS_MILES, type Point, type Position } from '#domain/geo/measure.ts'
import { insideRing } from '#domain/geo/ring.ts'
import { present } from '#domain/kernel/present.ts'

/** Distance and direction to the nearest part of a shape. */
export interface Nearness {
  miles: number
  /** Clockwise from north; 0 if the shape contains the place. */
  bearing_degrees: number
}

/** Outer ring first, then holes; rings open or closed. */
export type Polygon = Position[][]

/** The polygons of either kind of geometry. The cast is needed because GeoJSON's types allow any number of values in a position. */
export function polygonsOf({ type, coordinates }: GeoPolygon | MultiPolygon): Polygon[] {
  return (type === 'Polygon' ? [coordinates] : coordinates) as Polygon[]
}

const RADIANS = Math.PI / 180

/** Nearest part of a line, in the azimuthal equidistant plane of the place. One position is a point; no positions are infinitely far. */
export function distanceToPath(place: Point, positions: Position[]): Nearness {
  return nearestOf(project(place, positions))
}

/** Nearest part of an area, 0 inside. The ring may be open or closed; fewer than three positions are a line. */
export function distanceToArea(place: Point, ring: Position[]): Nearness {
  const flat = project(place, ring)
  if (flat.length < 3) return nearestOf(flat)
  if (insideRing(0, 0, flat)) return { miles: 0, bearing_degrees: 0 }
  return nearestOf(closeRing(flat))
}

/** Whether a circle touches a polygon: its centre is inside, or an edge is within the radius. */
export function circleIntersectsPolygon(centre: Point, radius_miles: number, polygon: Polygon): boolean {
  const rings = polygon.map((ring) => project(centre, ring))
  const inside = rings.reduce((odd, ring) => odd !== insideRing(0, 0, ring), false)
  return inside || rings.some((ring) => nearestOf(closeRing(ring)).miles <= radius_miles)
}

/** Whether a point is in a polygon whose edges are straight in longitude and latitude (GeoJSON, RFC 7946). */
export function pointInPolygon(point: Point, polygon: Polygon): boolean {
  return polygon.reduce((odd, ring) => odd !== insideRing(point.longitude, point.latitude, ring), false)
}

type Flat = [number, number]

/**
 * Azimuthal equidistant projection, miles east and north of the centre: distances and directions from the centre are
 * true (Snyder, Map Projections, 1987, eq. 22-4, 22-5, 25-2).
 */
function project(centre: Point, positions: Position[]): Flat[] {
  const sine = Math.sin(centre.latitude * RADIANS)
  const cosine = Math.cos(centre.latitude * RADIANS)
  return positions.map(([longitude, latitude]) => {
    const turn = (longitude - centre.longitude) * RADIANS
    const up = Math.sin(latitude * RADIANS)
    const along = Math.cos(latitude * RADIANS)
    const east = along * Math.sin(turn)
    const north = cosine * up - sine * along * Math.cos(turn)
    const toward = sine * up + cosine * along * Math.cos(turn)
    const sineOfArc = Math.hypot(east, north)
    const scale = sineOfArc === 0 ? 1 : Math.atan2(sineOfArc, toward) / sineOfArc
    return [EARTH_RADIUS_MILES * scale * east, EARTH_RADIUS_MILES * scale * north]
  })
}

function closeRing(ring: Flat[]): Flat[] {
  return ring[0] ? [...ring, ring[0]] : ring
}

/** Nearest point of a line to the origin. */
function nearestOf(line: Flat[]): Nearness {
  let square = Number.POSITIVE_INFINITY
  let nearest: Flat = [0, 0]
  for (let index = 0; index < line.length; index++) {
    const at = nearestOnSegment(present(line[Math.max(0, index - 1)]), present(line[index]))
    const here = at[0] * at[0] + at[1] * at[1]
    if (here < square) {
      square = here
      nearest = at
    }
  }
  const bearing = Math.atan2(nearest[0], nearest[1]) / RADIANS
  return { miles: Math.sqrt(square), bearing_degrees: (bearing + 360) % 360 }
}

function nearestOnSegment(from: Flat, to: Flat): Flat {
  const east = to[0] - from[0]
  const north = to[1] - from[1]
  const length = east * east + north * north
  if (length === 0) return from
  const share = Math.min(1, Math.max(0, -(from[0] * east + from[1] * north) / length))
  return [from[0] + share * east, from[1] + share * north]
}
