import { expect, test } from 'vitest'
import { supersede } from '#domain/evidence/supersede.ts'
import { aCell, after, aRecord } from '../reports/made.ts'

const local = (said: Parameters<typeof aRecord>[0] = {}) => aRecord({ source: 'nws_lsr', preliminary: true, hail_size_in: 1.75, ...said })
const daily = (said: Parameters<typeof aRecord>[0] = {}) =>
  aRecord({ source: 'noaa_spc_reports', preliminary: true, hail_size_in: 1.75, ...said })
const kept = (records: ReturnType<typeof aRecord>[], horizons: Record<string, string | null> = { TX: null }) => supersede(records, horizons)

test('preliminary rows speak only after the horizon of their own state', () => {
  const records = [
    local({ occurred_on: '2025-02-28' }),
    local({ occurred_on: '2025-03-01', begins_at: after(24 * 60) }),
    local({ occurred_on: '2025-02-28', state: 'OK', begins_at: after(60) }),
    aRecord({ occurred_on: '2025-02-28' }),
  ]
  expect(kept(records, { TX: '2025-02-28', OK: null })).toEqual([records[1], records[2], records[3]])
})

test('of a local report and the daily list drawn from it the local report stays', () => {
  const [origin, copy] = [local(), daily({ begins_at: after(15) })]
  expect(kept([origin, copy])).toEqual([origin])
})

test.each([
  ['16 minutes apart', { begins_at: after(16) }],
  ['over 3 miles apart', { miles_north: 4.1 }],
  ['of another size', { hail_size_in: 1 }],
  ['of another type', { type: 'thunderstorm_wind' as const }],
])('reports %s are two', (_, said) => {
  expect(kept([local(), daily(said)])).toHaveLength(2)
})

test('a report without a size is the twin of one with a size', () => {
  const origin = local()
  expect(kept([origin, daily({ hail_size_in: null })])).toEqual([origin])
})

test('two local reports of one place stay two, and so do two daily rows', () => {
  expect(kept([local(), local()])).toHaveLength(2)
  expect(kept([daily(), daily()])).toHaveLength(2)
})

test('a final row after the horizon, from a selection, takes the place of its preliminary twin', () => {
  const final = aRecord({ hail_size_in: 1.75 })
  expect(kept([final, local(), daily({ miles_north: 20 })])).toHaveLength(2)
})

test('radar is never the twin of a report', () => {
  expect(kept([local({ hail_size_in: 1 }), aCell({ preliminary: true })])).toHaveLength(2)
})
