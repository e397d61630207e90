import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countiesWithinRadius, countyAt, countyCentre, countyNear, countyOf, statesWithinRadius } from '#domain/geo/counties.ts'
import { bearing, destination, inTheStates, share } from './on-the-globe.ts'

describe('the county of a point', () => {
  it.each([
    [33.1499, -96.8241, '48085', 'Collin', 'TX'],
    [35.33951, -97.4867, '40027', 'Cleveland', 'OK'],
    [38.8987, -77.0353, '11001', 'District of Columbia', 'DC'],
    [13.4726, 144.7502, '66010', 'Guam', 'GU'],
    [18.4, -66.06, '72127', 'San Juan', 'PR'],
    [61.218, -149.9, '02020', 'Anchorage', 'AK'],
  ])('%d, %d lies in %s', (latitude, longitude, fips, name, state) => {
    expect(countyAt(latitude, longitude)).toEqual({ fips, name, state })
    expect(countyOf(fips)?.name).toBe(name)
  })

  it('is null abroad and at sea', () => {
    for (const [latitude, longitude] of [
      [51.5, -0.12],
      [43.7, -79.4],
      [25.7, -100.3],
      [30, -80],
      [0, 0],
      [90, 0],
    ] as const)
      expect(countyAt(latitude, longitude)).toBeNull()
  })

  it('off the coast is the nearest, within the given distance', () => {
    // Half a mile into the Gulf from the sea wall of Galveston.
    expect(countyAt(29.265, -94.82)).toBeNull()
    expect(countyNear(29.265, -94.82, 10)?.fips).toBe('48167')
    expect(countyNear(28.2, -94.82, 10)).toBeNull()
  })
})

describe('the counties of a circle', () => {
  it('include those on both sides of a border', () => {
    expect(countiesWithinRadius(33.1499, -96.8241, 5)).toEqual(['48085', '48121'])
    expect(statesWithinRadius(33.9, -96.8, 25)).toEqual(['OK', 'TX'])
  })

  it('include the county of every point of it', () => {
    fc.assert(
      fc.property(inTheStates, fc.double({ min: 1, max: 100, noNaN: true }), bearing, share, (centre, radius, direction, part) => {
        const point = destination(centre, direction, radius * part * 0.999)
        const county = countyAt(point.latitude, point.longitude)
        if (county) expect(countiesWithinRadius(centre.latitude, centre.longitude, radius)).toContain(county.fips)
      }),
      { numRuns: 500 },
    )
  })

  it('are no others: each has a point within reach', () => {
    fc.assert(
      fc.property(inTheStates, fc.double({ min: 1, max: 60, noNaN: true }), (centre, radius) => {
        const found = countiesWithinRadius(centre.latitude, centre.longitude, radius)
        const wider = countiesWithinRadius(centre.latitude, centre.longitude, radius * 1.01 + 0.1)
        for (const fips of found) expect(wider).toContain(fips)
        const seen = new Set<string>()
        for (let ring = 0; ring <= 40; ring++) {
          for (let turn = 0; turn < 360; turn += 1) {
            const point = destination(centre, turn, ((radius * 1.01 + 0.1) * ring) / 40)
            const county = countyAt(point.latitude, point.longitude)
            if (county) seen.add(county.fips)
          }
        }
        // The samples may miss a sliver, but not a county that the circle enters deeply.
        expect(found.filter((fips) => !seen.has(fips)).length).toBeLessThanOrEqual(2)
      }),
      { numRuns: 20 },
    )
  })

  it('work across the antimeridian', () => {
    expect(countiesWithinRadius(51.9, 179.99, 50)).toEqual(['02016'])
    expect(countiesWithinRadius(51.9, -179.99, 50)).toEqual(['02016'])
  })
})

describe('the centre of a county', () => {
  it('is inside it, unless the county is crescent-shaped', () => {
    for (const fips of ['48085', '40027', '06037', '12087', '31031']) {
      const centre = countyCentre(fips)
      expect(centre && countyAt(centre.latitude, centre.longitude)?.fips).toBe(fips)
    }
  })

  it('is null for the number of a forecast zone', () => {
    expect(countyCentre('48999')).toBeNull()
    // This county is drawn as a line at this scale.
    expect(countyCentre('51610')).toEqual({ latitude: expect.closeTo(38.88, 1), longitude: expect.closeTo(-77.17, 1) })
  })
})
