import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cornersOf, crossesItself } from '#domain/geo/crossing.ts'
import type { Position } from '#domain/geo/measure.ts'

/** The winding number of a ring around a point, counted from the turns of its corners. */
function winding([x, y]: Position, ring: Position[]): number {
  const angles = ring.map(([cx, cy]) => Math.atan2(cy - y, cx - x))
  const turns = angles.map((angle, place) => {
    const step = (angles[(place + 1) % angles.length] as number) - angle
    return step > Math.PI ? step - 2 * Math.PI : step < -Math.PI ? step + 2 * Math.PI : step
  })
  return Math.round(turns.reduce((sum, turn) => sum + turn, 0) / (2 * Math.PI))
}

const SIDE = 5
const SAMPLES = 60

/** The nonzero winding numbers at points spread over the plane: a line that crosses itself has more than one. */
function windings(ring: Position[]): Set<number> {
  const found = new Set<number>()
  for (let i = 0; i < SAMPLES; i++)
    for (let j = 0; j < SAMPLES; j++) found.add(winding([((i + 0.4142) * SIDE) / SAMPLES, ((j + 0.7321) * SIDE) / SAMPLES], ring))
  found.delete(0)
  return found
}

/** Whether two edges overlap along a stretch: the winding numbers then prove nothing. */
function sharesStretch(ring: Position[]): boolean {
  const edges = ring.map((from, place) => [from, ring[(place + 1) % ring.length] as Position] as const)
  const flat = ([ax, ay]: Position, [bx, by]: Position, [cx, cy]: Position) => (bx - ax) * (cy - ay) === (by - ay) * (cx - ax)
  return edges.some(([a, b], one) =>
    edges.some(([c, d], other) => {
      if (other <= one || !flat(a, b, c) || !flat(a, b, d)) return false
      const along = a[0] === b[0] ? 1 : 0
      const [low, high] = [
        Math.max(Math.min(a[along], b[along]), Math.min(c[along], d[along])),
        Math.min(Math.max(a[along], b[along]), Math.max(c[along], d[along])),
      ]
      return low < high
    }),
  )
}

describe('a ring', () => {
  it.each<[string, boolean, Position[]]>([
    [
      'a square',
      false,
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [0, 1],
        [0, 0],
      ],
    ],
    [
      'a bow tie',
      true,
      [
        [0, 0],
        [1, 1],
        [1, 0],
        [0, 1],
      ],
    ],
    [
      'a bow tie through a corner',
      true,
      [
        [0, 0],
        [1, 1],
        [2, 2],
        [2, 0],
        [1, 1],
        [0, 2],
      ],
    ],
    [
      'two squares that touch in a corner',
      false,
      [
        [0, 0],
        [1, 0],
        [1, 1],
        [2, 1],
        [2, 2],
        [1, 2],
        [1, 1],
        [0, 1],
      ],
    ],
    [
      'a line back over itself',
      false,
      [
        [0, 0],
        [2, 0],
        [2, 1],
        [1, 1],
        [1, 2],
        [1, 1],
        [0, 1],
      ],
    ],
    [
      'a line through an edge at a corner of its own',
      true,
      [
        [0, 0],
        [4, 0],
        [4, 2],
        [2, -1],
        [1, 0],
        [0, 2],
      ],
    ],
    [
      'a corner on an edge',
      false,
      [
        [0, 0],
        [4, 0],
        [4, 2],
        [2, 0],
        [0, 2],
      ],
    ],
    [
      'a corner beside an edge whose ways go on around its end',
      false,
      [
        [0, 0],
        [4, 4],
        [4, 6],
        [5, 6],
        [3, 1],
        [1, -1],
      ],
    ],
    [
      'a corner in line with an upright edge, beyond its end',
      false,
      [
        [0, 0],
        [0, 1],
        [1, 1],
        [0, 2],
        [-1, 1],
        [-1, 0],
      ],
    ],
    [
      'one whose corners are repeated',
      false,
      [
        [0, 0],
        [1, 0],
        [1, 0],
        [1, 1],
        [1, 1],
        [0, 1],
        [0, 0],
      ],
    ],
    [
      'what an office sent in 2010',
      true,
      [
        [-85.38, 38.65],
        [-55.24, 18.48],
        [-95.56, 58.43],
        [-85.64, 28.5],
        [-95.49, 38.59],
        [-65.49, 38.59],
      ],
    ],
  ])('%s crosses itself: %s', (_name, crosses, ring) => {
    expect([crossesItself(ring), crossesItself(ring.toReversed())]).toEqual([crosses, crosses])
  })

  it('crosses itself exactly if it has different winding numbers or winds more than once', () => {
    const corner = fc.tuple(fc.integer({ min: 0, max: SIDE }), fc.integer({ min: 0, max: SIDE }))
    fc.assert(
      fc.property(fc.uniqueArray(corner, { minLength: 4, maxLength: 8, selector: String }), (ring) => {
        fc.pre(!sharesStretch(ring))
        expect(crossesItself(ring)).toBe(
          windings(ring).size > 1 || [...windings(ring)].some((windingNumber) => Math.abs(windingNumber) > 1),
        )
      }),
      { numRuns: 150 },
    )
  })
})

describe('corners of a ring', () => {
  const [a, b, c]: Position[] = [
    [-97, 33],
    [-96, 33],
    [-96, 34],
  ]
  it('are its positions without repeats and without the closing one', () => {
    expect(cornersOf([a, b, c, a] as Position[])).toEqual([a, b, c])
    expect(cornersOf([a, a, b, c, c, a] as Position[])).toEqual([a, b, c])
    expect(cornersOf([a, b, c] as Position[])).toEqual([a, b, c])
    expect(cornersOf([a] as Position[])).toEqual([a])
    expect(cornersOf([])).toEqual([])
  })
})

describe('a ring that returns along part of its own edge and leaves on the same side', () => {
  /** From the west-south-west through the origin to the east, around, and back along half of the eastern edge. */
  const touching: Position[] = [
    [-0.94, -0.34],
    [0, 0],
    [1, 0],
    [1, 1],
    [0.5, 0.4],
    [0.5, 0],
    [0, 0],
    [-0.3, 0.5],
    [-1, 1],
  ]

  it('only touches itself, at any rotation and position', () => {
    const turnedBy = fc.double({ min: 0, max: 2 * Math.PI, noNaN: true })
    const moved = fc.tuple(fc.double({ min: -170, max: 170, noNaN: true }), fc.double({ min: -80, max: 80, noNaN: true }))
    fc.assert(
      fc.property(turnedBy, moved, (angle, [east, north]) => {
        const [cosine, sine] = [Math.cos(angle), Math.sin(angle)]
        const ring = touching.map(([x, y]): Position => [east + x * cosine - y * sine, north + x * sine + y * cosine])
        for (let first = 0; first < ring.length; first++) {
          const rotated = [...ring.slice(first), ...ring.slice(0, first)]
          expect([crossesItself(rotated), crossesItself(rotated.toReversed())]).toEqual([false, false])
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('a ring that visits one corner twice, far from the origin', () => {
  const here: Position = [-97, 31]
  const [west, east] = [-98, -96]
  it.each([
    ['goes on through itself', [[west, 30], here, [east, 32], [east, 30], here, [west, 32]], true],
    ['only touches itself', [[west, 30], here, [west, 32], [east, 32], here, [east, 30]], false],
  ] as [string, Position[], boolean][])('%s', (_what, ring, crosses) => {
    for (let first = 0; first < ring.length; first++) {
      const turned = [...ring.slice(first), ...ring.slice(0, first)]
      expect(crossesItself(turned)).toBe(crosses)
      expect(crossesItself([...turned].reverse())).toBe(crosses)
    }
  })
})
