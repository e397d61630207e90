import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Ellipse, ellipseAround } from '#domain/geo/ellipse.ts'
import { distanceMiles, type Point } from '#domain/geo/measure.ts'
import { anywhere, bearing, destination, inTheStates, share } from './on-the-globe.ts'

const holds = ({ north, east }: Ellipse, centre: Point, point: Point) =>
  north * (point.latitude - centre.latitude) ** 2 + east * (point.longitude - centre.longitude) ** 2 <= 1

const radius = fc.double({ min: 0, max: 120, noNaN: true })

describe('the ellipse around a circle', () => {
  it('contains every point of it, anywhere on the globe', () => {
    fc.assert(
      fc.property(anywhere, radius, bearing, share, (centre, miles, direction, part) => {
        const point = destination(centre, direction, miles * part)
        expect(holds(ellipseAround(centre, miles), centre, point)).toBe(true)
      }),
      { numRuns: 5000 },
    )
  })

  it('contains points on its edge', () => {
    fc.assert(
      fc.property(inTheStates, bearing, radius, (centre, direction, miles) => {
        const point = destination(centre, direction, miles)
        const measured = distanceMiles(centre.latitude, centre.longitude, point.latitude, point.longitude)
        expect(holds(ellipseAround(centre, measured), centre, point)).toBe(true)
      }),
      { numRuns: 5000 },
    )
  })

  it('contains nothing farther than 104 % of the radius, in the contiguous United States', () => {
    fc.assert(
      fc.property(inTheStates, fc.double({ min: 0.5, max: 100, noNaN: true }), bearing, (centre, miles, direction) => {
        expect(holds(ellipseAround(centre, miles), centre, destination(centre, direction, miles * 1.04))).toBe(false)
      }),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['a pole within it', { latitude: 89.9, longitude: 0 }],
    ['the antimeridian within it', { latitude: 52, longitude: 179.9 }],
  ])('is a band of latitudes with %s', (_, centre) => {
    const ellipse = ellipseAround(centre, 25)
    expect(ellipse.east).toBe(0)
    expect(holds(ellipse, centre, { latitude: centre.latitude - 0.5, longitude: centre.longitude })).toBe(false)
  })
})
