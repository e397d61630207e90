import { describe, expect, it } from 'vitest'
import { capitalize } from '#domain/kernel/text.ts'
import { families, familyLabel } from '#domain/weather/families.ts'
import { type Magnitudes, severityOf } from '#domain/weather/severity-of.ts'
import { typeOfLocalReport, typeOfStormEvent } from '#domain/weather/source-names.ts'
import { familyOf, recordTypes, weatherType } from '#domain/weather/types.ts'
import { typeName } from '../../../cli/type-name.ts'
import { typeInWords } from '../../../console/parts/format.ts'

const nothing = { hail_size_in: null, wind_gust_mph: null, wind_speed_mph: null, tornado_ef_scale: null }
const severity = (type: Magnitudes['type'], size: Partial<Magnitudes> = {}) => severityOf({ ...nothing, type, ...size })

describe('types and families', () => {
  it('puts every type in exactly one family', () => {
    expect(new Set(recordTypes).size).toBe(recordTypes.length)
    expect(new Set(recordTypes.map(familyOf))).toEqual(new Set(families))
    expect(familyLabel('thunderstorm')).toBe('Thunderstorm: hail, wind, tornado')
  })

  it('has the same names in the terminal and in the console as in reports', () => {
    const labels = recordTypes.map((type) => weatherType(type).label)
    expect(recordTypes.map(typeName)).toEqual(labels)
    expect(recordTypes.map(typeInWords)).toEqual(labels.map(capitalize))
  })

  it.each([
    ['Thunderstorm Wind', 'thunderstorm_wind', false],
    ['Cold/Wind Chill', 'cold_wind_chill', false],
    ['Lake-Effect Snow', 'lake_effect_snow', false],
    ['Frost/Freeze', 'frost_freeze', false],
    ['Extreme Cold/Wind Chill', 'extreme_cold', true],
    ['Storm Surge/Tide', 'storm_surge', true],
    ['Sneakerwave', 'sneaker_wave', true],
    ['Hurricane (Typhoon)', 'hurricane', true],
    ['Hurricane', 'hurricane', false],
    ['Marine Hurricane/Typhoon', 'marine_hurricane', true],
    ['Landslide', 'debris_flow', true],
    ['Heavy Wind', 'high_wind', true],
    ['High Snow', 'heavy_snow', true],
    ['Volcanic Ashfall', 'volcanic_ash', true],
    ['TORNADOES, TSTM WIND, HAIL', 'tornado', true],
    ['TORNADO/WATERSPOUT', 'tornado', true],
    ['HAIL FLOODING', 'hail', true],
    ['HAIL/ICY ROADS', 'hail', true],
    ['THUNDERSTORM WINDS/FLASH FLOOD', 'thunderstorm_wind', true],
    ['THUNDERSTORM WINDS FUNNEL CLOU', 'thunderstorm_wind', true],
    ['Northern Lights', 'other', true],
  ])('reads the Storm Events name %s as %s', (text, type, mapped) => {
    expect(typeOfStormEvent(text)).toMatchObject({ type, mapped })
  })

  it.each([
    ['TSTM WND GST', 'thunderstorm_wind'],
    ['Tstm Wnd Dmg', 'thunderstorm_wind'],
    ['NON-TSTM WND GST', 'high_wind'],
    ['HIGH SUST WINDS', 'high_wind'],
    ['WATER SPOUT', 'waterspout'],
    ['LANDSPOUT', 'tornado'],
    ['SNOW SQUALL', 'heavy_snow'],
    ['EXTR WIND CHILL', 'extreme_cold'],
    ['TSTM WIND GST', 'thunderstorm_wind'],
    ['TSTM WIND DMG', 'thunderstorm_wind'],
    ['NON-TSTM DMG GST', 'high_wind'],
    ['FUNNEL', 'funnel_cloud'],
    ['MAJ FLASH FLD', 'flash_flood'],
    ['EXTREME HEAT', 'excessive_heat'],
    ['EXT COLD/WND CHL', 'extreme_cold'],
    ['MRN HAIL', 'marine_hail'],
    ['MRN TSTM WIND', 'marine_thunderstorm_wind'],
    ['MARINE TSTM WIND', 'marine_thunderstorm_wind'],
    ['FLASH FLOOD', 'flash_flood'],
  ])('reads the local report text %s as %s', (text, type) => {
    expect(typeOfLocalReport(text)).toMatchObject({ type, known: true })
  })

  it('marks a text that no table has as unknown', () => {
    expect([typeOfStormEvent('constructor'), typeOfLocalReport('CONSTRUCTOR')]).toEqual([
      { type: 'other', mapped: true, known: false },
      { type: 'other', mapped: true, known: false },
    ])
    expect(typeOfLocalReport('GIANT HAMSTERS')).toEqual({ type: 'other', mapped: true, known: false })
  })
})

describe('severity', () => {
  it.each([
    [0.99, 'minor'],
    [1, 'moderate'],
    [1.74, 'moderate'],
    [1.75, 'severe'],
    [2.74, 'severe'],
    [2.75, 'extreme'],
  ])('of hail of %f in is %s', (hail_size_in, expected) => {
    expect(severity('hail', { hail_size_in })).toBe(expected)
  })

  it.each([
    [57, 'minor'],
    [58, 'moderate'],
    [69, 'moderate'],
    [70, 'severe'],
    [79, 'severe'],
    [80, 'extreme'],
  ])('of a gust of %f mph is %s', (wind_gust_mph, expected) => {
    expect(severity('thunderstorm_wind', { wind_gust_mph })).toBe(expected)
  })

  it('is unknown if the type needs a size that the record does not state', () => {
    for (const type of ['hail', 'thunderstorm_wind', 'marine_hail', 'marine_thunderstorm_wind'] as const)
      expect(severity(type)).toBe('unknown')
  })

  it('of a tornado follows its rating, and is severe without one', () => {
    expect([null, 0, 1, 2, 5].map((tornado_ef_scale) => severity('tornado', { tornado_ef_scale }))).toEqual([
      'severe',
      'severe',
      'severe',
      'extreme',
      'extreme',
    ])
  })

  it('is the highest of the stated values', () => {
    expect(severity('high_wind')).toBe('moderate')
    expect(severity('high_wind', { wind_gust_mph: 50 })).toBe('minor')
    expect(severity('high_wind', { wind_speed_mph: 45 })).toBe('moderate')
    expect(severity('high_wind', { wind_gust_mph: 81 })).toBe('extreme')
    expect(severity('hurricane')).toBe('extreme')
    expect(severity('tropical_storm', { wind_gust_mph: 60 })).toBe('severe')
    expect(severity('waterspout')).toBe('moderate')
    expect(severity('funnel_cloud')).toBe('minor')
  })
})
