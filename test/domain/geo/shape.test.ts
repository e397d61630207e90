import * as turf from '@turf/turf'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bearingDegrees, distanceMiles, EARTH_RADIUS_MILES, type Point, type Position } from '#domain/geo/measure.ts'
import { circleIntersectsPolygon, distanceToArea, distanceToPath, pointInPolygon } from '#domain/geo/shape.ts'
import { bearing, destination, inTheStates, positionOf, share } from './on-the-globe.ts'

const place: Point = { latitude: 33.1499, longitude: -96.8241 }
const at = (bearing_degrees: number, miles: number, from = place) => positionOf(destination(from, bearing_degrees, miles))

const miles = (max: number) => fc.double({ min: 0, max, noNaN: true })

describe('distance to a path', () => {
  it('to a single point is the great-circle distance, with its bearing', () => {
    fc.assert(
      fc.property(inTheStates, bearing, fc.double({ min: 0.1, max: 150, noNaN: true }), (from, direction, away) => {
        const to = destination(from, direction, away)
        const near = distanceToPath(from, [positionOf(to)])
        expect(near.miles).toBeCloseTo(distanceMiles(from.latitude, from.longitude, to.latitude, to.longitude), 7)
        expect(compassGap(near.bearing_degrees, bearingDegrees(from.latitude, from.longitude, to.latitude, to.longitude))).toBeLessThan(
          1e-5,
        )
      }),
    )
  })

  it('is to the nearest part of a line that passes by', () => {
    // A line from west-south-west to east-south-east of the place, passing 3 miles south of it.
    const near = distanceToPath(place, [at(225, 3 * Math.SQRT2), at(135, 3 * Math.SQRT2)])
    expect(near.miles).toBeCloseTo(3, 6)
    expect(near.bearing_degrees).toBeCloseTo(180, 4)
  })

  it('is to the nearer end of a line that leads away', () => {
    expect(distanceToPath(place, [at(90, 2), at(90, 9)]).miles).toBeCloseTo(2, 8)
  })

  it('is at most the distance to any point of the line, and is reached at one of them', () => {
    fc.assert(
      fc.property(inTheStates, bearing, miles(100), bearing, miles(100), (from, turn_1, away_1, turn_2, away_2) => {
        const ends = [destination(from, turn_1, away_1), destination(from, turn_2, away_2)] as const
        const near = distanceToPath(from, ends.map(positionOf)).miles
        const walked = walk(from, ends, 4000)
        expect(near).toBeLessThanOrEqual(walked + 1e-6)
        expect(near).toBeGreaterThan(walked - 0.06)
      }),
      { numRuns: 50 },
    )
  })

  it('is infinite for an empty path', () => {
    expect(distanceToPath(place, []).miles).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('distance to an area', () => {
  const square = [at(45, 10), at(135, 10), at(225, 10), at(315, 10)]

  it('is 0 inside, in either direction of the ring, open or closed', () => {
    for (const ring of [square, [...square].reverse(), [...square, square[0] as Position]])
      expect(distanceToArea(place, ring)).toEqual({ miles: 0, bearing_degrees: 0 })
  })

  it('is to the nearest edge outside, including the closing edge', () => {
    const outside = destination(place, 0, 20)
    const near = distanceToArea(outside, square)
    expect(near.miles).toBeCloseTo(20 - 10 / Math.SQRT2, 1)
    expect(near.bearing_degrees).toBeCloseTo(180, 1)
  })

  it('is that of a line for two corners and of a point for one', () => {
    expect(distanceToArea(place, [at(90, 4), at(90, 4)]).miles).toBeCloseTo(4, 8)
    expect(distanceToArea(place, [at(90, 4)]).miles).toBeCloseTo(4, 8)
  })
})

describe('a circle meets a polygon', () => {
  const ring = [at(90, 6), at(80, 12), at(100, 12)]

  it('if its radius reaches the nearest edge', () => {
    expect(circleIntersectsPolygon(place, 5.999, [ring])).toBe(false)
    expect(circleIntersectsPolygon(place, 6.001, [ring])).toBe(true)
  })

  it('if its centre is inside, however small it is', () => {
    expect(circleIntersectsPolygon(place, 0.001, [[at(0, 50), at(120, 50), at(240, 50)]])).toBe(true)
  })

  it('but not if it is entirely within a hole', () => {
    const outer = [at(0, 60), at(90, 60), at(180, 60), at(270, 60)]
    const hole = [at(0, 20), at(90, 20), at(180, 20), at(270, 20)]
    expect(circleIntersectsPolygon(place, 5, [outer, hole])).toBe(false)
    expect(circleIntersectsPolygon(place, 15, [outer, hole])).toBe(true)
  })
})

describe('a point in a polygon', () => {
  it('agrees with turf away from the edges', () => {
    fc.assert(
      fc.property(
        inTheStates,
        fc.array(fc.tuple(bearing, fc.double({ min: 1, max: 60, noNaN: true })), { minLength: 3, maxLength: 12 }),
        bearing,
        share,
        (centre, spokes, turn, part) => {
          const ring = spokes.map(([direction, away]) => positionOf(destination(centre, direction, away)))
          const point = destination(centre, turn, 60 * part)
          fc.pre(distanceToPath(point, [...ring, ring[0] as Position]).miles > 1e-6)
          const expected = turf.booleanPointInPolygon(positionOf(point), turf.polygon([[...ring, ring[0] as Position]]))
          expect(pointInPolygon(point, [ring])).toBe(expected)
        },
      ),
      { numRuns: 1000 },
    )
  })
})

function compassGap(one: number, other: number): number {
  const off = Math.abs(one - other)
  return Math.min(off, 360 - off)
}

/** Returns the shortest distance to a straight line on the map, by brute force over many of its points. */
function walk(from: Point, [start, end]: readonly [Point, Point], steps: number): number {
  const [ax, ay] = onMap(from, start)
  const [bx, by] = onMap(from, end)
  let least = Number.POSITIVE_INFINITY
  for (let step = 0; step <= steps; step++) {
    const x = ax + ((bx - ax) * step) / steps
    const y = ay + ((by - ay) * step) / steps
    least = Math.min(least, Math.hypot(x, y))
  }
  return least
}

/** Returns miles east and north on a map centred on a place, from turf's distance and bearing. */
function onMap(centre: Point, point: Point): [number, number] {
  const away = turf.distance(positionOf(centre), positionOf(point), { units: 'radians' }) * EARTH_RADIUS_MILES
  const direction = (turf.bearing(positionOf(centre), positionOf(point)) * Math.PI) / 180
  return [away * Math.sin(direction), away * Math.cos(direction)]
}
