import { describe, expect, it } from 'vitest'
import { countiesOf, countyCentre } from '#domain/geo/counties.ts'
import type { Point } from '#domain/geo/measure.ts'
import { stateByCode, stateByFips, stateByName, states } from '#domain/geo/states.ts'
import { isAmericanZone } from '#domain/geo/zone-table.ts'
import { localDate, timezoneAt, timezoneOfArea } from '#domain/geo/zones.ts'

describe('the time zone of a point', () => {
  const isIn = (_name: string, latitude: number, longitude: number, zone: string) => expect(timezoneAt(latitude, longitude)).toBe(zone)

  it.each([
    [33.1499, -96.8241, 'America/Chicago'],
    [31.76, -106.49, 'America/Denver'],
    [33.45, -112.07, 'America/Phoenix'],
    [21.31, -157.86, 'Pacific/Honolulu'],
    [13.47, 144.75, 'Pacific/Guam'],
    [41.8, -86.6, 'America/Detroit'],
  ])('%d, %d is in %s', (latitude, longitude, zone) => {
    expect(timezoneAt(latitude, longitude)).toBe(zone)
  })

  it.each([
    ['Brownsville', 25.9, -97.49, 'America/Chicago'],
    ['Bowbells', 48.8, -102.25, 'America/Chicago'],
    ['Crosby', 48.91, -103.29, 'America/Chicago'],
    ['Plentywood', 48.77, -104.56, 'America/Denver'],
    ['Bonners Ferry', 48.69, -116.32, 'America/Los_Angeles'],
    ['Sault Ste. Marie', 46.49, -84.35, 'America/Detroit'],
    ['Roseau', 48.85, -95.76, 'America/Chicago'],
    ['Wrangell', 56.47, -132.38, 'America/Sitka'],
  ])('at %s, on the border, is not that of a neighbour', isIn)

  it.each([
    ['Williston, ND', 48.147, -103.618, 'America/Chicago'],
    ['Garrison, ND', 47.652, -101.416, 'America/Chicago'],
    ['Center, ND', 47.116, -101.299, 'America/North_Dakota/Center'],
    ['Ulysses, KS', 37.581, -101.355, 'America/Chicago'],
    ['St. Francis, KS', 39.772, -101.8, 'America/Chicago'],
    ['Tribune, KS', 38.47, -101.753, 'America/Denver'],
    ['Blakely, GA', 31.378, -84.934, 'America/New_York'],
    ['Phenix City, AL', 32.471, -85.001, 'America/Chicago'],
    ['Clayton, NM', 36.22, -103.11, 'America/Denver'],
    ['Kenton, OK', 36.9, -102.96, 'America/Chicago'],
    ['Wallace, ID', 47.474, -115.928, 'America/Los_Angeles'],
    ['Ironwood, MI', 46.455, -90.171, 'America/Menominee'],
    ['Columbia, KY', 37.103, -85.306, 'America/Chicago'],
    ['Blountstown, FL', 30.44, -85.05, 'America/Chicago'],
    ['Mullen, NE', 42.043, -101.043, 'America/Denver'],
    ['Cannelton, IN', 37.911, -86.744, 'America/Indiana/Tell_City'],
    ['Clinton, IN', 39.657, -87.398, 'America/Indiana/Indianapolis'],
    ['Kentland, IN', 40.77, -87.445, 'America/Chicago'],
    ['Yuma, AZ', 32.725, -114.624, 'America/Phoenix'],
    ['Spring City, TN', 35.692, -84.861, 'America/New_York'],
    ['Russell Springs, KY', 37.056, -85.089, 'America/Chicago'],
    ['Mobridge, SD', 45.537, -100.428, 'America/Chicago'],
    ['the southeast of Boundary County, ID', 48.55, -116.1, 'America/Los_Angeles'],
    ['Charlestown, IN', 38.453, -85.67, 'America/Kentucky/Louisville'],
    ['Lawrenceburg, IN', 39.091, -84.85, 'America/New_York'],
    ['Rising Sun, IN', 38.95, -84.854, 'America/New_York'],
  ])('at %s is that of its whole county or state', isIn)

  it('of an area on both sides of the antimeridian is the one there', () => {
    expect(timezoneOfArea({ south: 51, north: 53, west: -180, east: 180 })).toBe('America/Adak')
    expect(timezoneOfArea({ south: 51, north: 53, west: -178, east: 179 })).toBe('America/Adak')
    expect(timezoneOfArea({ south: 26, north: 36, west: -106, east: -94 })).toBe('America/Chicago')
  })

  it('is a United States zone at the centre of each county, and not abroad', () => {
    const counties = states.flatMap(({ code }) => countiesOf(code))
    expect(counties.length).toBeGreaterThan(3_200)
    const foreign = counties.filter(({ fips }) => {
      const { latitude, longitude } = countyCentre(fips) as Point
      return !isAmericanZone(timezoneAt(latitude, longitude))
    })
    expect(foreign).toEqual([])
    expect(timezoneAt(43.7, -79.4)).toBe('America/Toronto')
    expect(timezoneAt(25.7, -100.3)).toBe('America/Monterrey')
  })

  it('is found at the edges of the map', () => {
    for (const [latitude, longitude, zone] of [
      [90, 180, 'Etc/GMT'],
      [-90, -180, 'Antarctica/McMurdo'],
      [0, 180, 'Etc/GMT+12'],
      [10, 200, 'Etc/GMT+11'],
    ] as const)
      expect(timezoneAt(latitude, longitude)).toBe(zone)
  })
})

describe('the local date', () => {
  it('follows daylight saving', () => {
    expect(localDate(new Date('2024-03-10T05:59:59Z'), 'America/Chicago')).toBe('2024-03-09')
    expect(localDate(new Date('2024-03-10T06:00:00Z'), 'America/Chicago')).toBe('2024-03-10')
    expect(localDate(new Date('2024-07-01T04:59:59Z'), 'America/Chicago')).toBe('2024-06-30')
    expect(localDate(new Date('2024-07-01T05:00:00Z'), 'America/Chicago')).toBe('2024-07-01')
  })

  it('is a day ahead in Guam and a day behind in Samoa', () => {
    expect(localDate(new Date('2024-05-01T14:00:00Z'), 'Pacific/Guam')).toBe('2024-05-02')
    expect(localDate(new Date('2024-05-01T10:59:00Z'), 'Pacific/Pago_Pago')).toBe('2024-04-30')
  })

  it('refuses an unknown zone', () => {
    expect(() => localDate(new Date(), 'America/Frisco')).toThrow(RangeError)
  })
})

describe('states', () => {
  it('are the fifty states, the District and five territories', () => {
    expect(states).toHaveLength(56)
    for (const key of ['fips', 'code', 'name'] as const) expect(new Set(states.map((state) => state[key])).size).toBe(56)
  })

  it('are found by number, code and name', () => {
    expect(stateByFips('48')?.code).toBe('TX')
    expect(stateByFips('1')?.name).toBe('Alabama')
    expect(stateByCode('ok')?.fips).toBe('40')
    expect(stateByName(' NEW  MEXICO ')?.code).toBe('NM')
    expect([stateByFips('99'), stateByCode('ZZ'), stateByName('Ontario')]).toEqual([null, null, null])
  })

  it('have the standard time of their zone in January', () => {
    for (const { timezone, standard_offset_hours } of states) {
      const noon = new Date('2024-01-15T12:00:00Z')
      const there = new Date(
        `${new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' }).format(noon).replace(' ', 'T')}Z`,
      )
      expect((there.getTime() - noon.getTime()) / 3_600_000).toBe(standard_offset_hours)
    }
  })
})
