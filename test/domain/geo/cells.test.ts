import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellOf, cellsOfArea, cellsOfPath, cellsWithin, isInside } from '#domain/geo/cells.ts'
import { distanceMiles, EARTH_RADIUS_MILES, type Point, type Position } from '#domain/geo/measure.ts'
import { pointInPolygon } from '#domain/geo/shape.ts'
import { anywhere, bearing, destination, inTheStates, positionOf, share } from './on-the-globe.ts'

/** From the south-west to the north-east corner of a cell at the equator: the largest distance between two of its points. */
const CELL_DIAGONAL_MILES = 24.5

describe('the cell of a point', () => {
  it('counts columns within rows from the south-west', () => {
    expect(cellOf(-90, -180)).toBe(0)
    expect(cellOf(-90, -179.75)).toBe(1)
    expect(cellOf(-89.75, -180)).toBe(1440)
    expect(cellOf(33.1499, -96.8241)).toBe(492 * 1440 + 332)
  })

  it('keeps the edges of the world in range', () => {
    expect(cellOf(90, 179.99)).toBe(720 * 1440 - 1)
    expect(cellOf(0, 180)).toBe(cellOf(0, -180))
    expect(cellOf(0, 190)).toBe(cellOf(0, -170))
  })
})

describe('the cells of a circle', () => {
  it('contain every point of it, anywhere on the globe', () => {
    fc.assert(
      fc.property(anywhere, fc.double({ min: 0, max: 120, noNaN: true }), bearing, share, (centre, radius, direction, part) => {
        const point = destination(centre, direction, radius * part)
        expect(cellsWithin(centre.latitude, centre.longitude, radius)).toContain(cellOf(point.latitude, point.longitude))
      }),
      { numRuns: 2000 },
    )
  })

  it('are all near it, without duplicates', () => {
    fc.assert(
      fc.property(inTheStates, fc.double({ min: 0.5, max: 100, noNaN: true }), (centre, radius) => {
        const cells = cellsWithin(centre.latitude, centre.longitude, radius)
        expect(new Set(cells).size).toBe(cells.length)
        for (const cell of cells) {
          const middle = centreOf(cell)
          expect(distanceMiles(centre.latitude, centre.longitude, middle.latitude, middle.longitude)).toBeLessThan(
            radius + CELL_DIAGONAL_MILES / 2,
          )
        }
      }),
      { numRuns: 300 },
    )
  })

  it('are few for a small radius, and the whole ring of the world at a pole', () => {
    expect(cellsWithin(33.1, -96.9, 1)).toEqual([cellOf(33.1, -96.9)])
    expect(cellsWithin(33.1, -96.9, 10).length).toBeLessThanOrEqual(9)
    expect(cellsWithin(90, 0, 5)).toHaveLength(1440)
  })

  it('continue across the antimeridian', () => {
    const cells = cellsWithin(51.9, 179.95, 10)
    expect(cells).toContain(cellOf(51.9, 179.9))
    expect(cells).toContain(cellOf(51.9, -179.95))
  })
})

describe('a cell inside a circle', () => {
  /** From 35 to 35.25 degrees north and from 97.25 to 97 degrees west. */
  const cell = cellOf(35.1, -97.1)
  const corners = [35, 35.25].flatMap((latitude) => [-97.25, -97].map((longitude) => ({ latitude, longitude })))
  const farthestFrom = ({ latitude, longitude }: Point) =>
    Math.max(...corners.map((corner) => distanceMiles(latitude, longitude, corner.latitude, corner.longitude)))

  it('has its farthest corner inside with a thousandth of a mile to spare', () => {
    for (const centre of [
      { latitude: 35.12, longitude: -97.13 },
      ...corners,
      ...corners.map(({ latitude }) => ({ latitude, longitude: -98 })),
    ]) {
      const farthest = farthestFrom(centre)
      expect(isInside(cell, centre.latitude, centre.longitude, farthest + 0.0011)).toBe(true)
      expect(isInside(cell, centre.latitude, centre.longitude, farthest + 0.0009)).toBe(false)
      expect(isInside(cell, centre.latitude, centre.longitude, farthest - 1)).toBe(false)
    }
  })
})

describe('the cells of a path', () => {
  const leg = fc.tuple(bearing, fc.double({ min: 0, max: 200, noNaN: true }))

  it('contain every point of its great circle', () => {
    fc.assert(
      fc.property(
        anywhere.filter(({ latitude }) => Math.abs(latitude) < 80),
        leg,
        share,
        (start, [direction, miles], part) => {
          const cells = cellsOfPath([positionOf(start), positionOf(destination(start, direction, miles))])
          const point = destination(start, direction, miles * part)
          expect(cells).toContain(cellOf(point.latitude, point.longitude))
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('contain every point of the straight line on a map centred on a place within reach', () => {
    fc.assert(
      fc.property(
        inTheStates,
        leg,
        bearing,
        fc.double({ min: 0, max: 100, noNaN: true }),
        share,
        (start, [direction, miles], away, reach, part) => {
          const end = destination(start, direction, miles)
          const onPath = destination(start, direction, miles * part)
          const place = destination(onPath, away, reach)
          const point = onStraightLine(place, start, end, part)
          expect(cellsOfPath([positionOf(start), positionOf(end)])).toContain(cellOf(point.latitude, point.longitude))
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('are exactly those that it passes through', () => {
    const cellsAt = (latitudes: number[], longitudes: number[]) =>
      latitudes.flatMap((latitude) => longitudes.map((longitude) => cellOf(latitude, longitude))).sort()
    const pathOf = (...path: Position[]) => cellsOfPath(path).sort()
    expect(pathOf([-97.4, 35.3], [-96.9, 35.3])).toEqual(cellsAt([35.3], [-97.3, -97.1, -96.9]))
    expect(pathOf([-96.9, 35.3], [-97.4, 35.3])).toEqual(cellsAt([35.3], [-97.3, -97.1, -96.9]))
    expect(pathOf([-97.1, 35.1], [-97.1, 36.1])).toEqual(cellsAt([35.1, 35.3, 35.6, 35.8, 36.1], [-97.1]))
    expect(pathOf([-97.1, 36.1], [-97.1, 35.1])).toEqual(cellsAt([35.1, 35.3, 35.6, 35.8, 36.1], [-97.1]))
    // Cut into pieces no longer than a cell. Two corners of the box around the whole path are left out.
    expect(pathOf([-97.4, 35.1], [-96.9, 35.6])).toEqual(
      [...cellsAt([35.1], [-97.3, -97.1]), ...cellsAt([35.3], [-97.3, -97.1, -96.9]), ...cellsAt([35.6], [-97.1, -96.9])].sort(),
    )
    // Two legs have the cells of both.
    expect(pathOf([-97.1, 35.1], [-97.1, 35.3], [-96.9, 35.3])).toEqual(
      cellsAt([35.1], [-97.1])
        .concat(cellsAt([35.3], [-97.1, -96.9]))
        .sort(),
    )
  })

  it('are one cell for a point and none for an empty path', () => {
    expect(cellsOfPath([[-97.4, 35.3]])).toEqual([cellOf(35.3, -97.4)])
    expect(cellsOfPath([])).toEqual([])
  })
})

describe('the cells of an area', () => {
  it('contain every point inside it', () => {
    fc.assert(
      fc.property(
        inTheStates,
        fc.array(fc.tuple(bearing, fc.double({ min: 1, max: 80, noNaN: true })), { minLength: 3, maxLength: 8 }),
        bearing,
        share,
        (centre, spokes, direction, part) => {
          const ring = [...spokes]
            .sort(([one], [other]) => one - other)
            .map(([turn, miles]): Position => positionOf(destination(centre, turn, miles)))
          const point = destination(centre, direction, 80 * part)
          if (pointInPolygon(point, [ring])) expect(cellsOfArea(ring)).toContain(cellOf(point.latitude, point.longitude))
        },
      ),
      { numRuns: 1000 },
    )
  })

  it('are those of its edge and its inside, without those of a bay', () => {
    const [south, north, bay] = [30.1, 34.1, 31.1]
    const ring: Position[] = [
      [-100.1, south],
      [-96.1, south],
      [-96.1, north],
      [-97.1, north],
      [-97.1, bay],
      [-99.1, bay],
      [-99.1, north],
      [-100.1, north],
    ]
    const covered = new Set(cellsOfArea(ring))
    const around = [30.1, 30.6, 31.6, 32.6, 33.6].flatMap((latitude) =>
      [-99.6, -98.1, -96.6].map((longitude) => [latitude, longitude] as const),
    )
    for (const [latitude, longitude] of around)
      expect([latitude, longitude, covered.has(cellOf(latitude, longitude))]).toEqual([
        latitude,
        longitude,
        latitude < bay || longitude !== -98.1,
      ])
    for (const cell of covered) {
      const { latitude, longitude } = centreOf(cell)
      expect(latitude > south - 0.25 && latitude < north + 0.25 && longitude > -100.35 && longitude < -95.85).toBe(true)
      expect(latitude > bay + 0.25 && longitude > -98.85 && longitude < -97.35).toBe(false)
    }
  })

  it('of a triangle are the cells of its three edges', () => {
    const ring: Position[] = [
      [-97.2, 35.05],
      [-96.8, 35.05],
      [-96.8, 35.45],
    ]
    expect(cellsOfArea(ring).sort()).toEqual(cellsOfPath([...ring, ring[0] as Position]).sort())
    expect(cellsOfArea(ring)).not.toEqual(cellsOfPath(ring))
  })

  it('are those of a line if there are only two corners', () => {
    expect(
      cellsOfArea([
        [-97.4, 35.3],
        [-97.1, 35.3],
      ]),
    ).toEqual(
      cellsOfPath([
        [-97.4, 35.3],
        [-97.1, 35.3],
      ]),
    )
  })

  it('continue across the antimeridian', () => {
    const cells = cellsOfArea([
      [179, 51],
      [-179, 51],
      [-179, 52],
      [179, 52],
    ])
    expect(cells).toContain(cellOf(51.5, 179.9))
    expect(cells).toContain(cellOf(51.5, -179.9))
    expect(cells).not.toContain(cellOf(51.5, 0))
  })
})

function centreOf(cell: number): Point {
  return { latitude: (Math.floor(cell / 1440) + 0.5) / 4 - 90, longitude: ((cell % 1440) + 0.5) / 4 - 180 }
}

/** The point at a fraction of the straight line between two places, on an azimuthal equidistant map centred on a third. */
function onStraightLine(place: Point, from: Point, to: Point, part: number): Point {
  const [ax, ay] = onMap(place, from)
  const [bx, by] = onMap(place, to)
  const [x, y] = [ax + (bx - ax) * part, ay + (by - ay) * part]
  return destination(place, (Math.atan2(x, y) * 180) / Math.PI, Math.hypot(x, y))
}

function onMap(centre: Point, point: Point): [number, number] {
  const miles = distanceMiles(centre.latitude, centre.longitude, point.latitude, point.longitude)
  const [north, east] = [centre.latitude, point.latitude].map((degrees) => (degrees * Math.PI) / 180) as [number, number]
  const turn = ((point.longitude - centre.longitude) * Math.PI) / 180
  const direction = Math.atan2(
    Math.sin(turn) * Math.cos(east),
    Math.cos(north) * Math.sin(east) - Math.sin(north) * Math.cos(east) * Math.cos(turn),
  )
  expect(miles).toBeLessThan(EARTH_RADIUS_MILES)
  return [miles * Math.sin(direction), miles * Math.cos(direction)]
}

describe('the cells of a wide circle and of a shallow line', () => {
  it('include those that the rim passes through, in every direction', () => {
    for (const centre of [
      { latitude: 41.1, longitude: -97.3 },
      { latitude: -33.4, longitude: 179.9 },
      // This far north, the circle is widest well beyond the parallel of its centre.
      { latitude: 64.8, longitude: -147.7 },
    ])
      for (const miles of [30, 100, 300]) {
        const cells = new Set(cellsWithin(centre.latitude, centre.longitude, miles))
        const missed = Array.from({ length: 7200 }, (_, step) => destination(centre, step / 20, miles * 0.999999)).filter(
          ({ latitude, longitude }) => !cells.has(cellOf(latitude, longitude)),
        )
        expect(missed).toEqual([])
      }
  })

  it('follow a shallow line closely', () => {
    const cells = cellsOfPath([
      [-100, 35.1],
      [-90, 36.1],
    ])
    // The line crosses forty columns and four rows. A box around it would contain four times as many cells.
    expect(cells.length).toBeLessThan(60)
    expect(cells.length).toBeGreaterThanOrEqual(43)
  })
})
