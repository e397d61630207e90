import { expect, test } from 'vitest'
import { corroboration } from '#domain/evidence/corroborate.ts'
import { relevanceOf } from '#domain/evidence/relevance.ts'
import { aCell, aCounty, aDayCell, after, aGust, aRecord } from '../reports/record-factories.ts'

type Overrides = Parameters<typeof aRecord>[0]
const report = (overrides: Overrides = {}) => aRecord({ hail_size_in: 1, ...overrides })
/** Whether the second record corroborates the first. */
const pair = (first: ReturnType<typeof aRecord>, second: ReturnType<typeof aRecord>) => corroboration([first, second], [])(first)

test('a report and radar, or a report and an instrument, corroborate one another', () => {
  expect(pair(report(), aCell())).toBe(true)
  expect(pair(aCell(), report())).toBe(true)
  expect(pair(report({ type: 'thunderstorm_wind' }), report({ type: 'thunderstorm_wind', evidence_kind: 'instrument' }))).toBe(true)
})

test("a day's largest cell has no time and corroborates nothing", () => {
  const hours = { begins_at: after(0), ends_at: after(24 * 60) }
  expect(pair(report(), aCell(hours))).toBe(true)
  expect(pair(report(), aDayCell(hours))).toBe(false)
})

test('people are one channel, unless they were over a mile apart and different kinds of reporter', () => {
  const here: Overrides = { reporter: 'Trained Spotter', miles_north: 0.5 }
  expect(pair(report(here), report({ reporter: 'Public', miles_north: 2 }))).toBe(true)
  expect(pair(report(here), report({ reporter: 'Public', miles_north: 1.2 }))).toBe(false)
  expect(pair(report(here), report({ reporter: 'TRAINED SPOTTER ', miles_north: 2 }))).toBe(false)
  expect(pair(report(here), report({ reporter: null, miles_north: 2 }))).toBe(false)
})

test('radar never corroborates radar, and a station never corroborates itself', () => {
  expect(pair(aCell(), aCell({ source: 'nexrad_hail', miles_north: 3 }))).toBe(false)
  const station: Overrides = { type: 'thunderstorm_wind', evidence_kind: 'instrument' }
  expect(pair(report(station), report({ ...station, begins_at: after(20) }))).toBe(false)
  expect(pair(report(station), report({ ...station, miles_north: 5 }))).toBe(true)
})

test('the limits are one hour and ten miles; midnight does not matter', () => {
  expect(pair(report(), aCell({ begins_at: after(60) }))).toBe(true)
  expect(pair(report(), aCell({ begins_at: after(-60) }))).toBe(true)
  expect(pair(report(), aCell({ begins_at: after(61) }))).toBe(false)
  expect(pair(report({ miles_north: 1 }), aCell({ miles_north: 10.9 }))).toBe(true)
  expect(pair(report({ miles_north: 1 }), aCell({ miles_north: 11.1 }))).toBe(false)
  expect(pair(report({ occurred_on: '2025-05-28' }), aCell({ occurred_on: '2025-05-29' }))).toBe(true)
})

test('a record with a caveat corroborates none', () => {
  const caveats = ['The time zone is unsure: the source says PST in every state.']
  expect(pair(report({ caveats }), aCell())).toBe(true)
  expect(pair(aCell(), report({ caveats }))).toBe(false)
})

test.each([
  ['hail', 'marine_hail', true],
  ['thunderstorm_wind', 'high_wind', true],
  ['tornado', 'funnel_cloud', true],
  ['tornado', 'waterspout', true],
  ['flood', 'flash_flood', true],
  ['lightning', 'lightning', true],
  ['hail', 'thunderstorm_wind', false],
  ['tornado', 'hail', false],
  ['heavy_rain', 'flash_flood', false],
  ['dust_devil', 'high_wind', false],
] as const)('%s and %s: %s', (one, other, expected) => {
  expect(pair(report({ type: one, reporter: 'Public' }), report({ type: other, reporter: 'Law Enforcement', miles_north: 4 }))).toBe(
    expected,
  )
})

test('a record that names a county corroborates nothing: its location is unknown', () => {
  expect(pair(report({ type: 'high_wind' }), aCounty({ evidence_kind: 'instrument' }))).toBe(false)
})

test('measures between the nearest parts of a path', () => {
  const track = report({
    type: 'tornado',
    precision: 'path',
    miles_north: 30,
    end_latitude: 33.3,
    end_longitude: -96.82,
    reporter: 'NWS Storm Survey',
  })
  expect(pair(report({ type: 'funnel_cloud', reporter: 'Public', miles_north: 1 }), track)).toBe(true)
})

test('a severe gust at a station corroborates wind, not hail', () => {
  const wind = report({ type: 'thunderstorm_wind' })
  const hail = report()
  expect(corroboration([wind, hail], [aGust()])(wind)).toBe(true)
  expect(corroboration([wind, hail], [aGust()])(hail)).toBe(false)
  expect(corroboration([wind], [aGust({ observed_at: after(61) })])(wind)).toBe(false)
  expect(corroboration([wind], [aGust({ latitude: 33.4 })])(wind)).toBe(false)
})

test('the unrounded distance decides relevance', () => {
  expect([3, 3.000001, 10, 10.000001, null].map((distance_miles) => relevanceOf({ distance_miles }))).toEqual([
    'primary',
    'secondary',
    'secondary',
    'context',
    'context',
  ])
})

/** Whether the second of two reports corroborates the first. */
const apart = (first: Overrides, second: Overrides) => pair(report(first), report(second))

test('a record never corroborates itself', () => {
  const station = report({ type: 'thunderstorm_wind', evidence_kind: 'instrument' })
  expect(corroboration([station], [])(station)).toBe(false)
  const path = report({ type: 'tornado', precision: 'path', end_latitude: 33.5, end_longitude: -96.82, reporter: 'Public' })
  expect(corroboration([path], [])(path)).toBe(false)
})

test('radar is one channel, whatever the product and distance', () => {
  const cell = (overrides: Overrides) => aCell({ ...overrides, reporter: 'one' })
  expect(pair(cell({}), aCell({ source: 'nexrad_hail', miles_north: 6, reporter: 'another' }))).toBe(false)
})

test('compares kinds of reporter without case and surrounding blanks, and an unknown reporter counts as nobody else', () => {
  const here: Overrides = { reporter: 'STRASSE', miles_north: 0.5 }
  expect(apart(here, { reporter: ' strasse', miles_north: 2 })).toBe(false)
  expect(apart(here, { reporter: '', miles_north: 2 })).toBe(false)
  expect(apart({ ...here, reporter: null }, { reporter: 'Public', miles_north: 2 })).toBe(false)
})

test('a station’s gust corroborates what people reported there, but nothing that an instrument at the same place measured', () => {
  const wind: Overrides = { type: 'thunderstorm_wind', miles_north: 5 }
  const here = { latitude: report(wind).latitude as number }
  const measured = report({ ...wind, evidence_kind: 'instrument' })
  const reported = report(wind)
  expect(corroboration([measured, reported], [aGust(here)])(reported)).toBe(true)
  expect(corroboration([reported], [aGust(here)])(reported)).toBe(true)
  expect(corroboration([measured], [aGust(here)])(measured)).toBe(false)
  expect(corroboration([measured], [aGust({ latitude: here.latitude + 0.02 })])(measured)).toBe(true)
})

test('applies the hour limit to the second, by elapsed time and not by clock hour', () => {
  const at = (text: string) => ({ begins_at: new Date(text) })
  expect(pair(report(at('2025-05-28T22:59:59Z')), aCell(at('2025-05-28T23:59:59Z')))).toBe(true)
  expect(pair(report(at('2025-05-28T22:59:59Z')), aCell(at('2025-05-29T00:00:00Z')))).toBe(false)
  expect(pair(report(at('2025-05-28T23:59:59Z')), aCell(at('2025-05-28T22:59:59Z')))).toBe(true)
  const gust = (text: string) => aGust({ observed_at: new Date(text) })
  const wind = report({ type: 'thunderstorm_wind', ...at('2025-05-28T23:00:00Z') })
  expect(corroboration([wind], [gust('2025-05-28T22:00:00Z')])(wind)).toBe(true)
  expect(corroboration([wind], [gust('2025-05-28T21:59:59Z')])(wind)).toBe(false)
})
