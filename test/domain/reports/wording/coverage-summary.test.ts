import { expect, test } from 'vitest'
import type { StoredRadar, UnplacedZones, WindowCoverage } from '#domain/archive/coverage/window-coverage.ts'
import { coverageSummary } from '#domain/reports/wording/coverage-summary.ts'
import { unplacedZonesClause } from '#domain/reports/wording/unplaced-zones.ts'
import { aCoverage, frisco, year2025 } from '../record-factories.ts'

const summary = (overrides: Partial<WindowCoverage>, found = 1) =>
  coverageSummary(aCoverage(overrides), found, { place: frisco, window: year2025, sample: false })
const radar: StoredRadar = { of: 29, days: 29, moments: 0, largest_only: 0, reaches: null, maxima: 0 }
const five = ['asos', 'noaa_mesh', 'noaa_storm_events', 'nws_lsr', 'nws_warnings'].map((source) => ({
  source,
  label: source,
  compiled_on: null,
  preliminary: false,
})) as WindowCoverage['sources']

test('states final and preliminary spans, and the number of sources searched and with records', () => {
  expect(summary({ final_through: '2026-02-28', preliminary: { from: '2026-03-01', to: '2026-05-20' }, sources: five }, 3)).toBe(
    'Final records through 2026-02-28; preliminary reports for 2026-03-01 to 2026-05-20; radar held for 365 of 365 days. 5 sources searched, 3 with records.',
  )
})

const newYork: UnplacedZones = {
  state: 'NY',
  records: 11,
  types: [
    { type: 'high_wind', records: 8 },
    { type: 'lakeshore_flood', records: 3 },
  ],
  table_held: false,
}

test('reports zone records that could not be placed by state, with the reason', () => {
  const pennsylvania: UnplacedZones = { state: 'PA', records: 1, types: [{ type: 'high_wind', records: 1 }], table_held: true }
  expect(unplacedZonesClause([newYork, pennsylvania])).toBe(
    '11 forecast-zone records of New York in this window (high wind, lakeshore flood) could not be placed: no zone table is held; 1 forecast-zone record of Pennsylvania in this window (high wind) could not be placed: the zone table held does not name their zones',
  )
  const types = (['blizzard', 'drought', 'heat', 'sleet', 'seiche', 'tsunami', 'wildfire', 'high_wind'] as const).map((type) => ({
    type,
    records: 1,
  }))
  expect(unplacedZonesClause([{ ...newYork, records: 8, types }])).toContain(
    '(blizzard, drought, heat, sleet, seiche, tsunami, 2 more types)',
  )
  expect(unplacedZonesClause([])).toBeNull()
})

test('states which months were compiled before all offices had to report', () => {
  const early = { from: '2025-11', to: '2025-12', compiled_on: '2026-03-20', has_preliminary: false }
  expect(summary({ early: { ...early, has_preliminary: true } })).toContain(
    ' 120 days later; preliminary reports of these months are held, but not used beside final records; radar held ',
  )
  expect(summary({ early })).toBe(
    'Final records through 2025-12-31; records of 2025-11 to 2025-12 may lack whole offices: they were compiled on 2026-03-20, and offices report up to 120 days later; radar held for 365 of 365 days. 1 source searched, 1 with records.',
  )
})

test('states what is not held or not searched', () => {
  expect(summary({ missing: [{ from: '2018-01', to: '2018-12' }], unplaced_zones: [newYork], radar: { ...radar, days: 0 } })).toBe(
    'Final records through 2025-12-31; no records held for 2018-01 to 2018-12; 11 forecast-zone records of New York in this window (high wind, lakeshore flood) could not be placed: no zone table is held; radar not held. 1 source searched, 1 with records.',
  )
  expect(summary({ final_through: null, sources: [], missing: [{ from: '2025-01', to: '2025-12' }] }, 0)).toBe(
    'No final records; no records held for 2025-01 to 2025-12; radar held for 365 of 365 days. 0 sources searched, 0 with records.',
  )
})

test('states of which months the source has no record', () => {
  const clause = '; the NOAA Storm Events Database has nothing filed under 1993-06 to 1993-07, of any state; before 1996 the only records '
  const over = (start: string, end: string) =>
    coverageSummary(aCoverage(), 0, { place: frisco, window: { ...year2025, start, end }, sample: false })
  expect(over('1990-01-01', '1995-12-31')).toContain(clause)
  expect(over('1993-07-31', '1993-08-31')).toContain(clause)
  expect(over('1993-05-01', '1993-06-01')).toContain(clause)
  expect(over('1993-01-01', '1993-05-31')).not.toContain('nothing filed under')
  expect(over('1993-08-01', '1994-05-31')).not.toContain('nothing filed under')
})

test('states the days and moments of radar, its reach, and what of it is not searched', () => {
  const summaryOf = (overrides: Partial<StoredRadar>) =>
    /^Final records through 2025-12-31; (.*?)\. 1 source/.exec(summary({ radar: { ...radar, ...overrides } }))?.[1]
  expect(summaryOf({ days: 1, moments: 1, reaches: true })).toBe('radar held for 1 of 29 days (1 moment)')
  expect(summaryOf({ days: 29, moments: 20_880 })).toBe('radar held for 29 of 29 days (20,880 moments)')
  expect(summaryOf({ days: 29, moments: 5_760, largest_only: 21 })).toBe(
    'radar held for 29 of 29 days (5,760 moments; of 21 days the largest alone)',
  )
  expect(summaryOf({ days: 1, largest_only: 1 })).toBe('radar held for 1 of 29 days (of 1 day the largest alone)')
  expect(summaryOf({ of: 1, days: 1 })).toBe('radar held for 1 of 1 day')
  expect(summaryOf({ days: 0 })).toBe('radar not held')
  expect(summaryOf({ days: 0, reaches: false })).toBe('no radar coverage')
  expect(summaryOf({ days: 3, reaches: false })).toBe('radar held for 3 of 29 days')
  expect(summaryOf({ days: 0, maxima: 1 })).toBe('radar not held; 1 radar grid of the largest of 24 hours held that spans two dates')
})

test('names events that were already going on when the window began', () => {
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
  expect(summary({ unplaced_running: 2 })).toMatch(
    / Still going on as the window began: 2 forecast-zone records that could not be placed\.$/,
  )
})
