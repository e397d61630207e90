import { monitorEventLoopDelay } from 'node:perf_hooks'
import * as turf from '@turf/turf'
import fc from 'fast-check'
import type { MultiPolygon, Polygon } from 'geojson'
import { describe, expect, it } from 'vitest'
import { readGeometry, type Shape } from '#domain/geo/geometry.ts'
import type { Position } from '#domain/geo/measure.ts'
import { destination, inTheStates, positionOf } from './on-the-globe.ts'

/** The ring of a box from a corner. */
const box = (west: number, south: number, width = 1, height = width): Position[] => [
  [west, south],
  [west + width, south],
  [west + width, south + height],
  [west, south + height],
  [west, south],
]
const polygon = (...coordinates: Position[][]): Polygon => ({ type: 'Polygon', coordinates })
const multi = (...coordinates: Position[][][]): MultiPolygon => ({ type: 'MultiPolygon', coordinates })

/** Rings whose area is too small for a double: its product underflows, and its terms cancel out. */
const UNDERFLOWING: Position[] = [
  [0, 0],
  [1e-170, 0],
  [0, 1e-170],
  [0, 0],
]
const TINY: Position[] = [
  [-97, 32],
  [-96.99999999999999, 32],
  [-97, 32.00000000000001],
  [-97, 32],
]

async function shapeOf(input: unknown): Promise<Shape> {
  const read = await readGeometry(input, 'a team')
  if ('refusal' in read) throw new Error(read.refusal)
  return read.shape
}

async function refusalOf(input: unknown, team_id = 'a team'): Promise<string | null> {
  const read = await readGeometry(input, team_id)
  return 'refusal' in read ? read.refusal : null
}

const PIECES = 20

/** The same ring with each edge cut into pieces. */
function finely(ring: Position[]): Position[] {
  const edges = ring.slice(1).map((to, index) => [ring[index] as Position, to] as const)
  const cut = edges.flatMap(([[x, y], [to_x, to_y]]) =>
    Array.from({ length: PIECES }, (_, piece): Position => [x + ((to_x - x) * piece) / PIECES, y + ((to_y - y) * piece) / PIECES]),
  )
  return [...cut, ring[0] as Position]
}

/** A wavy ring with the given number of positions that does not cross itself. */
function wave(positions: number, radius = 1): Position[] {
  const ring = Array.from({ length: positions - 1 }, (_, index): Position => {
    const turn = (index / (positions - 1)) * 2 * Math.PI
    const reach = radius * (1 + 0.1 * Math.sin(turn * 40))
    return [-97 + reach * Math.cos(turn), 35 + reach * Math.sin(turn)]
  })
  return [...ring, ring[0] as Position]
}

/** A ring with the given number of positions in which nearly every edge crosses nearly every other. */
function tangle(positions: number): Position[] {
  const ring = Array.from({ length: positions - 1 }, (_, index): Position => {
    const turn = index * Math.PI * 0.999
    return [-97 + Math.cos(turn), 35 + Math.sin(turn)]
  })
  return [...ring, ring[0] as Position]
}

/** Slanted teeth side by side: no two edges cross, and every edge's box overlaps every other. */
function comb(positions: number): Position[] {
  const teeth = Math.floor((positions - 3) / 2)
  const ring = Array.from({ length: teeth }, (_, tooth): Position[] => {
    const shift = (tooth * 0.1) / teeth
    return [
      [-98 + shift, 34 - shift],
      [-97 + shift, 35 - shift],
    ]
  }).flat()
  return [...ring, [-96.5, 33], [-99, 33.2], ring[0] as Position]
}

describe('an accepted geometry', () => {
  it('keeps every coordinate as sent, in a Feature or alone', async () => {
    const geometry = polygon([
      [-97.12345678901234, 35.1],
      [-96.9, 35.10000000000001],
      [-96.95, 35.3, 250],
      [-97.12345678901234, 35.1],
    ] as Position[])
    const shape = await shapeOf({ type: 'Feature', properties: { name: 'x' }, geometry })
    expect(shape.geometry).toEqual(geometry)
    expect(shape.text).toBe(JSON.stringify(geometry))
    expect(await shapeOf(geometry)).toEqual(shape)
  })

  it('has the area, centre and bounds of a box', async () => {
    const shape = await shapeOf(polygon(box(-97, 35)))
    // R^2 * width * (sin north - sin south), exact for a box.
    const exact = 3958.7613 ** 2 * (Math.PI / 180) * (Math.sin((36 * Math.PI) / 180) - Math.sin((35 * Math.PI) / 180))
    expect(shape.area_sq_miles).toBeCloseTo(exact, 6)
    expect(shape.centre).toEqual({ latitude: 35.5, longitude: -96.5 })
    expect(shape.bounds).toEqual({ west: -97, south: 35, east: -96, north: 36 })
  })

  it('has the area that turf computes, without holes, in either direction of its rings', async () => {
    await fc.assert(
      fc.asyncProperty(
        inTheStates,
        fc.array(fc.double({ min: 10, max: 40, noNaN: true }), { minLength: 5, maxLength: 9 }),
        fc.boolean(),
        async (centre, spokes, reverse) => {
          const ring = spokes.map((miles, index) => positionOf(destination(centre, (index * 360) / spokes.length, miles)))
          const hole = [0, 120, 240].map((turn) => positionOf(destination(centre, turn, 1)))
          const rings = [ring, hole].map((one) => [...one, one[0] as Position]).map((one) => (reverse ? one.reverse() : one))
          const shape = await shapeOf(polygon(...rings))
          // Turf uses only the ends of an edge, which is a thousandth off for a long one. It gets short edges.
          const turfArea = turf.area(polygon(...rings.map(finely))) / 1609.344 ** 2
          expect(Math.abs(shape.area_sq_miles - turfArea) / turfArea).toBeLessThan(0.0001)
          const [west, south, east, north] = turf.bbox(polygon(...rings))
          expect(shape.bounds).toEqual({ west, south, east, north })
          const withoutHole = polygon(rings[0] as Position[])
          const middle = turf.centerOfMass(withoutHole).geometry.coordinates
          const { centre: ownCentre } = await shapeOf(withoutHole)
          expect(ownCentre.longitude).toBeCloseTo(middle[0] as number, 4)
          expect(ownCentre.latitude).toBeCloseTo(middle[1] as number, 4)
        },
      ),
      { numRuns: 15 },
    )
  })

  it('may have parts that touch at a point, a hole that touches its edge, and an island in a hole', async () => {
    expect(await refusalOf(multi([box(0, 0)], [box(1, 1)]))).toBeNull()
    expect(
      await refusalOf(
        polygon(box(0, 0, 4), [
          [0, 2],
          [1, 1],
          [2, 2],
          [1, 3],
          [0, 2],
        ]),
      ),
    ).toBeNull()
    expect(await refusalOf(multi([box(0, 0, 4), box(1, 1, 2)], [box(1.5, 1.5)]))).toBeNull()
  })

  it('may be on both sides of the antimeridian if it is cut there, and is centred on it', async () => {
    const shape = await shapeOf(multi([box(179, 51)], [box(-180, 51)]))
    expect(Math.abs(shape.centre.longitude)).toBe(180)
    expect(shape.bounds).toEqual({ west: -180, south: 51, east: 180, north: 52 })
  })

  it('may reach the pole', async () => {
    expect((await shapeOf(polygon(box(10, 89)))).bounds).toMatchObject({ south: 89, north: 90 })
  })
})

/** Coarse enough to be drawn, fine enough that corners are seldom on edges. */
const hundredths = fc.integer({ min: 0, max: 5000 }).map((count) => count / 100)

describe('a refused geometry', () => {
  it.each(
    [
      [null, 'The geometry must be a GeoJSON Polygon, MultiPolygon, or a Feature wrapping one.'],
      ['POLYGON((0 0))', 'The geometry must be a GeoJSON Polygon, MultiPolygon, or a Feature wrapping one.'],
      [[], 'The geometry must be a GeoJSON Polygon, MultiPolygon, or a Feature wrapping one.'],
      [{ type: 'Point', coordinates: [0, 0] }, 'The geometry must be a GeoJSON Polygon, MultiPolygon, or a Feature wrapping one.'],
      [{ type: 'Feature', geometry: null }, 'The geometry must be a GeoJSON Polygon, MultiPolygon, or a Feature wrapping one.'],
      [{ type: 'FeatureCollection', features: [] }, 'The geometry must be a GeoJSON Polygon, MultiPolygon, or a Feature wrapping one.'],
      [{ type: 'Polygon' }, 'The geometry has no coordinates.'],
      [polygon(), 'A polygon has no ring.'],
      [multi(), 'The geometry has no polygon.'],
      [
        {
          type: 'Polygon',
          coordinates: [
            [0, 0],
            [1, 1],
          ],
        },
        'A ring has fewer than four positions.',
      ],
      [
        { type: 'MultiPolygon', coordinates: [5] },
        'The coordinates are not nested as the type requires: polygons contain rings, rings contain positions.',
      ],
      [
        polygon([
          [0, 0],
          [1, 0],
          [0, 0],
        ]),
        'A ring has fewer than four positions.',
      ],
      [
        polygon([
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
        ]),
        'A ring is not closed: its last position must be its first.',
      ],
      [
        polygon([
          [0, 0],
          [1, 1],
          [0, 1],
          [1, 0],
        ]),
        'A ring is not closed: its last position must be its first.',
      ],
      [
        polygon([
          [35, -97],
          [36, -97],
          [36, -96],
          [35, -97],
        ]),
        'A position is out of range: longitudes go from -180 to 180, latitudes from -90 to 90, longitude first.',
      ],
      [polygon(box(180, 0)), 'A position is out of range: longitudes go from -180 to 180, latitudes from -90 to 90, longitude first.'],
      [
        {
          type: 'Polygon',
          coordinates: [
            [
              ['0', 0],
              [1, 0],
              [1, 1],
              ['0', 0],
            ],
          ],
        },
        'A position is not a longitude and a latitude in numbers.',
      ],
      [{ type: 'Polygon', coordinates: [[[0], [1], [1], [0]]] }, 'A position is not a longitude and a latitude in numbers.'],
      [
        {
          type: 'Polygon',
          coordinates: [
            [
              [0, null],
              [1, 0],
              [1, 1],
              [0, null],
            ],
          ],
        },
        'A position is not a longitude and a latitude in numbers.',
      ],
      [
        polygon([
          [179, 51],
          [-179, 51],
          [-179, 52],
          [179, 52],
          [179, 51],
        ]),
        'The geometry crosses the antimeridian, or has an edge half around the world: cut it at longitude 180.',
      ],
      [multi(...Array.from({ length: 101 }, (_, index) => [box(-150 + index, 0, 0.5)])), 'The geometry has more than 100 polygons.'],
      [polygon(wave(10_001)), 'The geometry has more than 10,000 positions.'],
      [{ type: 'Polygon', coordinates: Array.from({ length: 20_000 }, () => []) }, 'The geometry has more than 10,000 positions.'],
      [
        polygon([
          [0, 0],
          [2, 2],
          [2, 0],
          [0, 2],
          [0, 0],
        ]),
        'The geometry crosses, touches or overlaps itself.',
      ],
      // A figure of eight whose crossing is a corner of both halves.
      [
        polygon([
          [0, 0],
          [1, 1],
          [2, 2],
          [2, 0],
          [1, 1],
          [0, 2],
          [0, 0],
        ]),
        'The geometry crosses, touches or overlaps itself.',
      ],
      [
        polygon([
          [0, 0],
          [4, 0],
          [2, 0],
          [2, 2],
          [0, 0],
        ]),
        'The geometry doubles back on itself.',
      ],
      [
        polygon([
          [0, 0],
          [1, 0],
          [0, 0],
          [0, 0],
        ]),
        'A ring encloses no area.',
      ],
      [
        polygon([
          [0, 0],
          [1, 1],
          [2, 2],
          [0, 0],
        ]),
        'The geometry doubles back on itself.',
      ],
      // A valid shape, but its area in doubles is 0.
      ...[polygon(UNDERFLOWING), polygon(TINY), multi([TINY], [box(-100, 30)]), multi([box(-100, 30)], [UNDERFLOWING])].map(
        (shape) => [shape, 'A polygon encloses no area.'] as [Polygon | MultiPolygon, string],
      ),
      [polygon(box(0, 0), box(5, 5)), 'A hole does not lie within its polygon.'],
      [polygon(box(0, 0, 2), box(1, 0.5, 2)), 'The geometry crosses, touches or overlaps itself.'],
      // The hole leaves its polygon through two corners that they share.
      [
        polygon(box(0, 0, 2), [
          [0, 0],
          [2, 2],
          [3, 0.5],
          [0, 0],
        ]),
        'The geometry crosses, touches or overlaps itself.',
      ],
      [polygon(box(0, 0, 8), box(1, 1, 4), box(2, 2, 1)), 'Two holes overlap.'],
      [multi([box(0, 0, 4)], [box(1, 1)]), 'Two of its polygons overlap.'],
      [multi([box(0, 0, 2)], [box(1, 1, 2)]), 'The geometry crosses, touches or overlaps itself.'],
      [multi([box(0, 0, 2)], [box(0, 0, 2)]), 'The geometry crosses, touches or overlaps itself.'],
      // The polygons cross corner to corner: no two edges cross between their ends.
      [
        multi(
          [
            [
              [0, 0],
              [2, 0],
              [2, 2],
              [0, 2],
              [0, 0],
            ],
          ],
          [
            [
              [1, 1],
              [2, 2],
              [3, 3],
              [1, 3],
              [1, 1],
            ],
          ],
        ),
        'The geometry crosses, touches or overlaps itself.',
      ],
    ].map(([input, sentence]) => ({ input, sentence, shown: String(JSON.stringify(input)).slice(0, 120) })),
  )('$shown', async ({ input, sentence }) => {
    expect(await refusalOf(input)).toBe(sentence)
  })

  it('agrees with turf on which small rings cross themselves', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.tuple(hundredths, hundredths), { minLength: 4, maxLength: 7, selector: String }),
        async (corners) => {
          const ring = [...corners, corners[0] as Position] as Position[]
          const crossings = turf.kinks(polygon(ring)).features.length
          expect((await refusalOf(polygon(ring))) !== null).toBe(crossings > 0)
        },
      ),
      { numRuns: 25 },
    )
  })
})

describe('a geometry made to be slow', () => {
  it.each([
    ['20,000 positions, counted and no more', tangle(20_000), 'The geometry has more than 10,000 positions.'],
    ['10,000 positions, every edge across every other', tangle(10_000), 'The geometry crosses, touches or overlaps itself.'],
    ['10,000 positions in teeth whose boxes all overlap', comb(10_000), null],
    ['10,000 positions in a wave', wave(10_000), null],
  ])('of %s does not block the event loop', async (_, ring, expected) => {
    const delay = monitorEventLoopDelay({ resolution: 5 })
    delay.enable()
    const startedAt = performance.now()
    const refusal = await refusalOf(polygon(ring))
    const took_ms = performance.now() - startedAt
    delay.disable()
    expect(refusal).toBe(expected)
    // A loop that checked it directly would block for as long as the check takes, however slow a busy machine is.
    expect(delay.max / 1e6).toBeLessThan(Math.max(250, took_ms / 2))
  })

  it('of one team delays no shape of another', async () => {
    const order: string[] = []
    const slow = Array.from({ length: 4 }, () => refusalOf(polygon(comb(10_000)), 'slow').then(() => order.push('slow')))
    const quick = refusalOf(polygon(box(-97, 35)), 'quick').then(() => order.push('quick'))
    await Promise.all([...slow, quick])
    expect(order.indexOf('quick')).toBeLessThan(2)
  })
})
