import { expect, test } from 'vitest'
import { supersede } from '#domain/evidence/supersede.ts'
import { aCell, after, aRecord } from '../reports/record-factories.ts'

const local = (overrides: Parameters<typeof aRecord>[0] = {}) =>
  aRecord({ source: 'nws_lsr', preliminary: true, hail_size_in: 1.75, ...overrides })
const daily = (overrides: Parameters<typeof aRecord>[0] = {}) =>
  aRecord({ source: 'noaa_spc_reports', preliminary: true, hail_size_in: 1.75, ...overrides })
const kept = (records: ReturnType<typeof aRecord>[], horizons: Record<string, string | null> = { TX: null }) => supersede(records, horizons)

test('preliminary rows count only after the horizon of their own state', () => {
  const records = [
    local({ occurred_on: '2025-02-28' }),
    local({ occurred_on: '2025-03-01', begins_at: after(24 * 60) }),
    local({ occurred_on: '2025-02-28', state: 'OK', begins_at: after(60) }),
    aRecord({ occurred_on: '2025-02-28' }),
  ]
  expect(kept(records, { TX: '2025-02-28', OK: null })).toEqual([records[1], records[2], records[3]])
})

test('keeps a local report rather than the daily row drawn from it', () => {
  const [origin, copy] = [local(), daily({ begins_at: after(15) })]
  expect(kept([origin, copy])).toEqual([origin])
})

test.each([
  ['16 minutes apart', { begins_at: after(16) }],
  ['over 3 miles apart', { miles_north: 4.1 }],
  ['of another size', { hail_size_in: 1 }],
  ['of another type', { type: 'thunderstorm_wind' as const }],
])('keeps both reports if they are %s', (_, overrides) => {
  expect(kept([local(), daily(overrides)])).toHaveLength(2)
})

test('matches a report without a size to one with a size', () => {
  const origin = local()
  expect(kept([origin, daily({ hail_size_in: null })])).toEqual([origin])
})

test('keeps two local reports of one place, and also two daily rows', () => {
  expect(kept([local(), local()])).toHaveLength(2)
  expect(kept([daily(), daily()])).toHaveLength(2)
})

test('a final row after the horizon replaces its preliminary twin', () => {
  const final = aRecord({ hail_size_in: 1.75 })
  expect(kept([final, local(), daily({ miles_north: 20 })])).toHaveLength(2)
})

test('radar is never the twin of a report', () => {
  expect(kept([local({ hail_size_in: 1 }), aCell({ preliminary: true })])).toHaveLength(2)
})

test('a preliminary report without a state counts: it has no horizon', () => {
  const [stateless] = [local({ state: null, occurred_on: '2020-01-01' })]
  expect(kept([stateless], { TX: '2025-12-31', null: '2025-12-31' })).toEqual([stateless])
})

test('radar replaces no report, not even a daily row', () => {
  const row = daily({ hail_size_in: 1 })
  expect(kept([aCell({ preliminary: true, hail_size_in: 1, miles_north: 1 }), row])).toHaveLength(2)
  const cell = aCell({ preliminary: true, hail_size_in: 1, miles_north: 1 })
  expect(kept([local({ hail_size_in: 1 }), cell])).toContain(cell)
})

test('matches twins if either has no size, within three miles', () => {
  const origin = local({ hail_size_in: null })
  expect(kept([origin, daily()])).toEqual([origin])
  const [here, there] = [local({ type: 'tornado', hail_size_in: null }), daily({ type: 'tornado', hail_size_in: null })]
  expect(kept([here, { ...there, ...at(here, 2.999) }])).toEqual([here])
  expect(kept([here, { ...there, ...at(here, 3.001) }])).toHaveLength(2)
})

test('compares the measures of every type', () => {
  const pairs = [
    { type: 'tornado', tornado_ef_scale: 1 },
    { type: 'thunderstorm_wind', wind_gust_mph: 60 },
    { type: 'thunderstorm_wind', wind_speed_mph: 60 },
  ] as const
  for (const fields of pairs) {
    const [figure, value] = Object.entries(fields)[1] as [string, number]
    const of = (record: typeof local, more: number) => record({ ...fields, hail_size_in: null, [figure]: value + more })
    expect(kept([of(local, 0), of(daily, 0)])).toHaveLength(1)
    expect(kept([of(local, 0), of(daily, 1)])).toHaveLength(2)
  }
})

/** Coordinates the given miles north of a record. */
function at({ latitude, longitude }: ReturnType<typeof aRecord>, miles: number) {
  const north = (latitude as number) + miles / 69.0934
  return { latitude: north, shown_latitude: north, shown_longitude: longitude }
}
