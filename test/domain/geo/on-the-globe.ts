import fc from 'fast-check'
import { EARTH_RADIUS_MILES, type Point, type Position } from '#domain/geo/measure.ts'

const RADIANS = Math.PI / 180

/** Returns the place at the given direction and distance, along the great circle. */
export function destination(from: Point, bearing_degrees: number, miles: number): Point {
  const reach = miles / EARTH_RADIUS_MILES
  const bearing = bearing_degrees * RADIANS
  const latitude = from.latitude * RADIANS
  const north = Math.asin(Math.sin(latitude) * Math.cos(reach) + Math.cos(latitude) * Math.sin(reach) * Math.cos(bearing))
  const east = Math.atan2(Math.sin(bearing) * Math.sin(reach) * Math.cos(latitude), Math.cos(reach) - Math.sin(latitude) * Math.sin(north))
  const longitude = from.longitude + east / RADIANS
  return { latitude: north / RADIANS, longitude: ((longitude + 540) % 360) - 180 }
}

export const positionOf = ({ latitude, longitude }: Point): Position => [longitude, latitude]

const degrees = (min: number, max: number) => fc.double({ min, max, noNaN: true })

/** Anywhere on the globe, with extra weight on the poles and the antimeridian. */
export const anywhere: fc.Arbitrary<Point> = fc.oneof(
  fc.record({ latitude: degrees(-90, 90), longitude: degrees(-180, 180) }),
  fc.record({ latitude: degrees(-75, 75), longitude: fc.oneof(degrees(179, 180), degrees(-180, -179)) }),
  fc.record({ latitude: fc.oneof(degrees(88, 90), degrees(-90, -88)), longitude: degrees(-180, 180) }),
)

/** Within the box of the contiguous United States. */
export const inTheStates: fc.Arbitrary<Point> = fc.record({ latitude: degrees(25, 49), longitude: degrees(-124, -67) })

export const bearing = degrees(0, 360)
export const share = degrees(0, 1)
