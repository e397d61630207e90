import { bearingDegrees, distanceMiles, EARTH_RADIUS_MILES, type Point, type Position, roundCoordinate } from '#domain/geo/measure.ts'
import { type Polygon, pointInPolygon } from '#domain/geo/shape.ts'
import { present } from '#domain/kernel/present.ts'

const RADIANS = Math.PI / 180
/** Degrees between two corners of a circle's polygon: the polygon is within 0.02 % of the radius of the circle. */
const STEP = 2
/** Centres closer than a metre, the precision of coordinates, count as one. */
const SAME_MILES = 0.0006

/** An arc of a circle, as bearings from its centre in degrees: clockwise from `from` to `to`. */
interface Arc {
  centre: Point
  from: number
  to: number
}

/**
 * The union of circles of the same radius on the ground, as polygons with counterclockwise outer rings (RFC 7946); corners lie
 * on the circles. Null if a circle contains a pole or crosses the antimeridian.
 */
export function uniteCircles(centres: Point[], radius_miles: number): Polygon[] | null {
  const reach = radius_miles / EARTH_RADIUS_MILES
  if (centres.some((centre) => leavesTheMap(centre, reach))) return null
  const apart = centres.filter((centre, index) => !centres.slice(0, index).some((other) => milesBetween(centre, other) < SAME_MILES))
  const rings = chain(
    apart.flatMap((centre) => openArcs(centre, apart, reach)),
    reach,
  ).map(tidy)
  const outers = rings.filter((ring) => turn(ring) < 0).map((ring) => ring.reverse())
  const holes = rings.filter((ring) => !outers.includes(ring)).map((ring) => ring.reverse())
  return outers.map((outer) => [outer, ...holes.filter((hole) => isHoleOf(hole, outer, outers))])
}

function leavesTheMap({ latitude, longitude }: Point, reach: number): boolean {
  if (Math.abs(latitude) * RADIANS + reach >= Math.PI / 2) return true
  const half = Math.asin(Math.sin(reach) / Math.cos(latitude * RADIANS)) / RADIANS
  return longitude - half < -180 || longitude + half > 180
}

function milesBetween(a: Point, b: Point): number {
  return distanceMiles(a.latitude, a.longitude, b.latitude, b.longitude)
}

/** The parts of a circle's edge that are in no other circle. */
function openArcs(centre: Point, centres: Point[], reach: number): Arc[] {
  const covered = centres.flatMap((other) => (other === centre ? [] : coveredBy(centre, other, reach))).sort((a, b) => a[0] - b[0])
  const arcs: Arc[] = []
  let end = 0
  for (const [from, to] of covered) {
    if (from > end) arcs.push({ centre, from: end, to: from })
    end = Math.max(end, to)
  }
  if (end < 360) arcs.push({ centre, from: end, to: 360 })
  const [first, last] = [arcs[0], arcs.at(-1)]
  if (!first || !last || first === last || first.from > 0 || last.to < 360) return arcs
  // The first and the last arc are one, which runs through north.
  return [...arcs.slice(1, -1), { centre, from: last.from, to: 360 + first.to }]
}

/**
 * The bearings between which one circle's edge lies inside another of the same radius, split at north: cos(half) =
 * tan(half the distance) / tan(radius), Napier's rule for the right triangle of a centre, the middle and a meeting point.
 */
function coveredBy(centre: Point, other: Point, reach: number): [from: number, to: number][] {
  const half_way = milesBetween(centre, other) / EARTH_RADIUS_MILES / 2
  if (half_way >= reach) return []
  const half = Math.acos(Math.tan(half_way) / Math.tan(reach)) / RADIANS
  const toward = bearingDegrees(centre.latitude, centre.longitude, other.latitude, other.longitude)
  const from = (toward - half + 360) % 360
  const to = from + 2 * half
  return to > 360
    ? [
        [from, 360],
        [0, to - 360],
      ]
    : [[from, to]]
}

/** Joins arcs into rings: each starts at the end of the one before. */
function chain(arcs: Arc[], reach: number): Position[][] {
  const open = arcs.map((arc) => ({ positions: trace(arc, reach) }))
  const rings: Position[][] = []
  while (open.length > 0) {
    const first = present(open.pop())
    const ring = [...first.positions]
    for (;;) {
      const end = present(ring.at(-1))
      const next = [first, ...open].reduce((best, arc) => (gap(end, arc) < gap(end, best) ? arc : best))
      if (next === first) break
      open.splice(open.indexOf(next), 1)
      ring.push(...next.positions.slice(1))
    }
    rings.push(ring)
  }
  return rings
}

function gap([longitude, latitude]: Position, { positions }: { positions: Position[] }): number {
  const start = present(positions[0])
  return Math.hypot(start[0] - longitude, start[1] - latitude)
}

/** Positions along an arc, clockwise: its ends and every second degree between them. */
function trace({ centre, from, to }: Arc, reach: number): Position[] {
  const bearings = [from]
  for (let bearing = (Math.floor(from / STEP) + 1) * STEP; bearing < to; bearing += STEP) bearings.push(bearing)
  return [...bearings, to].map((bearing) => positionAt(centre, bearing, reach))
}

/** The position at a bearing and an angular distance from a point (Williams, Aviation Formulary). */
function positionAt({ latitude, longitude }: Point, bearing: number, reach: number): Position {
  const [from, way] = [latitude * RADIANS, bearing * RADIANS]
  const north = Math.asin(Math.sin(from) * Math.cos(reach) + Math.cos(from) * Math.sin(reach) * Math.cos(way))
  const east = Math.atan2(Math.sin(way) * Math.sin(reach) * Math.cos(from), Math.cos(reach) - Math.sin(from) * Math.sin(north))
  return [longitude + east / RADIANS, north / RADIANS]
}

/** Rounds the corners as coordinates are, removes duplicates, and closes the ring. */
function tidy(ring: Position[]): Position[] {
  const rounded = ring.map(([longitude, latitude]): Position => [roundCoordinate(longitude), roundCoordinate(latitude)])
  const kept = rounded.filter(([x, y], index) => index === 0 || x !== rounded[index - 1]?.[0] || y !== rounded[index - 1]?.[1])
  const [first, last] = [present(kept[0]), present(kept.at(-1))]
  if (kept.length > 1 && first[0] === last[0] && first[1] === last[1]) kept.pop()
  return [...kept, first]
}

/** Twice the signed area in the plane: negative for a ring that runs clockwise. */
function turn(ring: Position[]): number {
  return ring.reduce((sum, [x, y], index) => {
    const [next_x, next_y] = present(ring[(index + 1) % ring.length])
    return sum + x * next_y - next_x * y
  }, 0)
}

/** Whether a hole belongs to an outer ring: of nested outer rings, to the innermost one around it. */
function isHoleOf(hole: Position[], outer: Position[], outers: Position[][]): boolean {
  const [longitude, latitude] = present(hole[0])
  const around = outers.filter((ring) => pointInPolygon({ longitude, latitude }, [ring]))
  const innermost = around.reduce<Position[] | null>((best, ring) => (best && turn(best) <= turn(ring) ? best : ring), null)
  return innermost === outer
}
