import fc from 'fast-check'
import { expect, it } from 'vitest'
import { tileAt, tileKey, WORLD_BITS } from '#domain/maps/mercator.ts'
import {
  bytesOf,
  joinLists,
  type MapPath,
  type MapPoint,
  POINT_WORDS,
  packPaths,
  pointAt,
  pointsByTile,
  putPoint,
  strongerAt,
  takePoints,
  unpackPaths,
  wordsOf,
} from '#domain/maps/point-list.ts'
import { byStrength, figureOf } from '#domain/maps/strength.ts'
import { strongestFirst, strongestPaths, strongestPoints } from '#domain/maps/strongest.ts'
import { pointLayers } from '#domain/weather/layers.ts'
import { severities } from '#domain/weather/severities.ts'
import type { Magnitudes } from '#domain/weather/severity-of.ts'
import { evidenceKinds, recordSources } from '#domain/weather/sources.ts'
import { layerOf, recordTypes } from '#domain/weather/types.ts'

const WORLD = 2 ** WORLD_BITS
const point: MapPoint = {
  id: 1,
  x: 0,
  y: 0,
  type: 'hail',
  severity: 'severe',
  day: 18_000,
  value: 1.75,
  source: 'noaa_storm_events',
  evidence_kind: 'ground',
}
const units = fc.integer({ min: 0, max: WORLD - 1 })
const points: fc.Arbitrary<MapPoint> = fc.record({
  id: fc.integer({ min: 1, max: 2 ** 31 }),
  x: units,
  y: units,
  type: fc.constantFrom(...recordTypes),
  severity: fc.constantFrom(...severities),
  day: fc.integer({ min: -8000, max: 30_000 }),
  value: fc.option(fc.integer({ min: 0, max: 30_000 }).map((hundredths) => hundredths / 100)),
  source: fc.constantFrom(...recordSources),
  evidence_kind: fc.constantFrom(...evidenceKinds),
})
const paths: fc.Arbitrary<MapPath> = fc.tuple(points, units, units).map(([begin, end_x, end_y]) => ({ ...begin, end_x, end_y }))

function listOf(all: MapPoint[]) {
  const list = new Uint32Array(all.length * POINT_WORDS)
  for (const [index, one] of all.entries()) putPoint(list, index * POINT_WORDS, one)
  return list
}
const pointsOf = (list: Uint32Array) => Array.from({ length: list.length / POINT_WORDS }, (_, index) => pointAt(list, index * POINT_WORDS))
const placesOf = (list: Uint32Array) => Array.from({ length: list.length / POINT_WORDS }, (_, index) => index * POINT_WORDS)

it('returns every point and path as it was stored, including days before 1970', () => {
  fc.assert(
    fc.property(fc.array(points), fc.array(paths), (all, lines) => {
      expect(pointsOf(listOf(all))).toEqual(all)
      expect(unpackPaths(packPaths(lines))).toEqual(lines)
    }),
  )
  expect(pointsOf(listOf([{ ...point, value: 0, day: -1 }]))).toEqual([{ ...point, value: 0, day: -1 }])
  expect(pointsOf(listOf([{ ...point, value: 1.754 }]))[0]?.value).toBe(1.75)
})

it('stores words as bytes, at any offset in a buffer', () => {
  const list = listOf([point, { ...point, id: 2 }])
  const bytes = bytesOf(list)
  expect(bytes.length).toBe(2 * POINT_WORDS * 4)
  expect(wordsOf(Buffer.concat([Buffer.from([1]), bytes]).subarray(1))).toEqual(list)
  expect(bytesOf(list.subarray(POINT_WORDS))).toEqual(bytes.subarray(POINT_WORDS * 4))
})

it('orders packed points like records: by severity, value, day and id', () => {
  fc.assert(
    fc.property(points, points, (one, other) => {
      expect(Math.sign(strongerAt(listOf([one, other]), 0, POINT_WORDS))).toBe(Math.sign(byStrength(one, other)))
    }),
  )
  const ordered = [
    { ...point, severity: 'extreme', value: null, day: 1 },
    { ...point, value: 2, day: 1 },
    { ...point, value: 1.75, day: 3 },
    { ...point, value: 1.75, day: 2, id: 9 },
    { ...point, value: 1.75, day: 2, id: 8 },
    { ...point, value: 0, day: 2 },
    { ...point, value: null, day: 9 },
  ] satisfies MapPoint[]
  expect([...ordered].reverse().sort(byStrength)).toEqual(ordered)
  const list = listOf([...ordered].reverse())
  expect(pointsOf(strongestFirst(list, placesOf(list)))).toEqual(ordered)
})

it('selects, joins and splits lists by point', () => {
  const all = [1, 2, 3, 4].map((id) => ({ ...point, id }))
  const list = listOf(all)
  expect(pointsOf(takePoints(list, [2 * POINT_WORDS, 0]))).toEqual([all[2], all[0]])
  expect(pointsOf(joinLists([list, new Uint32Array(), listOf([point])]))).toEqual([...all, point])
  fc.assert(
    fc.property(fc.array(points), fc.integer({ min: 0, max: 14 }), (some, z) => {
      const parted = pointsByTile(listOf(some), z)
      const expected = new Map<number, number[]>()
      for (const [index, { x, y }] of some.entries()) {
        const key = tileKey(tileAt(x, y, z))
        expected.set(key, [...(expected.get(key) ?? []), index * POINT_WORDS])
      }
      expect(parted).toEqual(expected)
    }),
  )
})

it('keeps the strongest point of each spot and layer of a tile, strongest first', () => {
  const z = 9
  // A spot is a 64th of a tile's side: 2^(26 - 9 - 6) units.
  const spot = 2 ** (WORLD_BITS - z - 6)
  const near = fc.integer({ min: 0, max: 4 * spot - 1 })
  fc.assert(
    fc.property(fc.array(fc.record({ of: points, x: near, y: near }), { maxLength: 60 }), (some) => {
      const all = some.map(({ of, x, y }, index) => ({ ...of, id: index + 1, x, y }))
      const best = new Map<string, MapPoint>()
      for (const one of all) {
        const key = `${layerOf(one.type)} ${Math.floor(one.x / spot)} ${Math.floor(one.y / spot)}`
        const existing = best.get(key)
        if (!existing || byStrength(one, existing) < 0) best.set(key, one)
      }
      expect(pointsOf(strongestPoints(listOf(all), z))).toEqual([...best.values()].sort(byStrength))
    }),
  )
})

it('keeps the strongest path per spot of its middle, and four thousand per tile', () => {
  const z = 9
  const spot = 2 ** (WORLD_BITS - z - 6)
  const path = (id: number, from: number, to: number, value: number, down = 0): MapPath => ({
    ...point,
    type: 'tornado',
    id,
    value,
    x: from * spot,
    y: down * spot,
    end_x: to * spot,
    end_y: down * spot,
  })
  const ids = (all: MapPath[]) => strongestPaths(all, z).map(({ id }) => id)
  // The middles are 1.5, 1.9 and 2.1 spots from the west.
  expect(ids([path(1, 0, 3, 1), path(2, 1.8, 2, 2), path(3, 0, 4.2, 0)])).toEqual([2, 3])
  expect(ids([path(1, 0, 3, 2), path(2, 1.8, 2, 1)])).toEqual([1])
  expect(ids([path(1, 0, 3, 2), path(2, 0, 3, 1, 1)])).toEqual([1, 2])
  expect(ids([path(1, 0, 2, 2, 0), { ...path(2, 0, 2, 1), end_y: 3 * spot }])).toEqual([1, 2])
  expect(ids([path(1, 64, 64, 2), path(2, 0, 0, 1, 1)])).toEqual([1, 2])
  expect(ids([path(1, 0, 0, 2, 0.3), path(2, 0, 0, 1, 0.9)])).toEqual([1])
  expect(ids([path(1, 8, 8, 2), path(2, 0, 0, 1, 1)])).toEqual([1, 2])
  const many = Array.from({ length: 4100 }, (_, index) => path(index + 1, index, index, index / 100))
  expect(ids(many)).toEqual(Array.from({ length: 4000 }, (_, index) => 4100 - index))
})

it('has a layer for every type, with one value each', () => {
  const layers = {
    hail: ['hail', 'marine_hail'],
    wind: ['thunderstorm_wind', 'marine_thunderstorm_wind', 'high_wind', 'strong_wind', 'marine_high_wind', 'marine_strong_wind'],
    tornado: ['tornado', 'funnel_cloud', 'waterspout'],
    flood: ['flood', 'flash_flood', 'coastal_flood', 'lakeshore_flood', 'storm_surge'],
  }
  for (const layer of pointLayers)
    expect([layer, recordTypes.filter((type) => layerOf(type) === layer)]).toEqual([
      layer,
      recordTypes.filter((type) => (layer === 'other' ? !Object.values(layers).flat().includes(type) : layers[layer].includes(type))),
    ])
  const measured: Magnitudes = { type: 'hail', hail_size_in: 1, wind_gust_mph: 60, wind_speed_mph: 50, tornado_ef_scale: 2 }
  const figures = (['hail', 'high_wind', 'tornado', 'flood', 'lightning'] as const).map((type) => figureOf({ ...measured, type }))
  expect(figures).toEqual([1, 60, 2, null, null])
  expect(figureOf({ ...measured, type: 'high_wind', wind_gust_mph: null })).toBe(50)
})
