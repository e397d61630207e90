import { expect, test } from 'vitest'
import type { UnplacedZones } from '#domain/archive/coverage/window-coverage.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { nothingFound, statementOf } from '#domain/reports/wording/statement.ts'
import { aCell, aCounty, aCoverage, aRecord, frisco, reportOf, year2025 } from '../record-factories.ts'

type Records = ReturnType<typeof aRecord>[]
const zip: LocatedPlace = { ...frisco, precision: 'zip' }
const TAIL = ' Source: NOAA Storm Events Database (final). Dates are local (Central Time).'

/** The statement up to its list of sources. */
function sentenceOf(records: Records, overrides: Partial<Parameters<typeof statementOf>[1]> = {}): string {
  return statementOf(records, { place: frisco, window: year2025, sample: false, ...overrides }).replace(/ Sources?: .*/, '')
}

test('gives the largest and the nearest each their own size, distance and day', () => {
  const largest = aRecord({ hail_size_in: 2.75, miles_north: 4.2, occurred_on: '2025-04-01' })
  const nearest = aRecord({ hail_size_in: 1, miles_north: -1.59, occurred_on: '2025-05-28' })
  expect(sentenceOf([nearest, largest, aRecord({ hail_size_in: 0.75, miles_north: 3 })])).toBe(
    '3 ground reports of hail within 5 mi: largest 2.75 in (baseball; measured or estimated: not stated), 4.20 mi N on 2025-04-01; nearest 1.00 in (quarter), 1.59 mi S on 2025-05-28.',
  )
})

test('uses one clause if they are one record', () => {
  expect(sentenceOf([aRecord({ hail_size_in: 1.75, miles_north: 0.84 }), aRecord({ hail_size_in: 1, miles_north: 2 })])).toBe(
    '2 ground reports of hail within 5 mi: largest and nearest 1.75 in (golf ball; measured or estimated: not stated), 0.84 mi N on 2025-05-28.',
  )
  expect(sentenceOf([aRecord({ hail_size_in: 1.6, qualifier: 'measured', miles_north: 2 })])).toBe(
    '1 ground report of hail within 5 mi: 1.60 in (measured), 2.00 mi N on 2025-05-28.',
  )
})

test('names the nearest of equally large records, and the largest of equally near ones', () => {
  expect(
    sentenceOf([
      aRecord({ hail_size_in: 2, miles_north: 4 }),
      aRecord({ hail_size_in: 2, miles_north: 3 }),
      aRecord({ hail_size_in: 1, miles_north: 3 }),
    ]),
  ).toBe(
    '3 ground reports of hail within 5 mi: largest and nearest 2.00 in (hen egg; measured or estimated: not stated), 3.00 mi N on 2025-05-28.',
  )
})

test('does not borrow a size for a record without one', () => {
  expect(sentenceOf([aRecord({ hail_size_in: null })])).toBe(
    '1 ground report of hail within 5 mi, size not stated, 1.00 mi N on 2025-05-28.',
  )
  expect(sentenceOf([aRecord({ hail_size_in: null }), aRecord({ hail_size_in: null, miles_north: 2 })])).toBe(
    '2 ground reports of hail within 5 mi, size not stated; nearest 1.00 mi N on 2025-05-28.',
  )
  expect(sentenceOf([aRecord({ hail_size_in: null }), aRecord({ hail_size_in: 1.1, miles_north: 2 })])).toBe(
    '2 ground reports of hail within 5 mi: largest 1.10 in (measured or estimated: not stated), 2.00 mi N on 2025-05-28; nearest (size not stated), 1.00 mi N on 2025-05-28.',
  )
})

test('gives the largest and nearest of radar their own days', () => {
  expect(sentenceOf([aRecord({ hail_size_in: 1 }), aCell({ hail_size_in: 1.2, occurred_on: '2025-06-02' })])).toMatch(
    / Radar estimated hail up to 1\.20 in over this location on 2025-06-02\.$/,
  )
  expect(sentenceOf([aRecord({ hail_size_in: 1 }), aCell({ hail_size_in: 2.04, miles_north: -0.42 })])).toMatch(
    / Radar estimated hail up to 2\.04 in, 0\.42 mi S on 2025-05-28\.$/,
  )
  expect(sentenceOf([aCell({ hail_size_in: 0.6 }), aCell({ hail_size_in: 2.2, miles_north: 4, occurred_on: '2025-06-02' })])).toMatch(
    /^Radar estimated hail up to 2\.20 in, 4\.00 mi N on 2025-06-02; nearest 0\.60 in over this location on 2025-05-28\. No ground/,
  )
})

test('states that radar is alone', () => {
  expect(sentenceOf([aCell({ hail_size_in: 1.25 })])).toBe(
    'Radar estimated hail up to 1.25 in over this location on 2025-05-28. No ground report within 5 mi was found. Radar size is an estimate of hail aloft, not a measurement at the ground.',
  )
  expect(sentenceOf([aCell({ hail_size_in: 1.25 })], { window: { ...year2025, radius_miles: 25 } })).toContain(
    'No ground report within 10 mi was found.',
  )
  const unplaced_zones: UnplacedZones[] = [{ state: 'TX', records: 3, types: [{ type: 'high_wind', records: 3 }], table_held: false }]
  expect(sentenceOf([aCell({ hail_size_in: 1.25 })], { unplaced_zones })).toContain(' No ground report of hail within 5 mi was found. ')
})

test('names a missing hail report for radar beside other weather, and any hail report counts', () => {
  const radar = aCell({ hail_size_in: 1.25 })
  const wind = aRecord({ type: 'thunderstorm_wind', wind_gust_mph: 60, qualifier: 'estimated' })
  expect(sentenceOf([radar, wind])).toContain(' No ground report of hail within 5 mi was found. Radar size is an estimate')
  expect(sentenceOf([radar, aCounty({ type: 'hail', hail_size_in: 1 })])).toContain(' No ground report of hail within 5 mi was found. ')
  expect(sentenceOf([radar, aRecord({ type: 'marine_hail', hail_size_in: 1 })])).not.toContain('No ground report')
})

test('states gust or sustained wind and its source, and claims neither if the row gives neither', () => {
  const gust = (mph: number, overrides: object) => aRecord({ type: 'thunderstorm_wind', wind_gust_mph: mph, ...overrides })
  expect(sentenceOf([gust(70, { qualifier: 'estimated', miles_north: -1.2 })])).toBe(
    '1 report of thunderstorm wind within 5 mi: 70 mph (gust; estimated by the source), 1.20 mi S on 2025-05-28.',
  )
  expect(sentenceOf([gust(70, { qualifier: 'unknown', miles_north: 4 }), gust(61, { qualifier: 'measured', miles_north: 2 })])).toBe(
    '2 reports of thunderstorm wind within 5 mi: strongest 70 mph (measured or estimated: not stated), 4.00 mi N on 2025-05-28; nearest 61 mph (gust; measured), 2.00 mi N on 2025-05-28.',
  )
  expect(sentenceOf([aRecord({ type: 'thunderstorm_wind' })])).toBe(
    '1 report of thunderstorm wind within 5 mi, speed not stated, 1.00 mi N on 2025-05-28.',
  )
  expect(sentenceOf([aRecord({ type: 'high_wind', wind_speed_mph: 45, qualifier: 'measured' })])).toBe(
    '1 report of high wind within 5 mi: 45 mph (sustained; measured), 1.00 mi N on 2025-05-28.',
  )
  expect(sentenceOf([aRecord({ type: 'high_wind' })])).toBe('1 high wind record within 5 mi, 1.00 mi N on 2025-05-28.')
})

const track = { type: 'tornado', precision: 'path', tornado_ef_scale: 2, qualifier: 'surveyed', distance_miles: 0.4 } as const

test('does not deny a value that a record with a caveat states', () => {
  const suspect = { caveats: ['The point lies 31 mi outside the county that the source names.'] }
  expect(sentenceOf([aRecord(), aRecord({ hail_size_in: 4, ...suspect })])).toContain(
    '2 ground reports of hail within 5 mi, size not stated without a caveat; nearest 1.00 mi N on 2025-05-28.',
  )
  expect(sentenceOf([aRecord(), aRecord(suspect)])).toContain('2 ground reports of hail within 5 mi, size not stated; nearest')
})

test('names the survey of a tornado if there was one', () => {
  expect(sentenceOf([aRecord(track), aRecord({ type: 'tornado', tornado_ef_scale: 3, qualifier: 'estimated', miles_north: 3 })])).toBe(
    '2 tornado records within 5 mi: strongest EF3 (estimated by the source), 3.00 mi N on 2025-05-28; nearest EF2 (NWS survey), path 0.40 mi N on 2025-05-28.',
  )
  expect(sentenceOf([aRecord({ type: 'tornado' })])).toBe('1 tornado record within 5 mi, strength not rated, 1.00 mi N on 2025-05-28.')
})

test('states the rating of a tornado whose strength is unknown, and does not call it unrated', () => {
  const efu = (overrides: Partial<NearbyRecord> = {}) =>
    aRecord({ ...track, tornado_ef_scale: null, description: 'No damage was found. Rated EFU by the source.', ...overrides })
  const unrated = aRecord({ type: 'tornado', miles_north: 3 })
  const near = 'EFU (strength unknown; NWS survey), path 0.40 mi N on 2025-05-28.'
  expect(sentenceOf([efu()])).toBe(`1 tornado record within 5 mi: ${near}`)
  expect(sentenceOf([efu(), efu({ distance_miles: 2 })])).toBe(`2 tornado records within 5 mi; nearest ${near}`)
  expect(sentenceOf([unrated, efu()])).toBe(`2 tornado records within 5 mi; nearest ${near}`)
  expect(sentenceOf([unrated, efu({ distance_miles: 4 })])).toBe(
    '2 tornado records within 5 mi; nearest (strength not rated), 3.00 mi N on 2025-05-28.',
  )
})

test('gives a tornado the scale of its row', () => {
  const rated = (rating: string, overrides: Partial<NearbyRecord> = {}) =>
    aRecord({ ...track, qualifier: 'estimated', description: `A barn was lost. Rated ${rating} by the source.`, ...overrides })
  expect(sentenceOf([rated('F2', { occurred_on: '1992-10-07' })])).toContain(
    ': F2 (estimated by the source), path 0.40 mi N on 1992-10-07.',
  )
  expect(sentenceOf([rated('EF2')])).toContain(': EF2 (estimated by the source),')
  const filed = rated('F2', { occurred_on: '1992-10-08' })
  filed.description += ' Filed by the source under 1992-10-07, local standard time.'
  expect(sentenceOf([filed])).toContain(': F2 (estimated by the source),')
  // A number alone uses the scale of its date.
  expect(sentenceOf([aRecord({ ...track, occurred_on: '2007-01-31' })])).toContain(': F2 (NWS survey),')
  expect(sentenceOf([aRecord({ ...track, occurred_on: '2007-02-01' })])).toContain(': EF2 (NWS survey),')
})

test('begins with the phenomenon whose nearest primary record is the most severe', () => {
  const first = (records: Records) => sentenceOf(records).split(' within ')[0]
  const hail = aRecord({ hail_size_in: 3, miles_north: 2 })
  const tornado = aRecord({ type: 'tornado', tornado_ef_scale: 0, miles_north: 1 })
  const wind = aRecord({ type: 'thunderstorm_wind', wind_gust_mph: 60, miles_north: 0.5 })
  expect(first([wind, tornado, hail])).toBe('1 ground report of hail')
  expect(first([wind, tornado, aRecord({ hail_size_in: 1, miles_north: 2 })])).toBe('1 tornado record')
  expect(first([wind, aRecord({ type: 'tornado', tornado_ef_scale: 4, miles_north: 4 })])).toBe('1 report of thunderstorm wind')
})

test('orders equally severe phenomena as people ask about them', () => {
  const statement = sentenceOf([
    aRecord({ type: 'thunderstorm_wind', miles_north: 4 }),
    aRecord({ hail_size_in: 1, miles_north: 4 }),
    aRecord({ type: 'funnel_cloud', miles_north: 4 }),
    aRecord({ type: 'tornado', miles_north: 4 }),
  ])
  const order = ['1 tornado record', '1 ground report of hail', '1 report of thunderstorm wind', '1 funnel cloud record'].map((part) =>
    statement.indexOf(part),
  )
  expect(order.every((at) => at >= 0)).toBe(true)
  expect(order).toEqual([...order].sort((a, b) => a - b))
})

test('names other families by type', () => {
  expect(sentenceOf([aRecord({ type: 'flash_flood', miles_north: 0.8 }), aRecord({ type: 'flash_flood', miles_north: 2 })])).toBe(
    '2 flash flood records within 5 mi; nearest 0.80 mi N on 2025-05-28.',
  )
  const area = { type: 'flash_flood', precision: 'area' } as const
  expect(sentenceOf([aRecord({ ...area, distance_miles: 0 })])).toBe(
    '1 flash flood record within 5 mi, area over this location on 2025-05-28.',
  )
  expect(sentenceOf([aRecord({ ...area, distance_miles: 0.31 })])).toBe('1 flash flood record within 5 mi, area 0.31 mi N on 2025-05-28.')
})

test('gives no direction at the place itself', () => {
  expect(sentenceOf([aRecord({ hail_size_in: 1, miles_north: 0.03 })])).toMatch(/, 0\.03 mi on 2025-05-28\.$/)
})

test('separates county records, and none of them counts as within', () => {
  const canadian = { type: 'hail', county: 'Canadian', county_fips: '40017', state: 'OK' } as const
  const oklahoma = { county: 'Oklahoma', county_fips: '40109', state: 'OK' } as const
  const statement = sentenceOf([
    aRecord({ hail_size_in: 1, miles_north: 2 }),
    aCounty({ ...canadian, hail_size_in: 4.5, occurred_on: '2025-08-17' }),
    aCounty({ ...oklahoma, type: 'hail', hail_size_in: 1.75, occurred_on: '2025-09-01' }),
    aCounty({ ...oklahoma, type: 'thunderstorm_wind', occurred_on: '2025-09-02' }),
  ])
  expect(statement).toBe(
    '1 ground report of hail within 5 mi: 1.00 in (quarter; measured or estimated: not stated), 2.00 mi N on 2025-05-28. 3 county records of hail and thunderstorm wind for Oklahoma and Canadian counties; they name the county, not a point (largest hail 4.50 in, Canadian County, 2025-08-17).',
  )
})

test("states the newest day for county records without a value, and one record's own day", () => {
  expect(sentenceOf([aCounty({ occurred_on: '2025-03-04' }), aCounty({ occurred_on: '2025-01-05' })])).toBe(
    '2 county records of high wind for Collin County; they name the county, not a point (most recent 2025-03-04).',
  )
  expect(sentenceOf([aCounty({ county: 'Orleans', state: 'LA', county_fips: '22071' })])).toBe(
    '1 county record of high wind for Orleans Parish; it names the county, not a point (2025-05-28).',
  )
})

test('names the zones of zone records, and the strongest value with its zone and day', () => {
  const zone = (overrides: Parameters<typeof aRecord>[0]) =>
    aRecord({ type: 'high_wind', precision: 'zone', county: null, county_fips: null, state: 'NY', ...overrides })
  const niagara = { zone: 'NYZ001', zone_name: 'Niagara', wind_gust_mph: 74, qualifier: 'measured', occurred_on: '2019-02-24' } as const
  const erie = { zone: 'NYZ010', zone_name: 'Northern Erie' }
  expect(sentenceOf([zone(niagara)])).toBe(
    '1 zone record of high wind for Niagara (NYZ001); it names a forecast zone, not a point (gust 74 mph measured, Niagara, 2019-02-24).',
  )
  const later = zone({ ...erie, wind_speed_mph: 46, qualifier: 'estimated', occurred_on: '2019-03-01' })
  expect(sentenceOf([later, zone(niagara), zone({ ...erie, occurred_on: '2019-03-02' })])).toBe(
    '3 zone records of high wind for Northern Erie (NYZ010) and Niagara (NYZ001); they name a forecast zone, not a point (strongest gust 74 mph measured, Niagara, 2019-02-24).',
  )
  const snow = { type: 'heavy_snow' as const, occurred_on: '2019-01-31' }
  expect(sentenceOf([zone({ ...snow, ...erie }), zone({ ...snow, zone: 'NYZ001', type: 'blizzard' })])).toContain(
    '2 zone records of blizzard and heavy snow for NYZ001 and Northern Erie (NYZ010); they name a forecast zone, not a point (most recent 2019-01-31).',
  )
})

test('counts many counties, and adds the state if there are two', () => {
  const names = ['Alfalfa', 'Beaver', 'Caddo', 'Dewey', 'Ellis', 'Garvin', 'Harper']
  const counties = names.map((county, at) => aCounty({ county, county_fips: `4000${at}`, state: 'OK' }))
  expect(sentenceOf(counties)).toContain(' for Alfalfa, Beaver, Caddo, Dewey, Ellis and 2 more counties; ')
  expect(sentenceOf(counties.slice(1))).toContain(' for Beaver, Caddo, Dewey, Ellis, Garvin and 1 more county; ')
  const parishes = ['Acadia', 'Allen', 'Caddo', 'Grant', 'Jackson', 'Orleans'].map((county, at) =>
    aCounty({ county, county_fips: `2200${at}`, state: 'LA' }),
  )
  expect(sentenceOf(parishes)).toContain(' for Acadia, Allen, Caddo, Grant, Jackson and 1 more parish; ')
  const union = { county: 'Union', county_fips: '05139', state: 'AR' }
  expect(sentenceOf([aCounty(union), aCounty({ ...union, county_fips: '22111', state: 'LA' })])).toContain(
    ' for Union County (AR) and Union Parish (LA); ',
  )
})

test('uses no value of a record with a caveat, and counts such records', () => {
  const caveats = ['The hour is unsure: the file of 1992 names the zone PST in every state.']
  const suspect = aRecord({ hail_size_in: 4, miles_north: 0.2, caveats })
  expect(sentenceOf([suspect, aRecord({ hail_size_in: 1, miles_north: 2 }), aRecord({ hail_size_in: 2, miles_north: 4 })])).toBe(
    '3 ground reports of hail within 5 mi: largest 2.00 in (hen egg; measured or estimated: not stated), 4.00 mi N on 2025-05-28; nearest 1.00 in (quarter), 2.00 mi N on 2025-05-28. 1 of the 3 records carries a caveat: no figure here is of it.',
  )
  expect(sentenceOf([suspect])).toBe('1 ground report of hail within 5 mi, with a caveat.')
  expect(sentenceOf([aCounty({ caveats }), aCounty({ caveats })])).toBe(
    '2 county records of high wind for Collin County; they name the county, not a point, each with a caveat.',
  )
})

test('always states the source, final or preliminary, and the time zone of the dates', () => {
  const view = { place: frisco, window: year2025, sample: false }
  expect(statementOf([aRecord({ hail_size_in: 1 })], view)).toMatch(new RegExp(`${TAIL.replace(/[().]/g, '\\$&')}$`))
  const mixed = statementOf([aRecord(), aRecord({ source: 'nws_lsr', preliminary: true })], view)
  expect(mixed).toMatch(/ Sources: NOAA Storm Events Database \(final\) and .+ \(preliminary\)\. Dates/)
  expect(statementOf([aRecord({ latitude: 32.0, longitude: -106.0 })], view)).toContain('Dates are local (Mountain Time).')
  const across = aCounty({ county: 'El Paso', county_fips: '48141' })
  expect(statementOf([across], view)).toContain('Dates are local (Mountain Time).')
  expect(statementOf([aCounty({ precision: 'zone', zone: 'TXZ104' })], view)).toContain('Dates are local (Central Time).')
  const then = { latitude: 58.3, longitude: -134.42 }
  expect(statementOf([aRecord(then)], view)).toContain('Dates are local (Alaska Time).')
  expect(statementOf([aRecord({ ...then, begins_at: new Date('1975-07-01T12:00:00Z') })], view)).toContain(
    'Dates are local (Pacific Time).',
  )
  expect(statementOf([aRecord({ latitude: 42.33, longitude: -83.05 })], view)).toContain('Dates are local (Eastern Time).')
})

test('from a ZIP or a city, distances are to a tenth of a mile from its centre, and nothing is over the address', () => {
  const records = [aRecord({ hail_size_in: 1, miles_north: 0.84 }), aCell({ hail_size_in: 1.5 })]
  const { findings, coverage } = reportOf(records, { place: zip })
  expect(findings[0]?.statement).toMatch(
    /^1 ground report of hail within 5 mi: 1\.00 in \(quarter; measured or estimated: not stated\), 0\.8 mi N on 2025-05-28\. Radar estimated hail up to 1\.50 in over the centre of ZIP 75034 on 2025-05-28\. .* Distances are from the centre of ZIP 75034, not from the building\.$/,
  )
  expect(coverage.summary).toMatch(/Distances are from the centre of ZIP 75034, not from the building\.$/)
  const city = reportOf(records, { place: { ...frisco, precision: 'city' } })
  expect(city.findings[0]?.statement).toMatch(/ Distances are from the centre of Frisco, not from the building\.$/)
})

test('states that nothing was found', () => {
  const searched = { place: frisco, window: year2025, sources: ['noaa_storm_events'], provisional: false, unplaced_zones: [] }
  expect(nothingFound(searched)).toBe(
    'No records were found within 5 mi from 2025-01-01 to 2025-12-31 in the 1 source searched. Absence of a record does not show that none occurred.',
  )
  expect(nothingFound({ ...searched, sources: [] })).toContain('from 2025-01-01 to 2025-12-31: no source was searched for that time.')
  expect(nothingFound({ ...searched, place: zip })).toMatch(/ Distances are from the centre of ZIP 75034, not from the building\.$/)
  const types = [{ type: 'high_wind' as const, records: 11 }]
  expect(nothingFound({ ...searched, unplaced_zones: [{ state: 'NY', records: 11, types, table_held: false }] })).toMatch(
    /^11 forecast-zone records of New York in this window \(high wind\) could not be placed: no zone table is held\. No record that names a point or a county was found within 5 mi /,
  )
})

test('states of which weather alone the searched sources have records', () => {
  const older = (start: string, end: string, sources = ['noaa_storm_events']) =>
    nothingFound({ place: frisco, window: { start, end, radius_miles: 5 }, sources, provisional: false, unplaced_zones: [] })
  const tornado = 'Before 1955 the only records in the NOAA Storm Events Database are of tornado.'
  const storms = 'Before 1996 the only records in the NOAA Storm Events Database are of tornado, thunderstorm wind and hail.'
  const end = ' Absence of a record does not show that none occurred.'
  expect(older('1995-12-31', '1996-12-31')).toContain(` searched. ${storms}${end}`)
  expect(older('1954-12-31', '1955-01-01')).toContain(` searched. ${tornado} ${storms}${end}`)
  expect(older('1950-01-01', '1954-12-31')).toContain(` searched. ${tornado}${end}`)
  expect(older('1996-01-01', '1996-12-31')).toContain(` searched.${end}`)
  // What was never imported was not searched, whatever its types.
  expect(older('1994-01-01', '1994-12-31', [])).not.toContain('only records')
  expect(reportOf([], { window: { start: '1994-01-01', end: '1994-12-31', radius_miles: 5 } }).coverage.summary).toContain(
    '; before 1996 the only records in the NOAA Storm Events Database are of tornado, thunderstorm wind and hail; ',
  )
})

test('after the final record, states what the daily lists have unless another source has all types', () => {
  const recent = (sources: string[], provisional: boolean) =>
    nothingFound({ place: frisco, window: year2025, sources, provisional, unplaced_zones: [] })
  const clause = 'The only records in the NOAA Storm Prediction Center daily reports are of tornado, thunderstorm wind and hail.'
  expect(recent(['noaa_spc_reports'], true)).toContain(clause)
  expect(recent(['noaa_spc_reports', 'noaa_storm_events'], true)).toContain(clause)
  expect(recent(['noaa_spc_reports', 'noaa_storm_events'], false)).not.toContain(clause)
  expect(recent(['noaa_spc_reports', 'nws_lsr'], true)).not.toContain(clause)
})

test('a date of loss without a record states of which weather alone there are records', () => {
  const window = { start: '1994-12-01', end: '1995-02-15', radius_miles: 5 }
  const statement = (...records: Parameters<typeof reportOf>[0]) =>
    reportOf(records, { window, loss: { date: '1995-01-10', warnings: [] } }).day_of_loss?.statement
  expect(statement()).toContain('none occurred. Before 1996 the only records in the NOAA Storm Events Database are of tornado, ')
  expect(statement(aRecord({ hail_size_in: 1, occurred_on: '1995-01-10', begins_at: new Date('1995-01-10T23:10:00Z') }))).not.toContain(
    'only records',
  )
})

test('a date of loss without a record, in a month that was compiled early, states that offices may be missing', () => {
  const early = { from: '2025-05', to: '2025-06', compiled_on: '2025-08-20', has_preliminary: false }
  const statement = (date: string, ...records: Parameters<typeof reportOf>[0]) =>
    reportOf(records, { coverage: aCoverage({ early }), loss: { date, warnings: [] } }).day_of_loss?.statement
  expect(statement('2025-05-28')).toContain(' The records of 2025-05 may lack whole offices: they were compiled on 2025-08-20. ')
  expect(statement('2025-05-28', aRecord({ hail_size_in: 1 }))).not.toContain('whole offices')
  expect(statement('2025-04-28')).not.toContain('whole offices')
  expect(statement('2025-07-28')).not.toContain('whole offices')
})

test('states that made-up evidence is made up wherever it is used', () => {
  const { headline, findings, coverage, sample } = reportOf([aRecord({ source: 'sample', hail_size_in: 1.75 })], {
    coverage: aCoverage({ sample: true, sources: [{ source: 'sample', label: 'Sample, made up', compiled_on: null, preliminary: false }] }),
  })
  expect(sample).toBe(true)
  for (const text of [headline, coverage.summary, ...findings.map((finding) => finding.statement)])
    expect(text).toMatch(/^Sample, made up: /)
  expect(nothingFound({ place: frisco, window: year2025, sources: ['sample'], provisional: false, unplaced_zones: [] })).toMatch(
    /^Sample, made up: No records/,
  )
})
