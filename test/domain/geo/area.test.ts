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
  it.each(ways)('has its centre away from the hole, whichever way each is drawn: %i, %i', (outer, inner) => {
    // Of 4 square degrees around (0, 0), the eastern half of the north is taken out: (4 * 0 - 1 * 0.5) / 3.
    const polygon: Polygon = [turned(box(-1, -1, 2, 2), outer), turned(box(0, 0, 1, 1), inner)]
    const { latitude, longitude } = centreOf([polygon])
    expect(latitude).toBeCloseTo(-1 / 6, 3)
    expect(longitude).toBeCloseTo(-1 / 6, 3)
  })

  it('has the area that is left', () => {
    expect(areaSqMiles([[box(-1, -1, 2, 2), box(0, 0, 1, 1)]])).toBeCloseTo(
      areaSqMiles([[box(-1, -1, 2, 2)]]) - areaSqMiles([[box(0, 0, 1, 1)]]),
      6,
    )
  })
})

it('has the area of a triangle and no area without corners', () => {
  // A quarter of a hemisphere: a right angle in each corner, pi / 2 square radians.
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

it('is centred by weight where it has parts', () => {
  const { longitude } = centreOf([[box(0, -1, 2, 2)], [box(9, -1, 1, 2)]])
  // 4 square degrees around 1 and 2 around 9.5.
  expect(longitude).toBeCloseTo((4 * 1 + 2 * 9.5) / 6, 1)
})
