import { expect, test } from 'vitest'
import type { WindowCoverage } from '#domain/archive/coverage.ts'
import { coverageSummary } from '#domain/reports/coverage-summary.ts'
import { aCoverage, frisco, year2025 } from './made.ts'

const summary = (said: Partial<WindowCoverage>, found = 1) =>
  coverageSummary(aCoverage(said), found, { place: frisco, window: year2025, precise: true, sample: false })
const five = ['asos', 'noaa_mesh', 'noaa_storm_events', 'nws_lsr', 'nws_warnings'].map((source) => ({
  source,
  label: source,
  compiled_on: null,
  preliminary: false,
})) as WindowCoverage['sources']

test('final and preliminary spans, and how many sources answered', () => {
  expect(summary({ final_through: '2026-02-28', preliminary: { from: '2026-03-01', to: '2026-05-20' }, sources: five }, 3)).toBe(
    'Final records through 2026-02-28; preliminary reports for 2026-03-01 to 2026-05-20. 5 sources searched, 3 with records.',
  )
})

test('what is not held or not searched is said', () => {
  expect(summary({ missing: [{ from: '2018-01', to: '2018-12' }], zones_searched: false, radar_held: false })).toBe(
    'Final records through 2025-12-31; no records held for 2018-01 to 2018-12; forecast-zone records not searched; radar not held. 1 source searched, 1 with records.',
  )
  expect(summary({ final_through: null, sources: [], missing: [{ from: '2025-01', to: '2025-12' }] }, 0)).toBe(
    'No final records; no records held for 2025-01 to 2025-12. 0 sources searched, 0 with records.',
  )
})

test('what was going on already as the window began is named', () => {
  const going = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      id: index,
      source: 'noaa_storm_events' as const,
      type: 'flood' as const,
      occurred_on: `2024-12-0${index + 1}`,
      ends_at: new Date('2025-01-02T00:00:00Z'),
    }))
  expect(summary({ running_into: going(1) })).toMatch(/ Still going on as the window began: flood from 2024-12-01\.$/)
  expect(summary({ running_into: going(7) })).toMatch(/flood from 2024-12-05 and 2 more\.$/)
})
