import { describe, expect, it } from 'vitest'
import { areaSqMiles, centreOf } from '#domain/geo/area.ts'
import type { Position } from '#domain/geo/measure.ts'
import type { Polygon } from '#domain/geo/shape.ts'

/** A closed box, counterclockwise from its south-west corner. */
const box = (west: number, south: number, width: number, height: number): Position[] => [
  [west, south],
  [west + width, south],
  [west + width, south + height],
  [west, south + height],
  [west, south],
]
const ways = [
  [1, 1],
  [1, -1],
  [-1, 1],
  [-1, -1],
]
const turned = (ring: Position[], way: number) => (way === 1 ? ring : ring.toReversed())

describe('a polygon with a hole', () => {
  it.each(ways)('has its centre away from the hole, in either direction of each ring: %i, %i', (outer, inner) => {
    // From 4 square degrees around (0, 0), the north-east square is removed: (4 * 0 - 1 * 0.5) / 3.
    const polygon: Polygon = [turned(box(-1, -1, 2, 2), outer), turned(box(0, 0, 1, 1), inner)]
    const { latitude, longitude } = centreOf([polygon])
    expect(latitude).toBeCloseTo(-1 / 6, 3)
    expect(longitude).toBeCloseTo(-1 / 6, 3)
  })

  it('has the area that remains', () => {
    expect(areaSqMiles([[box(-1, -1, 2, 2), box(0, 0, 1, 1)]])).toBeCloseTo(
      areaSqMiles([[box(-1, -1, 2, 2)]]) - areaSqMiles([[box(0, 0, 1, 1)]]),
      6,
    )
  })
})

it('computes the area of a triangle, and zero without corners', () => {
  // An eighth of the globe: a right angle in each corner, pi / 2 square radians.
  const octant: Position[] = [
    [0, 0],
    [90, 0],
    [90, 90],
    [0, 90],
    [0, 0],
  ]
  expect(areaSqMiles([[octant]])).toBeCloseTo((Math.PI / 2) * 3958.7613 ** 2, 0)
  expect(areaSqMiles([[]])).toBe(0)
  expect(areaSqMiles([])).toBe(0)
})

it('weights the centre by the area of the parts', () => {
  const { longitude } = centreOf([[box(0, -1, 2, 2)], [box(9, -1, 1, 2)]])
  // 4 square degrees around longitude 1 and 2 around 9.5.
  expect(longitude).toBeCloseTo((4 * 1 + 2 * 9.5) / 6, 1)
})
