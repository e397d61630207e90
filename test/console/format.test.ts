import { expect, test, vi } from 'vitest'
import {
  bands,
  countedType,
  distance,
  inches,
  isRadarOnly,
  localDate,
  nearestOf,
  qualifierOf,
  recordInWords,
  squareMiles,
  startOfDay,
  windOfRecord,
} from '../../console/parts/format.ts'

test('a size and a distance are formatted as in a report', () => {
  expect([1.5, 2, 0.88, null].map(inches)).toEqual(['1.50 in', '2.00 in', '0.88 in', '–'])
  expect([distance(0.8, 'address'), distance(0.84, null), distance(0.84, 'zip'), distance(12, 'city')]).toEqual([
    '0.80 mi',
    '0.84 mi',
    '0.8 mi',
    '12.0 mi',
  ])
})

test('the nearest record of a territory is inside it, and that of a property at its distance', () => {
  const property = { object: 'property', precision: 'city' }
  const territory = { object: 'territory', precision: null }
  const nearest = [
    { nearest_miles: 0, subject: property },
    { nearest_miles: 3.62, subject: { ...property, precision: 'point' } },
    { nearest_miles: 0, subject: territory },
    { nearest_miles: null, subject: territory },
  ]
  expect(nearest.map(nearestOf)).toEqual(['0.0 mi', '3.62 mi', 'inside', '–'])
})

test('radar alone saw a storm only if it saw one', () => {
  const exposures = [
    { observed: false, largest_detected_in: 1.5 },
    { observed: true, largest_detected_in: 1.5 },
    { observed: false, largest_detected_in: null },
  ]
  expect(exposures.map(isRadarOnly)).toEqual([true, false, false])
})

test('an area has one form, whatever its size', () => {
  expect([34.16, 0.03, 5000].map(squareMiles)).toEqual(['34.16 sq mi', '0.03 sq mi', '5,000 sq mi'])
})

test('bands of a hazard have no space before their commas; one without a figure says of what', () => {
  const [ground, radar] = [{ range: '1.75 to 2.75 in' }, { range: '1 to 1.75 in' }]
  expect([
    bands('size', ['', ground], ['by radar', radar]),
    bands('size', ['', { range: null }], ['by radar', radar]),
    bands('speed', ['reported', { range: null }], ['measured', { range: '58 to 70 mph' }]),
    bands('size', ['', ground], ['by radar', null]),
  ]).toEqual([
    '1.75 to 2.75 in, 1 to 1.75 in by radar',
    'size not stated, 1 to 1.75 in by radar',
    'reported (speed not stated), 58 to 70 mph measured',
    '1.75 to 2.75 in',
  ])
})

test('a count of records says whether radar estimates are among them', () => {
  const hail = { label: 'hail', event_count: 14 }
  const counts = [['ground', 'instrument'], ['ground', 'radar'], ['radar']].map((evidence_kinds) =>
    countedType({ ...hail, evidence_kinds }),
  )
  expect(counts).toEqual(['hail 14', 'hail 14 (some estimated by radar)', 'hail 14 (estimated by radar)'])
})

test('a record in words never passes a radar estimate off as a report, and has no comma for a figure that it lacks', () => {
  const hail = { type: 'hail', hail_size_in: 1.25, wind_gust_mph: null, wind_speed_mph: null, tornado_rating: null, is_radar: false }
  expect([
    recordInWords(hail),
    recordInWords({ ...hail, is_radar: true }),
    recordInWords({ ...hail, type: 'flash_flood', hail_size_in: null }),
    recordInWords({ ...hail, type: 'thunderstorm_wind', hail_size_in: null, wind_gust_mph: 60 }),
    recordInWords({ ...hail, type: 'high_wind', hail_size_in: null, wind_speed_mph: 45 }),
  ]).toEqual([
    'Hail, 1.25 in',
    'Hail, 1.25 in, estimated by radar',
    'Flash flood',
    'Thunderstorm wind, 60 mph',
    'High wind, 45 mph sustained',
  ])
})

test('only a figure is measured or estimated: a tornado without a rating is neither', () => {
  const none = { hail_size_in: null, wind_gust_mph: null, wind_speed_mph: null, tornado_rating: null }
  expect([
    qualifierOf('estimated', none),
    qualifierOf('estimated', { ...none, tornado_rating: 'EFU' }),
    qualifierOf('unknown', { ...none, hail_size_in: 1 }),
    qualifierOf(null, { ...none, wind_gust_mph: 60 }),
  ]).toEqual([null, 'estimated', 'measured or estimated: not stated', null])
})

test('the wind of a record is its gust, else its sustained speed', () => {
  const winds = [
    { wind_gust_mph: 60, wind_speed_mph: 45 },
    { wind_gust_mph: null, wind_speed_mph: 45 },
    { wind_gust_mph: null, wind_speed_mph: null },
  ]
  expect(winds.map(windOfRecord)).toEqual(['60 mph', '45 mph sustained', '–'])
})

test.each([
  ['America/Chicago', '2026-06-03T05:00:00.000Z'],
  ['Asia/Tokyo', '2026-06-02T15:00:00.000Z'],
])('a date begins at midnight of the reader, and ends a millisecond before the next: %s', (zone, begins) => {
  vi.stubEnv('TZ', zone)
  expect(startOfDay('2026-06-03')).toBe(begins)
  expect([0, -1].map((ms) => localDate(Date.parse(begins) + ms))).toEqual(['2026-06-03', '2026-06-02'])
  vi.unstubAllEnvs()
})
