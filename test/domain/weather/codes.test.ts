import { describe, expect, it } from 'vitest'
import { pointAt, putPoint } from '#domain/maps/point-list.ts'
import { namesByCode } from '#domain/weather/codes.ts'
import { severityTable } from '#domain/weather/severities.ts'
import { evidenceKindTable, recordSourceTable } from '#domain/weather/sources.ts'
import { weatherTypes } from '#domain/weather/types.ts'

/** Codes in packed records of earlier releases. A name may be added here, but nothing else may change. */
const released = {
  type: {
    hail: 0,
    thunderstorm_wind: 1,
    tornado: 2,
    funnel_cloud: 3,
    lightning: 4,
    waterspout: 5,
    marine_hail: 6,
    marine_thunderstorm_wind: 7,
    marine_lightning: 8,
    flash_flood: 9,
    heavy_rain: 10,
    debris_flow: 11,
    flood: 12,
    lakeshore_flood: 13,
    seiche: 14,
    coastal_flood: 15,
    storm_surge: 16,
    high_surf: 17,
    rip_current: 18,
    sneaker_wave: 19,
    astronomical_low_tide: 20,
    tsunami: 21,
    high_wind: 22,
    strong_wind: 23,
    marine_high_wind: 24,
    marine_strong_wind: 25,
    dust_devil: 26,
    hurricane: 27,
    tropical_storm: 28,
    tropical_depression: 29,
    marine_hurricane: 30,
    marine_tropical_storm: 31,
    marine_tropical_depression: 32,
    blizzard: 33,
    heavy_snow: 34,
    ice_storm: 35,
    lake_effect_snow: 36,
    sleet: 37,
    winter_storm: 38,
    winter_weather: 39,
    avalanche: 40,
    marine_heavy_freezing_spray: 41,
    cold_wind_chill: 42,
    extreme_cold: 43,
    frost_freeze: 44,
    heat: 45,
    excessive_heat: 46,
    wildfire: 47,
    dense_smoke: 48,
    dense_fog: 49,
    freezing_fog: 50,
    dust_storm: 51,
    marine_dense_fog: 52,
    drought: 53,
    volcanic_ash: 54,
    other: 55,
  },
  severity: { unknown: 0, minor: 1, moderate: 2, severe: 3, extreme: 4 },
  source: { noaa_storm_events: 0, noaa_spc_reports: 1, nws_lsr: 2, noaa_mesh: 3, nexrad_hail: 4, sample: 5 },
  evidence_kind: { ground: 0, instrument: 1, radar: 2 },
}
const vocabularies: Record<keyof typeof released, Readonly<Record<string, { code: number }>>> = {
  type: weatherTypes,
  severity: severityTable,
  source: recordSourceTable,
  evidence_kind: evidenceKindTable,
}

const codesOf = (vocabulary: Readonly<Record<string, { code: number }>>) =>
  Object.fromEntries(Object.entries(vocabulary).map(([name, { code }]) => [name, code]))

describe('codes', () => {
  it.each(Object.keys(released) as (keyof typeof released)[])('of every %s equal those of earlier releases', (kind) => {
    expect(codesOf(vocabularies[kind])).toEqual(released[kind])
  })

  it('are unique and fit in a byte', () => {
    for (const vocabulary of Object.values(vocabularies)) expect(() => namesByCode(vocabulary)).not.toThrow()
    expect(() => namesByCode({ hail: { code: 3 }, gustnado: { code: 3 } })).toThrow('hail and gustnado have the same code: 3')
    expect(() => namesByCode({ hail: { code: 256 } })).toThrow('the code of hail does not fit a byte: 256')
  })

  it('read a stored record correctly after a type is added in the middle of the vocabulary', () => {
    const [first, ...others] = Object.entries<{ code: number }>(weatherTypes)
    const longer = Object.fromEntries([first, ['gustnado', { code: others.length + 1 }], ...others] as [string, { code: number }][])
    const names = namesByCode(longer)
    for (const [name, code] of Object.entries(released.type)) expect(names[code]).toBe(name)
    expect(names[others.length + 1]).toBe('gustnado')
  })
})

describe('a packed point', () => {
  /** Id 7 at (10, 20), 2020-05-01, EF3, tornado | severe | nws_lsr | ground: the bytes of format 1. */
  const stored = Uint32Array.from([7, 10, 20, 18383, 301, 0x00020302])
  const point = {
    id: 7,
    x: 10,
    y: 20,
    day: 18383,
    value: 3,
    type: 'tornado',
    severity: 'severe',
    source: 'nws_lsr',
    evidence_kind: 'ground',
  } as const

  it('is written and read with codes', () => {
    const list = new Uint32Array(6)
    putPoint(list, 0, point)
    expect(list).toEqual(stored)
    expect(pointAt(stored, 0)).toEqual(point)
  })

  it('with an unknown code is refused and never read as another', () => {
    expect(() => pointAt(Uint32Array.from([7, 10, 20, 18383, 301, 0x000203c8]), 0)).toThrow('a code that no type has: 200')
  })
})
