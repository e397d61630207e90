import { expect, test } from 'vitest'
import type { LocatedPlace } from '#domain/places/place.ts'
import { statementOf } from '#domain/reports/wording.ts'
import { aCell, aCounty, aCoverage, aRecord, frisco, reportOf, year2025 } from './made.ts'

type Records = ReturnType<typeof aRecord>[]
const zip: LocatedPlace = { ...frisco, precision: 'zip' }
const TAIL = ' Source: NOAA Storm Events Database (final). Dates are local (Central Time).'

/** The statement up to where its sources begin. */
function told(records: Records, said: Partial<Parameters<typeof statementOf>[1]> = {}): string {
  return statementOf(records, { place: frisco, window: year2025, precise: true, sample: false, ...said }).replace(/ Sources?: .*/, '')
}

test('hail on the ground, with radar over the address that day', () => {
  const records = [
    aRecord({ hail_size_in: 1.75, miles_north: 0.84 }),
    aRecord({ hail_size_in: 1, miles_north: 2, occurred_on: '2025-04-01' }),
    aCell({ hail_size_in: 1.5 }),
  ]
  expect(told(records)).toBe(
    '2 ground reports of hail up to 1.75 in (golf ball; measured or estimated: not stated) within 5 mi; nearest 0.84 mi N on 2025-05-28. Radar estimated hail up to 1.50 in over the address that day.',
  )
})

test('one report is singular, a size between the listed ones has no name, and the source says how it knows', () => {
  expect(told([aRecord({ hail_size_in: 1.6, qualifier: 'measured', miles_north: 2 })])).toBe(
    '1 ground report of hail up to 1.60 in (measured) within 5 mi; nearest 2.00 mi N on 2025-05-28.',
  )
  expect(told([aRecord({ hail_size_in: null })])).toContain('1 ground report of hail (size not stated) within 5 mi')
})

test('radar beside ground reports says where and when it was: another day, another place', () => {
  expect(told([aRecord({ hail_size_in: 1 }), aCell({ hail_size_in: 1.2, occurred_on: '2025-06-02' })])).toMatch(
    /Radar estimated hail up to 1\.20 in over the address on 2025-06-02\.$/,
  )
  expect(told([aRecord({ hail_size_in: 1 }), aCell({ hail_size_in: 1.2, miles_north: 4 })])).toMatch(
    /Radar estimated hail up to 1\.20 in 4\.00 mi N that day\.$/,
  )
})

test('radar alone', () => {
  expect(told([aCell({ hail_size_in: 1.25 })])).toBe(
    'Radar estimated hail up to 1.25 in over this location on 2025-05-28. No ground report within 5 mi was found. Radar size is an estimate of hail aloft, not a measurement at the ground.',
  )
  expect(told([aCell({ hail_size_in: 1.25 })], { window: { ...year2025, radius_miles: 25 } })).toContain(
    'No ground report within 10 mi was found.',
  )
  expect(told([aCell({ hail_size_in: 0.6 }), aCell({ hail_size_in: 2.2, miles_north: 4, occurred_on: '2025-06-02' })])).toMatch(
    /^Radar estimated hail up to 0\.60 in over this location on 2025-05-28\. Radar estimated hail up to 2\.20 in 4\.00 mi N on 2025-06-02\. No ground/,
  )
})

test('wind', () => {
  expect(told([aRecord({ type: 'thunderstorm_wind', wind_gust_mph: 70, qualifier: 'estimated', miles_north: -1.2 })])).toBe(
    '1 report of thunderstorm wind up to 70 mph (estimated by the source) within 5 mi; nearest 1.20 mi S on 2025-05-28.',
  )
  expect(told([aRecord({ type: 'thunderstorm_wind' })])).toContain('1 report of thunderstorm wind (speed not stated) within 5 mi')
  expect(told([aRecord({ type: 'high_wind', wind_gust_mph: 62, qualifier: 'measured' })])).toContain(
    '1 report of high wind up to 62 mph (measured) within 5 mi',
  )
})

test('tornado: the survey is named where there was one', () => {
  const track = { type: 'tornado', precision: 'path', tornado_ef_scale: 2, qualifier: 'surveyed', distance_miles: 0.4 } as const
  expect(told([aRecord(track), aRecord({ type: 'tornado', tornado_ef_scale: 0, qualifier: 'estimated', miles_north: 3 })])).toBe(
    '2 tornado records within 5 mi, strongest EF2 (NWS survey); nearest path 0.40 mi N on 2025-05-28.',
  )
  expect(told([aRecord({ type: 'tornado' })])).toBe('1 tornado record within 5 mi, strength not rated; nearest 1.00 mi N on 2025-05-28.')
})

test('several phenomena of one family: tornado, hail, wind', () => {
  const statement = told([
    aRecord({ type: 'thunderstorm_wind' }),
    aRecord({ hail_size_in: 1 }),
    aRecord({ type: 'funnel_cloud' }),
    aRecord({ type: 'tornado' }),
  ])
  const order = ['1 tornado record', '1 ground report of hail', '1 report of thunderstorm wind', '1 funnel cloud record'].map((part) =>
    statement.indexOf(part),
  )
  expect(order.every((at) => at >= 0)).toBe(true)
  expect(order).toEqual([...order].sort((a, b) => a - b))
})

test('other families, by type', () => {
  expect(told([aRecord({ type: 'flash_flood', miles_north: 0.8 }), aRecord({ type: 'flash_flood', miles_north: 2 })])).toBe(
    '2 flash flood records within 5 mi; nearest 0.80 mi N on 2025-05-28.',
  )
})

test('no direction is given at the very place', () => {
  expect(told([aRecord({ hail_size_in: 1, miles_north: 0.03 })])).toMatch(/nearest 0\.03 mi on 2025-05-28\.$/)
})

test('records that name a county say so, and no distance is invented', () => {
  expect(told([aCounty({ occurred_on: '2025-03-04' }), aCounty({ occurred_on: '2025-01-05' })])).toBe(
    '2 county records of high wind for Collin County; the records name the county, not a point. Most recent on 2025-03-04.',
  )
  expect(told([aCounty({ county: 'Orleans', state: 'LA', county_fips: '22071' })])).toContain(
    '1 county record of high wind for Orleans Parish; the record names the county, not a point.',
  )
  expect(told([aCounty({ precision: 'zone', county: null, county_fips: null, zone: 'TXZ103' })])).toContain(
    '1 zone record of high wind for TXZ103; the record names a forecast zone, not a point.',
  )
})

test('the source, final or preliminary, and the zone of the dates are always said', () => {
  const view = { place: frisco, window: year2025, precise: true, sample: false }
  expect(statementOf([aRecord({ hail_size_in: 1 })], view)).toMatch(new RegExp(`${TAIL.replace(/[().]/g, '\\$&')}$`))
  const mixed = statementOf([aRecord(), aRecord({ source: 'nws_lsr', preliminary: true })], view)
  expect(mixed).toMatch(/ Sources: NOAA Storm Events Database \(final\) and .+ \(preliminary\)\. Dates/)
  expect(statementOf([aRecord({ latitude: 32.0, longitude: -106.0 })], view)).toContain('Dates are local (Mountain Time).')
})

test('with a ZIP or a city the centre is what distances are from, and nothing is over the address', () => {
  const statement = reportOf([aRecord({ hail_size_in: 1 }), aCell({ hail_size_in: 1.5 })], { place: zip })
  expect(statement.headline).toMatch(/Distances are from the centre of ZIP 75034, not from the building\.$/)
  expect(statement.headline).toContain('Radar estimated hail up to 1.50 in within 5 mi that day.')
  expect(statement.coverage.summary).toMatch(/Distances are from the centre of ZIP 75034, not from the building\.$/)
  const city = reportOf([], { place: { ...frisco, precision: 'city', postal_code: null } })
  expect(city.headline).toMatch(/Distances are from the centre of Frisco, TX, not from the building\.$/)
})

test('nothing found', () => {
  const nothing =
    'No hail, wind or tornado records were found within 5 mi from 2025-01-01 to 2025-12-31 in the 1 source searched. Absence of a record does not show that none occurred.'
  expect(reportOf([])).toMatchObject({ headline: nothing, findings: [] })
  expect(
    reportOf([], {
      coverage: aCoverage({
        missing: [
          { from: '2025-01', to: '2025-06' },
          { from: '2025-11', to: '2025-11' },
        ],
      }),
    }).headline,
  ).toBe(`${nothing} No records are held for 2025-01 to 2025-06 and 2025-11.`)
  expect(reportOf([], { coverage: aCoverage({ sources: [] }) }).headline).toContain(
    'from 2025-01-01 to 2025-12-31: no source holds records of that time.',
  )
})

test('made-up evidence says so wherever it speaks', () => {
  const { headline, findings, coverage, sample } = reportOf([aRecord({ source: 'sample', hail_size_in: 1.75 })], {
    coverage: aCoverage({ sample: true, sources: [{ source: 'sample', label: 'Sample, made up', compiled_on: null, preliminary: false }] }),
  })
  expect(sample).toBe(true)
  for (const text of [headline, coverage.summary, ...findings.map((finding) => finding.statement)])
    expect(text).toMatch(/^Sample, made up: /)
})
