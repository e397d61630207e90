import { expect, test } from 'vitest'
import type { LocatedPlace } from '#domain/places/place.ts'
import { aCell, aCounty, aCoverage, aRecord, frisco, reportOf } from '../record-factories.ts'

const zip: LocatedPlace = { ...frisco, precision: 'zip' }
const headline = (...args: Parameters<typeof reportOf>) => reportOf(...args).headline
const hail = (hail_size_in: number | null, miles_north: number, overrides: object = {}) =>
  aRecord({ hail_size_in, miles_north, ...overrides })
const gust = { type: 'thunderstorm_wind', wind_gust_mph: 70, qualifier: 'measured', evidence_kind: 'instrument' } as const

test('is one clause about the most severe record within 3 miles, with the number of records', () => {
  expect(headline([hail(2, -0.8), hail(1, 0.2), hail(4, 4)], { place: zip })).toBe(
    'Hail 2.00 in reported 0.8 mi S of the centre of ZIP 75034 on 2025-05-28; 3 records in all',
  )
  expect(headline([hail(1.75, 0.84)])).toBe('Hail 1.75 in reported 0.84 mi N of the address on 2025-05-28; 1 record in all')
  expect(headline([hail(1.75, 0.03)])).toBe('Hail 1.75 in reported 0.03 mi from the address on 2025-05-28; 1 record in all')
  expect(headline([hail(1.75, 0.03)], { place: { ...zip, precision: 'city' } })).toBe(
    'Hail 1.75 in reported at the centre of Frisco on 2025-05-28; 1 record in all',
  )
  expect(headline([hail(null, 1)], { place: { ...frisco, street: null } })).toBe(
    'Hail reported 1.00 mi N of this location on 2025-05-28; 1 record in all',
  )
})

test('uses the next ring if the first has no hail, wind or tornado, before radar over the address', () => {
  const flood = aRecord({ type: 'flash_flood', miles_north: 0.5 })
  const over = aCell({ hail_size_in: 2.5 })
  expect(headline([flood, over, aRecord({ ...gust, miles_north: 4 })])).toBe(
    'Thunderstorm wind 70 mph measured 4.00 mi N of the address on 2025-05-28; 3 records in all',
  )
  expect(headline([flood, over])).toBe('Hail 2.50 in estimated by radar over the address on 2025-05-28; 2 records in all')
  expect(headline([flood, aCell({ hail_size_in: 2.5, miles_north: 2 })])).toBe(
    'Flash flood reported 0.50 mi N of the address on 2025-05-28; 2 records in all',
  )
})

test('leads with a county record only if no record has a place, and names the county', () => {
  const county = aCounty({ type: 'hail', hail_size_in: 4.5, county: 'Canadian', county_fips: '40017', state: 'OK' })
  expect(headline([county, hail(1, 4.5)])).toBe('Hail 1.00 in reported 4.50 mi N of the address on 2025-05-28; 2 records in all')
  expect(headline([county])).toBe('Hail 4.50 in reported for Canadian County on 2025-05-28; 1 record in all')
})

test('gives a tornado the scale of its row', () => {
  const tornado = aRecord({ type: 'tornado', tornado_ef_scale: 3, occurred_on: '1991-04-26', description: 'Rated F3 by the source.' })
  expect(headline([tornado])).toBe('Tornado F3 reported 1.00 mi N of the address on 1991-04-26; 1 record in all')
})

test('never leads with a record with a caveat', () => {
  const caveats = ['The hour is unsure.']
  expect(headline([hail(4, 0.5, { caveats }), hail(1, 2)])).toBe(
    'Hail 1.00 in reported 2.00 mi N of the address on 2025-05-28; 2 records in all',
  )
  expect(headline([hail(4, 0.5, { caveats })])).toBe('1 record cited, with a caveat')
})

test('states that nothing is cited, and that coverage is incomplete', () => {
  const [nothing, incomplete] = ['No records within 5 mi, 2025-01-01 to 2025-12-31', '; coverage incomplete']
  expect(headline([])).toBe(nothing)
  expect(headline([], { coverage: aCoverage({ complete: false, missing: [{ from: '2025-01', to: '2025-06' }] }) })).toBe(
    nothing + incomplete,
  )
  const unplaced_zones = [{ state: 'TX', records: 3, types: [{ type: 'high_wind' as const, records: 3 }], table_held: false }]
  expect(headline([], { coverage: aCoverage({ unplaced_zones }) })).toBe(nothing + incomplete)
  expect(headline([hail(1, 2)], { coverage: aCoverage({ unplaced_zones }) })).toBe(
    `Hail 1.00 in reported 2.00 mi N of the address on 2025-05-28; 1 record in all${incomplete}`,
  )
})

test('is at most 120 characters, whatever the names of place and type', () => {
  const coverage = aCoverage({
    complete: false,
    sample: true,
    sources: [{ source: 'sample', label: 'Sample, made up', compiled_on: null, preliminary: false }],
  })
  const places: LocatedPlace[] = [frisco, zip, { ...frisco, precision: 'city', city: 'Village of the Branch and Harbor Hills' }]
  const kinds = [
    gust,
    { type: 'marine_thunderstorm_wind', wind_gust_mph: 70 },
    { type: 'marine_heavy_freezing_spray' },
    { type: 'astronomical_low_tide', precision: 'county', county: 'Prince of Wales-Hyder Census Area' },
  ] as const
  for (const place of places)
    for (const kind of kinds) {
      const records = Array.from({ length: 1234 }, () => aRecord({ miles_north: 4.56, ...kind, source: 'sample' }))
      const text = headline(records, { place, coverage })
      expect(text.length, text).toBeLessThanOrEqual(120)
      expect(text).toMatch(/^Sample, made up: .* on 2025-05-28; 1234 records( in all)?; coverage incomplete$/)
    }
})

test('is never the statement of a finding', () => {
  const { headline, findings } = reportOf([hail(2, 1), aRecord({ type: 'flood' })])
  for (const { statement } of findings) expect(statement).not.toContain(headline)
})
