import * as turf from '@turf/turf'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bearingDegrees, compassPoint, distanceMiles, EARTH_RADIUS_MILES, roundCoordinate, wrapLongitude } from '#domain/geo/measure.ts'
import { anywhere, bearing, destination } from './on-the-globe.ts'

describe('distance', () => {
  it('is correct for a degree of the meridian, a quarter and half of the globe', () => {
    expect(distanceMiles(0, 0, 1, 0)).toBeCloseTo((EARTH_RADIUS_MILES * Math.PI) / 180, 9)
    expect(distanceMiles(0, 0, 0, 90)).toBeCloseTo((EARTH_RADIUS_MILES * Math.PI) / 2, 8)
    expect(distanceMiles(0, 0, 0, 180)).toBeCloseTo(EARTH_RADIUS_MILES * Math.PI, 8)
    expect(distanceMiles(35.3, -97.5, 35.3, -97.5)).toBe(0)
  })

  it('matches published distances between airports within half a percent, since the Earth is not a sphere', () => {
    // Great-circle distances on the WGS 84 ellipsoid: DFW to ORD 802 mi, LAX to JFK 2475 mi.
    expect(distanceMiles(32.89722, -97.03778, 41.97861, -87.90472)).toBeGreaterThan(802 * 0.995)
    expect(distanceMiles(32.89722, -97.03778, 41.97861, -87.90472)).toBeLessThan(802 * 1.005)
    expect(distanceMiles(33.9425, -118.40806, 40.63972, -73.77889)).toBeGreaterThan(2475 * 0.995)
    expect(distanceMiles(33.9425, -118.40806, 40.63972, -73.77889)).toBeLessThan(2475 * 1.005)
  })

  it("equals turf's, whose radius matches ours to seven digits", () => {
    fc.assert(
      fc.property(anywhere, anywhere, (one, other) => {
        const turfMiles =
          turf.distance([one.longitude, one.latitude], [other.longitude, other.latitude], { units: 'radians' }) * EARTH_RADIUS_MILES
        // Two ways to compute the haversine's root differ by up to 0.0002 mi, about a foot, for places half the globe apart.
        expect(distanceMiles(one.latitude, one.longitude, other.latitude, other.longitude)).toBeCloseTo(turfMiles, 3)
      }),
    )
  })

  it('is exact at short range', () => {
    // 0.00001 degrees of latitude: 3.65 feet.
    expect(distanceMiles(45, -97, 45.00001, -97) * 5280).toBeCloseTo(3.648, 3)
  })
})

describe('bearing', () => {
  it('is clockwise from north', () => {
    expect(bearingDegrees(35, -97, 36, -97)).toBe(0)
    expect(bearingDegrees(0, 0, 0, 1)).toBeCloseTo(90, 9)
    expect(bearingDegrees(35, -97, 34, -97)).toBeCloseTo(180, 9)
    expect(bearingDegrees(0, 0, 0, -1)).toBeCloseTo(270, 9)
  })

  it('returns the direction in which a place was reached', () => {
    fc.assert(
      fc.property(
        anywhere.filter(({ latitude }) => Math.abs(latitude) < 85),
        bearing,
        fc.double({ min: 0.5, max: 300, noNaN: true }),
        (from, direction, miles) => {
          const to = destination(from, direction, miles)
          const off = Math.abs(bearingDegrees(from.latitude, from.longitude, to.latitude, to.longitude) - direction)
          expect(Math.min(off, 360 - off)).toBeLessThan(1e-6)
        },
      ),
    )
  })

  it("equals turf's, also across the globe", () => {
    const place = anywhere.filter(({ latitude }) => Math.abs(latitude) < 85)
    fc.assert(
      fc.property(place, place, (from, to) => {
        const miles = distanceMiles(from.latitude, from.longitude, to.latitude, to.longitude)
        // At the same place and at its antipode, every direction is right.
        fc.pre(miles > 1 && miles < EARTH_RADIUS_MILES * Math.PI - 1)
        const turfBearing = turf.bearing([from.longitude, from.latitude], [to.longitude, to.latitude])
        const off = Math.abs(bearingDegrees(from.latitude, from.longitude, to.latitude, to.longitude) - ((turfBearing + 360) % 360))
        expect(Math.min(off, 360 - off)).toBeLessThan(1e-6)
      }),
    )
  })

  it.each([
    [0, 'N'],
    [11.24, 'N'],
    [11.25, 'NNE'],
    [22.5, 'NNE'],
    [45, 'NE'],
    [90, 'E'],
    [135, 'SE'],
    [180, 'S'],
    [225, 'SW'],
    [270, 'W'],
    [337.5, 'NNW'],
    [348.74, 'NNW'],
    [348.75, 'N'],
    [360, 'N'],
    [-90, 'W'],
  ])('%d degrees is %s', (degrees, point) => {
    expect(compassPoint(degrees)).toBe(point)
  })
})

describe('coordinates', () => {
  it('have five decimals and no negative zero', () => {
    expect(roundCoordinate(-96.823_456_789)).toBe(-96.82346)
    expect(Object.is(roundCoordinate(-0.000_001), 0)).toBe(true)
  })

  it('have longitudes from -180 to less than 180', () => {
    expect([wrapLongitude(180), wrapLongitude(190), wrapLongitude(-190), wrapLongitude(-180), wrapLongitude(720.5)]).toEqual([
      -180, -170, 170, -180, 0.5,
    ])
  })

  it('keep a longitude within the range to its last digit', () => {
    fc.assert(fc.property(fc.double({ min: -180, max: 179.999_999, noNaN: true }), (longitude) => wrapLongitude(longitude) === longitude))
  })
})
