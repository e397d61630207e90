import { describe, expect, test } from 'vitest'
import { differences } from './compare.ts'
import { coverageDifferences, coverageExpected, holdingsOf } from './coverage.ts'
import { expectedOf, type Question } from './expected.ts'
import { factsOf } from './facts.ts'
import type { LiveAnswer } from './service.ts'

const row = {
  EVENT_ID: '7',
  EVENT_TYPE: 'Hail',
  CZ_TYPE: 'C',
  STATE_FIPS: '48',
  CZ_FIPS: '85',
  CZ_NAME: 'COLLIN',
  CZ_TIMEZONE: 'CST-6',
  BEGIN_YEARMONTH: '201907',
  BEGIN_DAY: '3',
  BEGIN_TIME: '2330',
  MAGNITUDE: '2.75',
  MAGNITUDE_TYPE: '',
  BEGIN_LAT: '33.15',
  BEGIN_LON: '-96.82',
  END_LAT: '33.15',
  END_LON: '-96.82',
}
const question: Question = { place: [-96.82, 33.1], start: '2019-07-04', end: '2019-07-04', radius_miles: 5 }
const expected = expectedOf(question, factsOf([row], []), new Map())

const sentence =
  'Final records through 2019-07-04; 2 forecast-zone records of Texas in this window (blizzard, high wind) could not be placed: the zone table held does not name their zones; radar not held.'

/** A correct answer of a service, with parts of it changed. */
function answer(change: { record?: object; finding?: object; report?: object; verification?: object } = {}): LiveAnswer {
  const record = {
    type: 'hail',
    family: 'thunderstorm',
    severity: 'extreme',
    // 23:30 standard time in July is the next day in daylight saving time.
    occurred_on: '2019-07-04',
    begins_at: '2019-07-04T05:30:00Z',
    measurements: { wind_speed_mph: null, wind_gust_mph: null, hail_size_in: 2.75, tornado_ef_scale: null },
    location: { latitude: 33.15, longitude: -96.82, precision: 'point' },
    relevance: { distance_miles: 3.45, bearing: 'N' },
    provenance: {
      source: 'noaa_storm_events',
      citation_url: 'https://www.ncdc.noaa.gov/stormevents/eventdetails.jsp?id=7',
      caveats: [] as string[],
    },
    ...change.record,
  }
  const peaks = { peak_severity: 'extreme', peak_hail_in: 2.75, peak_wind_mph: null, peak_tornado_ef: null, nearest_miles: 3.45 }
  const finding = { family: 'thunderstorm', event_count: 1, confidence: 'medium', ...peaks, ...change.finding }
  const report = {
    id: 'x',
    status: 'complete',
    failure_reason: null,
    address: { latitude: 33.1, longitude: -96.82 },
    event_count: 1,
    findings: [finding],
    headline: 'Hail 2.75 in; 1 record in all; coverage incomplete',
    nothing_found: null,
    coverage: { complete: false, provisional: true, summary: sentence, sources_searched: ['noaa_storm_events'], unplaced_zone_records: 2 },
  }
  return { report: { ...report, ...change.report }, records: [record], verification: { authoritative: false, ...change.verification } }
}

const zone = (EVENT_ID: string, EVENT_TYPE: string, CZ_FIPS: string) =>
  Object.assign(
    { ...row },
    { EVENT_ID, EVENT_TYPE, CZ_FIPS, CZ_TYPE: 'Z', MAGNITUDE: '', BEGIN_LAT: '', BEGIN_LON: '', END_LAT: '', END_LON: '' },
  )
const holdings = holdingsOf(
  factsOf([row, zone('8', 'High Wind', '103'), zone('9', 'Blizzard', '103'), zone('10', 'Blizzard', '104')], []),
  new Map([['TXZ104', new Set(['48085'])]]),
  { warnings: '', observations: '', searched: () => [] },
)
const searched = coverageExpected(question, expected, holdings)

describe('the comparison of what was searched', () => {
  const other = (coverage: object) => answer({ report: { coverage: { ...answer().report.coverage, ...coverage } } })

  test('finds nothing if the answer is correct', () => {
    // For 2019 only a row of July is filed: the month held is July, and final data reach to its end.
    expect(coverageDifferences(question, searched, other({ complete: true, provisional: false }))).toEqual([])
  })

  test.each([
    ['a record too few', { unplaced_zone_records: 1 }],
    ['what is missing as whole', { complete: false }],
    ['what is final as provisional', { provisional: true }],
    ['a source of another state', { sources_searched: ['noaa_storm_events', 'nws_warnings'] }],
    ['silence', { summary: 'Final records through 2019-07-04.' }],
    ['another reason', { summary: sentence.replace('the zone table held does not name their zones', 'no zone table is held') }],
    ['a type too few', { summary: sentence.replace('blizzard, ', '') }],
    ['another state', { summary: sentence.replace('Texas', 'Kansas') }],
  ])('finds %s', (_name, coverage) => {
    expect(coverageDifferences(question, searched, other({ complete: true, provisional: false, ...coverage }))).not.toEqual([])
  })

  test('finds silence about the weather that was not listed then, and a clause about a later year', () => {
    const right = other({ complete: true, provisional: false })
    const found = (start: string) => coverageDifferences({ ...question, start, end: start }, searched, right).join('\n')
    expect(found('1994-07-04')).toContain('what was listed before 1996 is said wrongly')
    expect(found('1954-07-04')).toContain('what was listed before 1955 is said wrongly')
    expect(found('1993-07-04')).toContain('what the database lost is said wrongly')
    expect(found('1993-08-04')).not.toContain('lost')
    const summary = `${right.report.coverage.summary} before 1996 the only records in the NOAA Storm Events Database are of tornado, thunderstorm wind and hail`
    expect(coverageDifferences(question, searched, other({ complete: true, provisional: false, summary })).join()).toContain('before 1996')
  })

  test('finds silence about months that were compiled early', () => {
    const right = other({ complete: true, provisional: false })
    expect(coverageDifferences(question, { ...searched, early: true }, right).join()).toContain('what was compiled early is said wrongly')
  })

  test('finds a wrong authority, and a headline that claims completeness', () => {
    const right = other({ complete: true, provisional: false })
    expect(coverageDifferences(question, searched, { ...right, verification: { authoritative: true } })).not.toEqual([])
    const headline = 'Hail 2.75 in; 1 record in all'
    expect(coverageDifferences(question, searched, { ...right, report: { ...right.report, headline } })).not.toEqual([])
  })
})

describe('the comparison', () => {
  test('finds nothing if the answer is correct', () => {
    expect(differences(question, expected, answer())).toEqual([])
  })

  // The number is that of a county in the far west of the state.
  const suspect = expectedOf(question, factsOf([{ ...row, CZ_FIPS: '141', CZ_NAME: 'EL PASO' }], []), new Map())
  const caveats = ['The point lies 540 mi outside the county that the source names (El Paso, TX).']
  const doubtful = { provenance: { source: 'noaa_storm_events', citation_url: 'https://example.com/?id=7', caveats } }
  const unsupported = { peak_severity: 'unknown', peak_hail_in: null, confidence: 'low' }

  test('takes no peak and no confidence from doubted records', () => {
    expect(differences(question, suspect, answer({ record: doubtful, finding: unsupported }))).toEqual([])
    expect(differences(question, suspect, answer({ record: doubtful }))).toHaveLength(3)
    expect(differences(question, suspect, answer({ finding: unsupported }))).toHaveLength(1)
  })

  test.each([
    ['a caveat of its own', { record: doubtful }],
    ['another precision', { record: { location: { latitude: 33.15, longitude: -96.82, precision: 'path' } } }],
    ['another point', { record: { location: { latitude: 33.16, longitude: -96.82, precision: 'point' } } }],
    ['low confidence', { finding: { confidence: 'low' } }],
    ['another event', { record: { provenance: { source: 'noaa_storm_events', citation_url: 'https://example.com/?id=8', caveats: [] } } }],
    ['another source', { record: { provenance: { source: 'sample', citation_url: 'https://example.com/?id=7', caveats: [] } } }],
    ['the date of the file', { record: { occurred_on: '2019-07-03' } }],
    ['an hour too early', { record: { begins_at: '2019-07-04T04:30:00Z' } }],
    [
      'another size',
      { record: { measurements: { wind_speed_mph: null, wind_gust_mph: null, hail_size_in: 2.5, tornado_ef_scale: null } } },
    ],
    ['a hundredth of a mile', { record: { relevance: { distance_miles: 3.46, bearing: 'N' } } }],
    ['no distance', { record: { relevance: { distance_miles: null, bearing: 'N' } } }],
    ['another direction', { record: { relevance: { distance_miles: 3.45, bearing: 'NNE' } } }],
    ['another severity', { record: { severity: 'severe' } }],
    ['another count', { report: { event_count: 2 } }],
    ['a finding too few', { report: { findings: [] } }],
    ['another family', { finding: { family: 'flood' } }],
    ['another peak', { finding: { peak_hail_in: 2 } }],
    ['another nearest', { finding: { nearest_miles: 3.4 } }],
    ['another place', { report: { address: { latitude: 33.1, longitude: -96.8 } } }],
    ['a failure', { report: { status: 'failed' } }],
  ])('finds %s', (_name, change) => {
    expect(differences(question, expected, answer(change))).not.toEqual([])
  })
})
