import { describe, expect, it } from 'vitest'
import { keyOf } from '#domain/archive/radar/cell-records.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { aloneWithin, qualifies, qualifyingRadar } from '#domain/evidence/qualifies.ts'
import { exposureFamilyOf, type RecordType } from '#domain/weather/types.ts'
import { aCell, aCounty, aRecord, after as minutesAfter } from '../reports/record-factories.ts'

it('assigns every type to hail, wind, tornado or other', () => {
  const families = {
    hail: ['hail', 'marine_hail'],
    tornado: ['tornado', 'funnel_cloud', 'waterspout'],
    wind: [
      'thunderstorm_wind',
      'marine_thunderstorm_wind',
      'high_wind',
      'strong_wind',
      'marine_high_wind',
      'marine_strong_wind',
      'dust_devil',
    ],
    other: ['flash_flood', 'flood', 'lightning', 'heavy_rain', 'hurricane', 'winter_storm', 'other'],
  } as const
  for (const [family, types] of Object.entries(families))
    for (const type of types) expect([type, exposureFamilyOf(type)]).toEqual([type, family])
})

describe('a report', () => {
  const of = (type: RecordType, overrides: Partial<NearbyRecord> = {}) => qualifies(aRecord({ type, ...overrides }))

  it('of hail qualifies from three quarters of an inch, and not without a size', () => {
    for (const type of ['hail', 'marine_hail'] as const)
      expect([null, 0.74, 0.75, 4].map((hail_size_in) => of(type, { hail_size_in }))).toEqual([false, false, true, true])
  })

  it('of wind qualifies from 58 mph, by its gust or its speed', () => {
    for (const type of ['thunderstorm_wind', 'high_wind', 'marine_high_wind'] as const) {
      expect([57.9, 58].map((wind_gust_mph) => of(type, { wind_gust_mph }))).toEqual([false, true])
      expect([57.9, 58].map((wind_speed_mph) => of(type, { wind_speed_mph }))).toEqual([false, true])
      expect(of(type, { wind_speed_mph: 40, wind_gust_mph: 60 })).toBe(true)
      expect(of(type, { wind_speed_mph: 60, wind_gust_mph: 40 })).toBe(true)
    }
  })

  it('of wind without a speed qualifies if its type names wind damage', () => {
    const types = ['thunderstorm_wind', 'marine_thunderstorm_wind', 'high_wind', 'strong_wind', 'marine_high_wind', 'dust_devil'] as const
    expect(types.map((type) => of(type))).toEqual([true, true, true, true, false, false])
  })

  it('of a tornado, a flood or lightning always qualifies, and of other weather never', () => {
    for (const type of ['tornado', 'funnel_cloud', 'waterspout', 'flash_flood', 'flood', 'lightning'] as const)
      expect([type, of(type)]).toEqual([type, true])
    for (const type of ['heavy_rain', 'winter_storm', 'dense_fog', 'hurricane'] as const) expect([type, of(type)]).toEqual([type, false])
  })

  it('that names a county or a zone, or has a caveat, never qualifies', () => {
    expect(qualifies(aCounty({ type: 'tornado' }))).toBe(false)
    expect(qualifies(aCounty({ type: 'tornado', precision: 'zone' }))).toBe(false)
    expect(of('tornado', { caveats: ['Its place lies outside its county.'] })).toBe(false)
  })
})

describe('radar', () => {
  /** A grid cell, as its key names it. */
  const cell = (row: number, column: number, overrides: Partial<NearbyRecord> & { scan?: string } = {}) =>
    aCell({ source_key: `${overrides.scan ?? 'mesh/2025-05-28T23:10:00Z'}/${row}/${column}`, hail_size_in: 1.25, ...overrides })
  const signature = (minutes: number, overrides: Partial<NearbyRecord> = {}) =>
    aCell({
      source: 'nexrad_hail',
      precision: 'point',
      source_key: `KFWS/${minutes}`,
      begins_at: minutesAfter(minutes),
      hail_size_in: 1.25,
      ...overrides,
    })
  const entering = (...scans: NearbyRecord[]) => qualifyingRadar(scans, false)

  it('qualifies from an inch if hail was reported, except a day’s largest cell', () => {
    const [small, large] = [cell(1, 1, { hail_size_in: 0.99 }), cell(5, 5, { hail_size_in: 1 })]
    const ofDay = cell(9, 9, { scan: 'mesh_max_1440min/2025-05-28T12:00:00Z' })
    const unknown = cell(7, 7, { hail_size_in: null })
    const marine = cell(3, 3, { type: 'marine_hail' })
    expect(qualifyingRadar([small, large, ofDay, unknown, marine], true)).toEqual([large])
    expect(entering(large)).toEqual([])
  })

  it('treats signatures as signatures, whatever numbers their keys end in', () => {
    const signatures = [signature(0, { source_key: 'KFWS/1/2' }), signature(9, { source_key: 'KFWS/5/9' })]
    expect(entering(...signatures)).toEqual(signatures)
  })

  it('qualifies by itself if cells of one scan touch, side by side or corner to corner', () => {
    const middle = cell(5, 5)
    for (const [down, across] of [
      [-1, -1],
      [-1, 0],
      [-1, 1],
      [0, -1],
      [0, 1],
      [1, -1],
      [1, 0],
      [1, 1],
    ] as const) {
      const other = cell(5 + down, 5 + across)
      expect(entering(middle, other)).toEqual([middle, other])
    }
    expect(entering(middle, cell(5, 7))).toEqual([])
    expect(entering(middle, cell(7, 5))).toEqual([])
    expect(entering(middle, cell(3, 3))).toEqual([])
    expect(entering(middle)).toEqual([])
  })

  it('qualifies beside a cell out of reach, which does not count itself', () => {
    const [middle, far] = [cell(5, 5), cell(9, 9)]
    expect(aloneWithin([middle, cell(9, 8), far, signature(0)])).toHaveLength(8)
    const beyond = new Set(aloneWithin([middle]).map(keyOf))
    expect(beyond.has(keyOf(cell(4, 6)))).toBe(true)
    expect(beyond.has(keyOf(middle))).toBe(false)
    expect(qualifyingRadar([middle, far], false, new Set([keyOf(cell(4, 6))]))).toEqual([middle])
    expect(qualifyingRadar([middle], false, new Set([keyOf(cell(4, 7))]))).toEqual([])
  })

  it('does not count cells as touching across scans or sources, or if one is too small', () => {
    const middle = cell(5, 5)
    expect(entering(middle, cell(5, 6, { scan: 'mesh/2025-05-28T23:12:00Z' }))).toEqual([])
    expect(entering(middle, cell(5, 6, { source: 'sample' }))).toEqual([])
    expect(entering(middle, cell(5, 6, { hail_size_in: 0.9 }))).toEqual([])
  })

  it('qualifies if two signatures of single radars are within an hour of each other', () => {
    const [first, soon, late] = [signature(0), signature(60), signature(121)]
    expect(entering(first, soon, late)).toEqual([first, soon])
    expect(entering(soon, first)).toEqual([soon, first])
    expect(entering(first)).toEqual([])
    expect(entering(first, late)).toEqual([])
  })

  it('leaves out the largest of several hours, of one grid and of a day', () => {
    for (const scan of ['mesh_max_1440min/2025-05-29T06:00:00Z', 'mesh_day/2025-05-28T05:00:00Z/2025-05-29T06:00:00Z/31.8'])
      expect(entering(cell(5, 5, { scan }), cell(5, 6, { scan }))).toEqual([])
  })

  it('lets cells support only cells, and signatures only signatures', () => {
    expect(entering(cell(5, 5, { begins_at: minutesAfter(0) }), signature(0))).toEqual([])
  })

  it('treats a cell whose key names no row and column as a signature', () => {
    const odd = (source_key: string, minutes: number) => aCell({ source_key, begins_at: minutesAfter(minutes), hail_size_in: 1.25 })
    const [one, other] = [odd('mesh/x/y', 0), odd('mesh', 30)]
    expect(entering(one, other)).toEqual([one, other])
  })
})
