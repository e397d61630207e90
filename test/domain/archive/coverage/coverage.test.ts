import { describe, expect, it } from 'vitest'
import { coverageOf } from '#domain/archive/coverage/coverage.ts'
import { monthsBetween, storedMonths } from '#domain/archive/coverage/coverage-months.ts'
import {
  canUseSample,
  type Days,
  type StoredCoverage,
  type StoredDays,
  type StoredMonth,
} from '#domain/archive/coverage/stored-coverage.ts'

const window: Days = { start: '2025-11-10', end: '2026-03-20' }

const months = (
  source: StoredMonth['source'],
  from: string,
  to: string,
  states = ['TX'],
  compiled_on: string | null = '2026-06-18',
): StoredMonth[] =>
  states.flatMap((state) =>
    monthsBetween(from, to).map((month) => ({
      source,
      state,
      month,
      preliminary: source === 'nws_lsr' || source === 'noaa_spc_reports',
      compiled_on,
    })),
  )

/** The coverage read for a window: the final months themselves show how far the final record goes. */
function read(stored: StoredMonth[], states = ['TX'], final_to?: Record<string, string>, days: StoredDays[] = []): StoredCoverage {
  const last = (state: string) =>
    stored
      .filter((month) => month.source === 'noaa_storm_events' && month.state === state)
      .map(({ month }) => month)
      .sort()
      .at(-1)
  const own = Object.fromEntries(states.flatMap((state) => (last(state) ? [[state, last(state) as string]] : [])))
  return {
    states,
    held: stored.filter(({ month }) => month >= window.start.slice(0, 7) && month <= window.end.slice(0, 7)),
    final_to: final_to ?? own,
    state: states[0] ?? null,
    read_through: {},
    held_days: days,
    radar_days: Math.max(0, ...days.filter(({ state }) => state === states[0]).map(({ days }) => days)),
    radar_maxima: 0,
    unplaced_zones: [],
    unplaced_running: 0,
  }
}

const of = (coverage: StoredCoverage, sample = false) => coverageOf(coverage, window, sample, [])

describe('coverage of a window', () => {
  it('is complete and final if the final record holds the whole window', () => {
    expect(of(read(months('noaa_storm_events', '2025-01', '2026-04')))).toEqual({
      complete: true,
      provisional: false,
      sources: [{ source: 'noaa_storm_events', label: 'NOAA Storm Events Database', compiled_on: '2026-06-18', preliminary: false }],
      horizons: { TX: '2026-04-30' },
      final_through: '2026-03-20',
      preliminary: null,
      missing: [],
      in_part: [],
      final_in_part: false,
      early: { from: '2026-02', to: '2026-03', compiled_on: '2026-06-18', has_preliminary: false },
      unplaced_zones: [],
      unplaced_running: 0,
      radar: { of: 131, days: 0, moments: 0, largest_only: 0, reaches: null, maxima: 0 },
      sample: false,
      running_into: [],
    })
  })

  it('has early months if they ended less than 120 days before the file was compiled', () => {
    const compiled = (on: string | null) => of(read(months('noaa_storm_events', '2025-01', '2026-04', ['TX'], on))).early
    // 28 February and 120 days.
    expect(compiled('2026-06-28')).toMatchObject({ from: '2026-03', to: '2026-03', compiled_on: '2026-06-28' })
    expect(compiled('2026-06-27')).toMatchObject({ from: '2026-02', to: '2026-03', compiled_on: '2026-06-27' })
    expect(compiled('2026-07-29')).toBeNull()
    expect(compiled(null)).toBeNull()
    const reported = (month: string) =>
      of(read([...months('noaa_storm_events', '2025-01', '2026-04', ['TX'], '2026-06-27'), ...months('nws_lsr', month, month)])).early
    expect(reported('2026-03')).toMatchObject({ has_preliminary: true })
    expect(reported('2026-01')).toMatchObject({ has_preliminary: false })
    expect(of(read(months('nws_lsr', '2025-01', '2026-04', ['TX'], '2026-06-18'))).early).toBeNull()
  })

  it('is provisional if preliminary reports continue after the final record', () => {
    const stored = [...months('noaa_storm_events', '2025-01', '2026-01'), ...months('nws_lsr', '2025-12', '2026-03', ['TX'], null)]
    expect(of(read(stored))).toMatchObject({
      complete: true,
      provisional: true,
      horizons: { TX: '2026-01-31' },
      final_through: '2026-01-31',
      preliminary: { from: '2026-02-01', to: '2026-03-20' },
      missing: [],
      sources: [{ source: 'noaa_storm_events' }, { source: 'nws_lsr', compiled_on: null, preliminary: true }],
    })
  })

  it('needs only one of the two preliminary sources for a month after the final record', () => {
    const stored = [
      ...months('noaa_storm_events', '2025-01', '2026-01'),
      ...months('nws_lsr', '2026-02', '2026-02'),
      ...months('noaa_spc_reports', '2026-03', '2026-03'),
    ]
    expect(of(read(stored))).toMatchObject({ complete: true, missing: [] })
  })

  it('holds a month of preliminary reports only as far as their feed was read', () => {
    const stored = read([
      ...months('noaa_storm_events', '2025-01', '2026-01'),
      ...months('nws_lsr', '2026-02', '2026-03', ['TX'], null),
      ...months('noaa_spc_reports', '2026-03', '2026-03', ['TX'], null),
    ])
    const stopped = (lsr: string, spc: string) => of({ ...stored, read_through: { nws_lsr: lsr, noaa_spc_reports: spc } })
    expect(stopped('2026-03-20', '2026-03-09')).toMatchObject({ complete: true, preliminary: { from: '2026-02-01', to: '2026-03-20' } })
    expect(stopped('2026-03-10', '2026-03-09')).toMatchObject({
      complete: false,
      missing: [],
      in_part: [{ from: '2026-03', to: '2026-03' }],
      preliminary: { from: '2026-02-01', to: '2026-03-10' },
    })
    expect(stopped('2026-02-10', '2026-02-09')).toMatchObject({
      complete: false,
      missing: [{ from: '2026-03', to: '2026-03' }],
      in_part: [{ from: '2026-02', to: '2026-02' }],
      preliminary: { from: '2026-02-01', to: '2026-02-10' },
    })
    expect(stopped('2026-01-10', '2026-01-09')).toMatchObject({ preliminary: null, missing: [{ from: '2026-02', to: '2026-03' }] })
  })

  it('lists months that were never imported as missing, before and after the horizon', () => {
    const stored = [
      ...months('noaa_storm_events', '2025-11', '2025-11'),
      ...months('noaa_storm_events', '2026-01', '2026-01'),
      ...months('nws_lsr', '2025-12', '2025-12'),
    ]
    expect(of(read(stored))).toMatchObject({
      complete: false,
      provisional: true,
      missing: [
        { from: '2025-12', to: '2025-12' },
        { from: '2026-02', to: '2026-03' },
      ],
      final_through: '2026-01-31',
    })
  })

  it('is final through the last month held, not through a horizon beyond a gap', () => {
    expect(of(read([], ['TX'], { TX: '2026-08' }))).toMatchObject({
      complete: false,
      provisional: false,
      final_through: null,
      missing: [{ from: '2025-11', to: '2026-03' }],
      sources: [],
    })
  })

  it('needs every state that the circle touches', () => {
    const both = ['OK', 'TX']
    const stored = [
      ...months('noaa_storm_events', '2025-01', '2026-04', ['TX']),
      ...months('noaa_storm_events', '2025-01', '2026-02', ['OK']),
    ]
    expect(of(read(stored, both))).toMatchObject({
      complete: false,
      provisional: true,
      horizons: { OK: '2026-02-28', TX: '2026-04-30' },
      final_through: '2026-02-28',
      missing: [{ from: '2026-03', to: '2026-03' }],
    })
  })

  it('reports when nothing is held', () => {
    expect(of(read([]))).toMatchObject({
      complete: false,
      provisional: true,
      horizons: { TX: null },
      sources: [],
      final_through: null,
      missing: [{ from: '2025-11', to: '2026-03' }],
    })
    expect(of(read([], []))).toMatchObject({ complete: false, provisional: true, horizons: {} })
  })

  it('is not made complete or incomplete by radar', () => {
    const final = months('noaa_storm_events', '2025-01', '2026-04')
    const days = [{ source: 'noaa_mesh' as const, state: 'TX', days: 1, moments: 1, largest_only: 0 }]
    const radar = { of: 131, days: 1, moments: 1 }
    expect(of(read(final, ['TX'], undefined, days))).toMatchObject({ complete: true, radar })
    expect(of(read([], ['TX'], undefined, days))).toMatchObject({ complete: false, radar, sources: [{ source: 'noaa_mesh' }] })
  })

  it('names a source held by day only if the place’s own state has such a day', () => {
    const of_state = (source: StoredDays['source'], state: string): StoredDays => ({ source, state, days: 3, moments: 0, largest_only: 0 })
    const days = [of_state('nws_warnings', 'NM'), of_state('asos', 'TX'), of_state('noaa_mesh', 'NM')]
    expect(of(read([], ['NM', 'TX'], undefined, days)).sources.map(({ source }) => source)).toEqual(['noaa_mesh', 'nws_warnings'])
    expect(of({ ...read([], ['NM', 'TX'], undefined, days), state: 'TX' }).sources.map(({ source }) => source)).toEqual(['asos'])
  })

  it('states the oldest and the newest compile date used', () => {
    const stored = [
      ...months('noaa_storm_events', '2025-01', '2025-12', ['TX'], '2026-03-18'),
      ...months('noaa_storm_events', '2026-01', '2026-04', ['TX'], '2026-08-18'),
    ]
    expect(of(read(stored)).sources).toMatchObject([{ compiled_on: '2026-03-18', compiled_to: '2026-08-18' }])
  })
})

describe('the made-up sample', () => {
  const sample = months('sample', '2025-01', '2026-12')

  it('is used only if no real data is held', () => {
    expect(canUseSample(read(sample))).toBe(true)
    expect(canUseSample(read([]))).toBe(false)
    expect(canUseSample(read([...sample, ...months('noaa_storm_events', '2026-02', '2026-02')]))).toBe(false)
    const day = (source: StoredDays['source']) =>
      read(sample, ['TX'], undefined, [{ source, state: 'TX', days: 1, moments: 0, largest_only: 0 }])
    expect(canUseSample(day('noaa_mesh'))).toBe(false)
    expect(canUseSample(day('nws_warnings'))).toBe(true)
    const unplaced = [{ state: 'TX', records: 1, types: [], table_held: false }]
    expect(canUseSample({ ...read(sample), unplaced_zones: unplaced })).toBe(false)
  })

  it('covers only its own months', () => {
    const days = [{ source: 'sample' as const, state: 'TX', days: 1, moments: 12, largest_only: 0 }]
    expect(of(read(sample, ['TX'], undefined, days), true)).toMatchObject({
      radar: { days: 1, moments: 12, maxima: 0 },
      complete: true,
      provisional: false,
      sample: true,
      sources: [{ source: 'sample', label: 'Sample, made up' }],
      final_through: '2026-03-20',
    })
    expect(of(read(months('sample', '2025-01', '2025-12')), true)).toMatchObject({
      complete: false,
      provisional: true,
      missing: [{ from: '2026-01', to: '2026-03' }],
    })
  })

  it('is not used if real data is held', () => {
    expect(of(read([...sample, ...months('noaa_storm_events', '2026-02', '2026-02')]))).toMatchObject({
      sample: false,
      sources: [{ source: 'noaa_storm_events' }],
    })
  })
})

describe('the months that a details file covers', () => {
  it("run from January to the file's last month, year by year", () => {
    expect(storedMonths(['2019-03', '2019-01'], '2019-06-17')).toEqual(['2019-01', '2019-02', '2019-03'])
    expect(storedMonths(['2018-02', '2019-01'], null)).toEqual(['2018-01', '2018-02', '2019-01'])
    expect(storedMonths([], '2019-06-17')).toEqual([])
  })

  it('run to December if the file was compiled after 30 April of the next year', () => {
    expect(storedMonths(['2019-03'], '2020-04-30')).toHaveLength(3)
    expect(storedMonths(['2019-03'], '2020-05-01')).toHaveLength(12)
  })
})
