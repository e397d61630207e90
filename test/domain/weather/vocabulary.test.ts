import { describe, expect, it } from 'vitest'
import { exposureFamilies } from '#domain/weather/exposure-families.ts'
import { families } from '#domain/weather/families.ts'
import { pointLayers, weatherLayers } from '#domain/weather/layers.ts'
import { radarBands } from '#domain/weather/radar-bands.ts'
import { severities, severityRow } from '#domain/weather/severities.ts'
import { swathBands } from '#domain/weather/swath-bands.ts'
import { hailTypes, phenomenonOf, type RecordType, recordTypes, weatherType, windTypes } from '#domain/weather/types.ts'
import { warningColours } from '#domain/weather/warning-phenomena.ts'
import { mapVocabulary } from '#rest/pages/map-vocabulary.ts'
import { bands } from '../../../cli/screens/map.ts'
import { swathBands as drawnBands } from '../../../cli/screens/swath-map.ts'
import type { EvidenceRecord } from '../../../cli/verify/evidence-shape.ts'
import { statedValue } from '../../../cli/verify/summary.ts'

const typesWhere = (holds: (type: RecordType) => boolean) => recordTypes.filter(holds)
/** Relative luminance and contrast, by WCAG 2.2. */
const luminance = (colour: string) => {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
const contrast = (one: string, other: string) => {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (light + 0.05) / (dark + 0.05)
}

describe('the vocabulary of weather', () => {
  it('gives every type a family, a layer and an exposure family, and uses each of them', () => {
    expect(new Set(recordTypes.map((type) => weatherType(type).family))).toEqual(new Set(families))
    expect(new Set(recordTypes.map((type) => weatherType(type).layer))).toEqual(new Set(pointLayers))
    expect(new Set(recordTypes.map((type) => weatherType(type).exposure))).toEqual(new Set(exposureFamilies))
    expect(new Set(recordTypes.map((type) => weatherType(type).label)).size).toBe(recordTypes.length)
  })

  it('lists the types of a family together, in the order of the contract', () => {
    const order = recordTypes.map((type) => weatherType(type).family)
    expect(order.filter((family, at) => family !== order[at - 1])).toEqual(families)
  })

  it('draws storm surge as flooding on every map', () => {
    expect(typesWhere((type) => weatherType(type).layer === 'flood')).toEqual([
      'flash_flood',
      'flood',
      'lakeshore_flood',
      'coastal_flood',
      'storm_surge',
    ])
  })

  it('lets hail, wind, tornadoes and floods corroborate across their types, and other types only themselves', () => {
    expect(hailTypes).toEqual(['hail', 'marine_hail'])
    expect(windTypes).toEqual([
      'thunderstorm_wind',
      'marine_thunderstorm_wind',
      'high_wind',
      'strong_wind',
      'marine_high_wind',
      'marine_strong_wind',
    ])
    expect(typesWhere((type) => phenomenonOf({ type }) === 'tornado')).toEqual(['tornado', 'funnel_cloud', 'waterspout'])
    expect(typesWhere((type) => phenomenonOf({ type }) === 'flooding')).toEqual(['flash_flood', 'flood'])
    expect(phenomenonOf({ type: 'coastal_flood' })).toBe('coastal_flood')
  })

  it('lets a type make a storm day always, by its size, or by its gust', () => {
    const entering = (rule: string) => typesWhere((type) => weatherType(type).enters === rule)
    expect(entering('always')).toEqual(['tornado', 'funnel_cloud', 'lightning', 'waterspout', 'flash_flood', 'flood'])
    expect(entering('hail_size')).toEqual(hailTypes)
    expect(entering('gust_or_damage')).toEqual(['thunderstorm_wind', 'marine_thunderstorm_wind', 'high_wind', 'strong_wind'])
    expect(typesWhere((type) => weatherType(type).exposure === 'wind')).toEqual([...windTypes, 'dust_devil'])
  })

  it('reads a second point, a path or corners for the types that have them', () => {
    const extending = (extent: string) => typesWhere((type) => weatherType(type).extent === extent)
    expect(extending('ends')).toEqual(['hail', 'thunderstorm_wind', 'marine_hail', 'marine_thunderstorm_wind', 'heavy_rain'])
    expect(extending('path')).toEqual(['tornado'])
    expect(extending('area')).toEqual(['flash_flood', 'flood'])
  })

  it('orders severities by their thresholds', () => {
    for (const line of ['hail_in', 'gust_mph'] as const) {
      const lines = severities.map((severity) => severityRow(severity)[line]).slice(1) as number[]
      expect(lines).toEqual([...lines].sort((one, other) => one - other))
    }
  })

  it.each([
    ...Object.entries(weatherLayers),
    ...warningColours.map(({ label, colour }) => [`of warnings, ${label},`, { colour }] as const),
  ])('gives the layer %s a colour that is visible in light and dark mode', (_, { colour }) => {
    // The backgrounds of the map page and of documents.
    expect(Math.min(contrast(colour.light, '#f6f4ef'), contrast(colour.light, '#ffffff'))).toBeGreaterThan(3)
    expect(contrast(colour.dark, '#182027')).toBeGreaterThan(3)
  })
})

describe('parts outside the server', () => {
  it('the map page gets layers, severities, bands and sources', async () => {
    const page = await import(`data:text/javascript,${encodeURIComponent(mapVocabulary())}`)
    expect(Object.keys(page.layers)).toEqual(Object.keys(weatherLayers))
    expect(Object.keys(page.severityMarks)).toEqual(severities)
    expect(page.radarBands).toEqual(radarBands)
    expect(page.warningColours).toEqual(warningColours)
    expect(page.preliminarySources).toEqual(['noaa_spc_reports', 'nws_lsr'])
    expect(page.sourceNames).toMatchObject({ nws_lsr: 'National Weather Service local storm reports', sample: 'Sample, made up' })
  })

  it('the terminal has a hail band from each severity threshold, largest first', () => {
    const from = bands.map((band) => band.from)
    const lines = severities.flatMap((severity) => severityRow(severity).hail_in ?? [])
    expect(from).toEqual([...from].sort((one, other) => other - one))
    expect(from).toEqual(expect.arrayContaining(lines))
  })

  it('the terminal draws swaths in the bands and colours of the maps, each with a contrasting ink and its own mark', () => {
    expect(drawnBands.map(({ from }) => from)).toEqual(swathBands)
    for (const { from, colour, foreground } of drawnBands) {
      expect(radarBands.find(({ from_in }) => from_in === from)?.colour).toBe(colour)
      expect(contrast(colour, foreground)).toBeGreaterThan(3)
    }
    expect(new Set(drawnBands.map(({ mark }) => mark)).size).toBe(drawnBands.length)
  })

  it.each(recordTypes)('the terminal counts the size of %s as hail exactly if the vocabulary does', (type) => {
    const record = {
      type,
      provenance: { evidence_kind: 'ground' },
      measurements: { hail_size_in: '1.00', wind_gust_mph: null, wind_speed_mph: null, tornado_ef_scale: null },
    } as EvidenceRecord
    expect(statedValue(record, 'hail_reported')).toBe(hailTypes.includes(type) ? 1 : null)
  })
})
