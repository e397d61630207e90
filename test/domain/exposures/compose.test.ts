import { describe, expect, it } from 'vitest'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { composeExposure, WITHOUT_RECORDS, withoutRecords } from '#domain/exposures/compose.ts'
import { exposureHeadline, placeName, withdrawnHeadline } from '#domain/exposures/headline.ts'
import { prepareShape } from '#domain/geo/prepared-shape.ts'
import type { WatchedPlace } from '#domain/watches/watched-places.ts'
import { aCell, aRecord, frisco, after as minutesAfter } from '../reports/record-factories.ts'

const DATE = '2025-05-28'
const house = {
  id: 'h',
  name: 'HQ',
  extent: '',
  subject: 'property' as const,
  radius_miles: 5,
  centre: null,
  ...frisco,
} satisfies WatchedPlace
const zip: WatchedPlace = { ...house, centre: 'the centre of ZIP 75034' }
const area: WatchedPlace = {
  id: 't',
  name: 'North',
  extent: '',
  subject: 'territory',
  shape: prepareShape({ type: 'Polygon', coordinates: [] }),
}
const composed = (seen: NearbyRecord[], place: WatchedPlace = house) => composeExposure(place, DATE, seen)
const cell = (row: number, overrides: Partial<NearbyRecord> & { miles_north?: number } = {}) =>
  aCell({ source_key: `mesh/2025-05-28T23:10:00Z/${row}/5`, hail_size_in: 1.25, ...overrides })
const wind = { type: 'thunderstorm_wind', wind_gust_mph: 61 } as const

describe('a storm day', () => {
  it('counts its reports by family, and gives the largest, the strongest and the nearest', () => {
    const hail = aRecord({ hail_size_in: 1.75, miles_north: 2, source_key: 'a' })
    const gust = aRecord({
      ...wind,
      miles_north: 1.234,
      evidence_kind: 'instrument',
      source: 'nws_lsr',
      preliminary: true,
      source_key: 'b',
    })
    const tornado = aRecord({ type: 'tornado', tornado_ef_scale: 1, miles_north: 3, source_key: 'c' })
    const flood = aRecord({ type: 'flash_flood', miles_north: 4, source_key: 'd' })
    expect(composed([flood, gust, tornado, hail])).toEqual({
      headline: 'Tornado (EF1) reported 3.0 mi N of HQ on 2025-05-28',
      reports: 4,
      sources: 2,
      hail: 1,
      wind: 1,
      tornado: 1,
      other: 1,
      largest_measured_in: 1.75,
      largest_detected_in: null,
      max_gust_mph: 61,
      nearest_miles: 1.23,
      observed: true,
      provisional: true,
      evidence: ['ground', 'instrument'],
      record_ids: [hail.id, tornado.id, flood.id, gust.id],
      sample: false,
      withdrawn: false,
    })
  })

  it('does not exist if no record qualifies', () => {
    expect(composed([])).toBeNull()
    expect(composed([aRecord({ hail_size_in: 0.5 })])).toBeNull()
    expect(composed([cell(1)])).toBeNull()
  })

  it('includes radar alone if two cells touch, and any radar beside reported hail', () => {
    const [one, two] = [cell(5, { hail_size_in: 1.5, miles_north: 1 }), cell(6, { miles_north: 2 })]
    expect(composed([one, two])).toMatchObject({
      headline: 'Radar estimated hail up to 1.50 in 1.0 mi N of HQ on 2025-05-28',
      reports: 0,
      hail: 0,
      largest_measured_in: null,
      largest_detected_in: 1.5,
      observed: false,
      provisional: false,
      evidence: ['radar'],
      record_ids: [one.id],
      nearest_miles: 1,
    })
    const hail = aRecord({ hail_size_in: 0.5, miles_north: 3 })
    expect(composed([cell(9, { miles_north: 2 }), hail])).toMatchObject({ reports: 0, largest_detected_in: 1.25 })
    expect(composed([cell(9, { miles_north: 2 }), aRecord(wind)])).toMatchObject({ reports: 1, largest_detected_in: null })
    expect(composed([cell(9), { ...hail, caveats: ['Its size is larger than any.'] }])).toBeNull()
  })

  it('cites the cell over a building beside the largest, but none over a centre or a territory', () => {
    const [over, largest] = [cell(5), cell(6, { hail_size_in: 2, miles_north: 3 })]
    expect(composed([over, largest])?.record_ids).toEqual([over.id, largest.id])
    expect(composed([over, largest], zip)?.record_ids).toEqual([largest.id])
    expect(composed([over, largest], area)?.record_ids).toEqual([largest.id])
  })

  it('lists its records by time, then by source and key', () => {
    const late = aRecord({ hail_size_in: 1, begins_at: minutesAfter(5), source_key: '1' })
    const early = aRecord({ hail_size_in: 1, begins_at: minutesAfter(-5), source_key: '9' })
    const [a, b] = [aRecord({ hail_size_in: 1, source_key: 'a' }), aRecord({ hail_size_in: 1, source_key: 'b' })]
    const other = aRecord({ hail_size_in: 1, source: 'nws_lsr', source_key: '0' })
    const expected = [early, a, b, other, late].map(({ id }) => id)
    expect(composed([late, b, other, a, early])?.record_ids).toEqual(expected)
    expect(composed([early, a, other, b, late])?.record_ids).toEqual(expected)
  })

  it('has distance zero in a territory, and is marked as made up if a record is', () => {
    const made_up = aRecord({ hail_size_in: 1, source: 'sample', miles_north: 2 })
    expect(composed([made_up], area)).toMatchObject({
      nearest_miles: 0,
      sample: true,
      headline: expect.stringMatching(/^Sample, made up: Hail/),
    })
  })

  it('is marked as made up if one of several records is', () => {
    const [made_up, real] = [aRecord({ hail_size_in: 1, source: 'sample' }), aRecord({ hail_size_in: 2 })]
    expect(composed([made_up, real])).toMatchObject({ sample: true, sources: 2 })
    expect(composed([real])).toMatchObject({ sample: false })
  })

  it('has the largest gust of all its reports, whatever their type', () => {
    const gust = (wind_gust_mph: number | null) => aRecord({ ...wind, wind_gust_mph })
    expect(composed([gust(60), gust(72), gust(null)])?.max_gust_mph).toBe(72)
    expect(composed([gust(null)])?.max_gust_mph).toBeNull()
  })

  it('keeps its place when it loses its records, and states so', () => {
    expect(withoutRecords(house, DATE, 0)).toEqual({
      ...WITHOUT_RECORDS,
      headline: 'The archive no longer has any record near HQ on 2025-05-28 that makes a storm day',
      withdrawn: true,
    })
    expect(WITHOUT_RECORDS).toEqual({
      reports: 0,
      sources: 0,
      hail: 0,
      wind: 0,
      tornado: 0,
      other: 0,
      largest_measured_in: null,
      largest_detected_in: null,
      max_gust_mph: null,
      nearest_miles: null,
      observed: false,
      provisional: false,
      evidence: [],
      record_ids: [],
      sample: false,
      withdrawn: false,
    })
    expect(withdrawnHeadline(house, DATE, 1)).toBe('The archive has only a doubtful record near HQ on 2025-05-28')
    expect(withdrawnHeadline(house, DATE, 2)).toBe('The archive has only doubtful records near HQ on 2025-05-28')
    expect(withdrawnHeadline(area, DATE, 0, 'Tornado Warning')).toBe(
      'The archive no longer has any Tornado Warning over North on 2025-05-28',
    )
  })
})

describe('the headline', () => {
  const says = (record: Partial<NearbyRecord> & { miles_north?: number }, place: WatchedPlace = house) =>
    exposureHeadline(place, DATE, [aRecord(record)])

  it('states what was reported or measured, and how strong', () => {
    expect(says({ hail_size_in: 1.5 })).toBe('Hail up to 1.50 in reported 1.0 mi N of HQ on 2025-05-28')
    expect(says({ hail_size_in: 1, evidence_kind: 'instrument' })).toBe('Hail up to 1.00 in measured 1.0 mi N of HQ on 2025-05-28')
    // Rounded, it would reach the next threshold, which the record does not.
    expect(says({ ...wind, wind_gust_mph: 69.6 })).toBe('Thunderstorm wind up to 69.6 mph reported 1.0 mi N of HQ on 2025-05-28')
    expect(says({ ...wind, wind_gust_mph: null, wind_speed_mph: 59 })).toBe(
      'Thunderstorm wind up to 59 mph reported 1.0 mi N of HQ on 2025-05-28',
    )
    expect(says({ type: 'marine_thunderstorm_wind' })).toBe('Thunderstorm wind reported 1.0 mi N of HQ on 2025-05-28')
    expect(says({ type: 'tornado', tornado_ef_scale: 2 })).toBe('Tornado (EF2) reported 1.0 mi N of HQ on 2025-05-28')
    expect(says({ type: 'funnel_cloud' })).toBe('Funnel cloud reported 1.0 mi N of HQ on 2025-05-28')
    expect(says({ type: 'flash_flood' })).toBe('Flash flood reported 1.0 mi N of HQ on 2025-05-28')
  })

  it('states where: by miles and direction, at the place below a twentieth of a mile, over it for radar', () => {
    expect(says({ hail_size_in: 1, distance_miles: 0.049 })).toBe('Hail up to 1.00 in reported at HQ on 2025-05-28')
    expect(says({ hail_size_in: 1, distance_miles: 0.05 })).toBe('Hail up to 1.00 in reported 0.1 mi N of HQ on 2025-05-28')
    expect(says({ hail_size_in: 1, distance_miles: null })).toBe('Hail up to 1.00 in reported at HQ on 2025-05-28')
    expect(exposureHeadline(house, DATE, [aCell({ hail_size_in: 1.25 })])).toBe('Radar estimated hail up to 1.25 in over HQ on 2025-05-28')
    expect(exposureHeadline(house, DATE, [aCell({ hail_size_in: null })])).toBe('Radar estimated hail up to 0.00 in over HQ on 2025-05-28')
  })

  it('states the direction from the place', () => {
    const bearings = [0, 90, 200, 315].map((bearing_degrees) =>
      exposureHeadline(house, DATE, [{ ...aRecord({ hail_size_in: 1 }), bearing_degrees }]),
    )
    expect(bearings.map((text) => /1\.0 mi (\w+) of/.exec(text)?.[1])).toEqual(['N', 'E', 'SSW', 'NW'])
  })

  it('is near a centre for a place located only to it, and without a distance in a territory', () => {
    expect(says({ hail_size_in: 1 }, zip)).toBe('Hail up to 1.00 in reported near the centre of ZIP 75034 (HQ), 1.0 mi N, on 2025-05-28')
    expect(says({ hail_size_in: 1, distance_miles: 0 }, zip)).toBe(
      'Hail up to 1.00 in reported near the centre of ZIP 75034 (HQ) on 2025-05-28',
    )
    expect(says({ hail_size_in: 1 }, area)).toBe('Hail up to 1.00 in reported in North on 2025-05-28')
    expect([house, zip, area].map(placeName)).toEqual(['HQ', 'the centre of ZIP 75034 (HQ)', 'North'])
  })

  it('cannot be made without a record', () => {
    expect(() => exposureHeadline(house, DATE, [])).toThrow('an exposure has no record')
  })
})
