import { describe, expect, test } from 'vitest'
import { differences } from './compare.ts'
import { expectedOf, type Question } from './expected.ts'
import { factsOf } from './facts.ts'
import type { LiveAnswer } from './service.ts'

const row = {
  EVENT_ID: '7',
  EVENT_TYPE: 'Hail',
  CZ_TYPE: 'C',
  STATE_FIPS: '48',
  CZ_FIPS: '85',
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
const expected = expectedOf(question, factsOf([row], []))

/** What a service answers that is right, with parts of it changed. */
function answer(change: { record?: object; finding?: object; report?: object } = {}): LiveAnswer {
  const record = {
    type: 'hail',
    family: 'thunderstorm',
    severity: 'extreme',
    // 23:30 standard time in July is the next day by the clock on the wall.
    occurred_on: '2019-07-04',
    begins_at: '2019-07-04T05:30:00Z',
    measurements: { wind_speed_mph: null, wind_gust_mph: null, hail_size_in: 2.75, tornado_ef_scale: null },
    relevance: { distance_miles: 3.45, bearing: 'N' },
    provenance: { source: 'noaa_storm_events', citation_url: 'https://www.ncdc.noaa.gov/stormevents/eventdetails.jsp?id=7' },
    ...change.record,
  }
  const peaks = { peak_severity: 'extreme', peak_hail_in: 2.75, peak_wind_mph: null, peak_tornado_ef: null, nearest_miles: 3.45 }
  const finding = { family: 'thunderstorm', event_count: 1, ...peaks, ...change.finding }
  const report = {
    id: 'x',
    status: 'complete',
    failure_reason: null,
    address: { latitude: 33.1, longitude: -96.82 },
    event_count: 1,
    findings: [finding],
  }
  return { report: { ...report, ...change.report }, records: [record] }
}

describe('the comparison', () => {
  test('finds nothing where the answer is right', () => {
    expect(differences(question, expected, answer())).toEqual([])
  })

  test.each([
    ['another event', { record: { provenance: { source: 'noaa_storm_events', citation_url: 'https://example.com/?id=8' } } }],
    ['another source', { record: { provenance: { source: 'sample', citation_url: 'https://example.com/?id=7' } } }],
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
