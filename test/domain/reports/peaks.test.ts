import { expect, it } from 'vitest'
import { largestOf, nearestOf } from '#domain/evidence/extremes.ts'
import { peaksOf } from '#domain/reports/peaks.ts'
import { aCell, aCounty, after, aRecord } from './record-factories.ts'

const suspect = { caveats: ['Its place lies outside its county.'] }
const size = ({ hail_size_in }: { hail_size_in: number | null }) => hail_size_in

it('are the largest of each measure, and the nearest distance to a hundredth', () => {
  const records = [
    aRecord({ hail_size_in: 1.75, miles_north: 3 }),
    aRecord({ hail_size_in: 1, miles_north: 1.2345 }),
    aRecord({ type: 'thunderstorm_wind', wind_gust_mph: 64.123, miles_north: 2 }),
    aRecord({ type: 'tornado', tornado_ef_scale: 2, miles_north: 4 }),
    aRecord({ type: 'tornado', tornado_ef_scale: 1, miles_north: 4 }),
  ]
  expect(peaksOf(records)).toEqual({
    peak_severity: 'extreme',
    peak_hail_in: 1.75,
    peak_wind_mph: 64.12,
    peak_tornado_ef: 2,
    peak_tornado_rating: 'EF2',
    nearest_miles: 1.23,
  })
})

it('are null if no record states any', () => {
  expect(peaksOf([aRecord({ type: 'lightning', severity: 'unknown', miles_north: 2 })])).toEqual({
    peak_severity: 'unknown',
    peak_hail_in: null,
    peak_wind_mph: null,
    peak_tornado_ef: null,
    peak_tornado_rating: null,
    nearest_miles: 2,
  })
})

it('use reported hail before radar estimates', () => {
  expect(peaksOf([aRecord({ hail_size_in: 1 }), aCell({ hail_size_in: 3 })]).peak_hail_in).toBe(1)
  expect(peaksOf([aRecord({ hail_size_in: null }), aCell({ hail_size_in: 3 })]).peak_hail_in).toBe(3)
})

it('use county records only if no record has a place', () => {
  const county = aCounty({ wind_gust_mph: 90, severity: 'extreme' })
  const near = aRecord({ type: 'high_wind', wind_gust_mph: 60, severity: 'moderate' })
  expect(peaksOf([county, near])).toMatchObject({ peak_wind_mph: 60, peak_severity: 'moderate', nearest_miles: 1 })
  expect(peaksOf([county])).toMatchObject({ peak_wind_mph: 90, peak_severity: 'extreme', nearest_miles: null })
})

it('ignore records with a caveat, except for the nearest if all have one', () => {
  expect(peaksOf([aRecord({ hail_size_in: 4, miles_north: 0.5, ...suspect }), aRecord({ hail_size_in: 1, miles_north: 2 })])).toMatchObject(
    {
      peak_hail_in: 1,
      nearest_miles: 2,
    },
  )
  expect(peaksOf([aRecord({ hail_size_in: 4, miles_north: 0.5, ...suspect })])).toMatchObject({
    peak_severity: 'unknown',
    peak_hail_in: null,
    nearest_miles: 0.5,
  })
})

it('include the worst severity, in any order', () => {
  const of = (severity: 'minor' | 'severe' | 'moderate') => aRecord({ severity })
  expect(peaksOf([of('minor'), of('severe'), of('moderate')]).peak_severity).toBe('severe')
})

it('the largest is, among equal records, the nearest, then the newest, then the first by key, whatever its id', () => {
  const near = aRecord({ hail_size_in: 2, miles_north: 1 })
  const far = aRecord({ hail_size_in: 2, miles_north: 2, begins_at: after(10) })
  const newer = aRecord({ hail_size_in: 2, miles_north: 1, begins_at: after(5), source_key: '2025/b' })
  const first_by_key = aRecord({ hail_size_in: 2, miles_north: 1, begins_at: after(5), source_key: '2025/a' })
  const imported_last = aRecord({ hail_size_in: 2, miles_north: 1, begins_at: after(5), source_key: '2025/c' })
  for (const [first, ...others] of [
    [near, far],
    [newer, near],
    [first_by_key, newer],
    [newer, imported_last],
  ] as const)
    for (const other of others) expect([largestOf([first, other], size), largestOf([other, first], size)]).toEqual([first, first])
  expect(largestOf([aRecord()], size)).toBeNull()
})

it('the nearest is, among equally near records, the largest, then the newest; no value is smaller than any', () => {
  const large = aRecord({ hail_size_in: 2 })
  const small = aRecord({ hail_size_in: 1, begins_at: after(10) })
  const none = aRecord({ begins_at: after(20) })
  const zero = aRecord({ hail_size_in: 0 })
  for (const [first, other] of [
    [large, small],
    [small, none],
    [zero, none],
    [aRecord({ hail_size_in: 0.5, miles_north: 0.5 }), large],
  ] as const)
    expect([nearestOf([first, other], size), nearestOf([other, first], size)]).toEqual([first, first])
  expect([nearestOf([none, large]), nearestOf([large, none])]).toEqual([none, none])
  expect(nearestOf([aCounty(), large])).toBe(large)
  expect(nearestOf([])).toBeNull()
})
