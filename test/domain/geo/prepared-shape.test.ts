import { booleanIntersects, booleanPointInPolygon, lineString, multiPolygon, point, polygon } from '@turf/turf'
import { expect, it } from 'vitest'
import type { Position } from '#domain/geo/measure.ts'
import { containsPoint, intersectsArea, intersectsPath, prepareShape } from '#domain/geo/prepared-shape.ts'
import { seededRandom } from '../../bench/random.ts'

const random = seededRandom(7)

/** A closed ring around a point, as irregular as a hand-drawn one. */
function ragged(longitude: number, latitude: number, reach: number, corners: number): Position[] {
  const ring = Array.from({ length: corners }, (_, corner): Position => {
    const angle = (corner / corners) * 2 * Math.PI
    const away = reach * random.between(0.4, 1)
    return [longitude + away * Math.cos(angle), latitude + away * Math.sin(angle)]
  })
  return [...ring, ring[0] as Position]
}

const randomPosition = (): Position => [random.between(-99, -95), random.between(31, 35)]

it('contains the same points as another library finds, with holes and several parts', () => {
  const rings = [[ragged(-97, 33, 1, 300), ragged(-97, 33, 0.2, 20)], [ragged(-95.5, 34, 0.4, 3)]]
  const [drawn, turfShape] = [prepareShape({ type: 'MultiPolygon', coordinates: rings }), multiPolygon(rings)]
  const points = Array.from({ length: 3000 }, randomPosition)
  const inside = points.filter(([longitude, latitude]) => containsPoint(drawn, longitude, latitude))
  expect(inside).toEqual(points.filter((at) => booleanPointInPolygon(point(at), turfShape)))
  expect(inside.length).toBeGreaterThan(100)
})

it('meets lines and areas that cross it, are inside it, or surround it', () => {
  const ring = ragged(-97, 33, 1, 60)
  const [drawn, turfShape] = [prepareShape(JSON.stringify({ type: 'Polygon', coordinates: [ring] })), polygon([ring])]
  for (let turn = 0; turn < 300; turn++) {
    const line = [randomPosition(), randomPosition()]
    expect(intersectsPath(drawn, line)).toBe(booleanIntersects(lineString(line), turfShape))
    const [longitude, latitude] = randomPosition()
    const area = ragged(longitude, latitude, random.between(0.05, 3), 12)
    expect(intersectsArea(drawn, area)).toBe(booleanIntersects(polygon([area]), turfShape))
  }
})

it('a rectangle along the meridians contains and meets shapes on every side', () => {
  const corners: Position[] = [
    [-98, 32],
    [-96, 32],
    [-96, 34],
    [-98, 34],
    [-98, 32],
  ]
  const drawn = prepareShape({ type: 'Polygon', coordinates: [corners] })
  for (const [longitude, latitude, inside] of [
    [-97, 33, true],
    [-97.9, 33.9, true],
    [-98.1, 33, false],
    [-95.9, 33, false],
    [-97, 31.9, false],
    [-97, 34.1, false],
  ] as const)
    expect(containsPoint(drawn, longitude, latitude)).toBe(inside)
  const across: Position[][] = [
    [
      [-99, 33],
      [-95, 33],
    ],
    [
      [-97, 31],
      [-97, 35],
    ],
    [
      [-98.5, 33],
      [-97.5, 34.5],
    ],
  ]
  expect(across.map((line) => intersectsPath(drawn, line))).toEqual([true, true, true])
  const outside: Position[][] = [
    [
      [-99, 31],
      [-95, 31.9],
    ],
    [
      [-98.1, 31],
      [-98.1, 35],
    ],
  ]
  expect(outside.map((line) => intersectsPath(drawn, line))).toEqual([false, false])
  // The western edge counts as inside. A line from there leads away without crossing.
  expect(
    intersectsPath(drawn, [
      [-98, 33],
      [-99, 33],
    ]),
  ).toBe(true)
  expect(intersectsArea(drawn, [])).toBe(false)
})

it('has each edge once, including those along meridians and parallels, and none between equal positions', () => {
  const [a, b, c, d]: [Position, Position, Position, Position] = [
    [0, 0],
    [2, 0],
    [2, 1],
    [0, 1],
  ]
  const edges = [
    [...d, ...a],
    [...a, ...b],
    [...b, ...c],
    [...c, ...d],
  ]
  const edgesOf = (ring: Position[]) => {
    const flat = [...prepareShape({ type: 'Polygon', coordinates: [ring] }).edges]
    return Array.from({ length: flat.length / 4 }, (_, nth) => flat.slice(nth * 4, nth * 4 + 4)).sort()
  }
  for (const ring of [
    [a, b, c, d],
    [a, b, c, d, a],
    [a, a, b, c, c, d, a],
  ])
    expect(edgesOf(ring)).toEqual([...edges].sort())
})

it('lists an edge in few bands, even if all edges reach from end to end of the shape', () => {
  const teeth = Array.from({ length: 400 }, (_, tooth): Position[] => [
    [-97 + tooth * 0.002, 30],
    [-97 + tooth * 0.002 + 0.0005, 40],
    [-97 + tooth * 0.002 + 0.001, 30],
  ])
  const comb: Position[] = [[-97, 29.9], ...teeth.flat(), [-96, 30], [-96, 29.9], [-97, 29.9]]
  const { edges, offsets } = prepareShape({ type: 'Polygon', coordinates: [comb] })
  expect(offsets.length / (edges.length / 4)).toBeLessThan(20)
  const inside = [-97.0005, -96.9995, -96.4985].map((longitude) =>
    containsPoint(prepareShape({ type: 'Polygon', coordinates: [comb] }), longitude, 31),
  )
  expect(inside).toEqual([false, true, false])
})

it('compares a small area only with the edges at its latitudes', () => {
  const shape = prepareShape({ type: 'Polygon', coordinates: [ragged(-97, 33, 1, 4000)] })
  let reads = 0
  const edges = new Proxy(shape.edges, {
    get(numbers, key) {
      reads++
      return Reflect.get(numbers, key)
    },
  })
  // Within the bounds of the shape, and outside of it.
  expect(intersectsArea({ ...shape, edges }, ragged(-97.9, 33.9, 0.01, 4))).toBe(false)
  expect(reads).toBeLessThan(6000)
})
