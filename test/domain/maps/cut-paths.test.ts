import { describe, expect, it } from 'vitest'
import { bandAreas } from '#domain/maps/band-areas.ts'
import { cutPaths, pathsThrough, tilesAround } from '#domain/maps/cut-paths.ts'
import { boxOf, EDGE, EXTENT, type TileAddress, WORLD_BITS } from '#domain/maps/mercator.ts'
import { type RadarDay, radarDaysOf } from '#domain/maps/radar-cells.ts'

const Z = 8
/** World units: a tile's side at this zoom, and how far a tile reaches over its edge. */
const SIDE = 2 ** (WORLD_BITS - Z)
const REACH = SIDE / 64
/** Whole numbers of tiles and of reaches from the north-west corner of the tile. */
const tile = { z: Z, x: 60, y: 100 }
const at = (tiles: number, reaches = 0) => tiles * SIDE + reaches * REACH
const line = (x: number, y: number, end_x: number, end_y: number, id = 1) => ({
  id,
  x: tile.x * SIDE + x,
  y: tile.y * SIDE + y,
  end_x: tile.x * SIDE + end_x,
  end_y: tile.y * SIDE + end_y,
})
/** The drawn part of a line, in the units of the line. */
const cut = (...ends: Parameters<typeof line>) => {
  const features = cutPaths([line(...ends)], tile, () => ({}))
  return features.flatMap(({ geometry }) => geometry.flat(2)).map((units) => (units * SIDE) / EXTENT)
}

describe('a line in a tile', () => {
  it('is cut a 64th of a side beyond each edge, so that no seam is visible', () => {
    expect(EDGE).toBe(1 / 64)
    expect(cut(at(-1), at(0.5), at(2), at(0.5))).toEqual([at(0, -1), at(0.5), at(1, 1), at(0.5)])
    expect(cut(at(0.5), at(-1), at(0.5), at(2))).toEqual([at(0.5), at(0, -1), at(0.5), at(1, 1)])
    expect(cut(at(2), at(2), at(-1), at(-1))).toEqual([at(1, 1), at(1, 1), at(0, -1), at(0, -1)])
  })

  it('is unchanged inside the tile', () => {
    expect(cut(at(0.25), at(0.75), at(0.5), at(0.5))).toEqual([at(0.25), at(0.75), at(0.5), at(0.5)])
    expect(cut(at(0.5), at(0.5), at(0.5), at(0.5))).toEqual([at(0.5), at(0.5), at(0.5), at(0.5)])
  })

  it.each([
    ['west', [at(0, -0.5), at(0.5)], [at(0, -1.5), at(0.5)]],
    ['east', [at(1, 0.5), at(0.5)], [at(1, 1.5), at(0.5)]],
    ['north', [at(0.5), at(0, -0.5)], [at(0.5), at(0, -1.5)]],
    ['south', [at(0.5), at(1, 0.5)], [at(0.5), at(1, 1.5)]],
  ] as [string, [number, number], [number, number]][])(
    'is drawn over the %s edge within that margin, and not beyond',
    (_, over, beyond) => {
      expect(cut(...over, ...over)).toEqual([...over, ...over])
      expect(cut(...beyond, ...beyond)).toEqual([])
    },
  )

  it('is not drawn if it only passes a corner', () => {
    expect(cut(at(-0.5), at(0.25), at(0.25), at(-0.5))).toEqual([])
    expect(cut(at(1.5), at(0.75), at(0.75), at(1.5))).toEqual([])
    expect(cut(at(-0.25), at(0.375), at(0.375), at(-0.25))).toHaveLength(4)
  })

  it('keeps its id, its tags and its order', () => {
    const lines = [line(0, 0, at(0.5), at(0.5), 7), line(at(2), 0, at(3), 0, 8), line(at(0.5), 0, at(0.5), at(1), 5)]
    const features = cutPaths(lines, tile, ({ id }) => ({ id, value: null }))
    expect(features.map(({ id, type, tags }) => ({ id, type, tags }))).toEqual([
      { id: 7, type: 2, tags: { id: 7, value: null } },
      { id: 5, type: 2, tags: { id: 5, value: null } },
    ])
    expect(pathsThrough(lines, tile)).toEqual([lines[0], lines[2]])
    expect(cutPaths([], tile, () => ({}))).toEqual([])
  })
})

describe('the tiles around a line', () => {
  const around = (...ends: Parameters<typeof line>) => tilesAround(line(...ends), Z).map(({ x, y }) => [x - tile.x, y - tile.y])

  it('are those that meet the box around it, including their margins', () => {
    expect(around(at(0.5), at(0.5), at(0.5), at(0.5))).toEqual([[0, 0]])
    expect(around(at(0, 0.5), at(0.5), at(0.5), at(0.5))).toEqual([
      [-1, 0],
      [0, 0],
    ])
    expect(around(at(1, -0.5), at(0.5), at(0.5), at(0.5))).toEqual([
      [0, 0],
      [1, 0],
    ])
    expect(around(at(0.5), at(0, 0.5), at(0.5), at(1, -0.5))).toEqual([
      [0, -1],
      [0, 0],
      [0, 1],
    ])
    expect(around(at(0, 1.5), at(0.5), at(1, -1.5), at(0.5))).toEqual([[0, 0]])
    expect(around(at(1.5), at(1.5), at(0.5), at(0.5))).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 1],
    ])
  })

  it('end at the edge of the world', () => {
    const last = 2 ** Z - 1
    expect(tilesAround({ x: 0, y: 0, end_x: 0, end_y: 0 }, Z)).toEqual([{ z: Z, x: 0, y: 0 }])
    const end = 2 ** WORLD_BITS - 1
    expect(tilesAround({ x: end, y: end, end_x: end, end_y: end }, Z)).toEqual([{ z: Z, x: last, y: last }])
  })
})

describe('radar over the edge of a tile', () => {
  const SIDE = 0.01
  /** Degrees from the grid's west and from its north to the near side of a cell. */
  const columnHolding = (longitude: number) => Math.floor((longitude + 130) / SIDE)
  const rowHolding = (latitude: number) => Math.floor((55 - latitude) / SIDE)
  async function* hailIn(row: number, column: number): AsyncGenerator<RadarDay> {
    yield { day: '2026-05-20', source: 'noaa_mesh', parts: [Uint16Array.of(row, column, 300)] }
  }
  const isDrawn = async (of: TileAddress, row: number, column: number) => (await bandAreas(hailIn(row, column), of)).length === 1

  it('is drawn if its cell is within a 64th of the tile’s width, on every side, and not beyond', async () => {
    for (let step = 0; step < 24; step++) {
      const of = { z: 10, x: 225 + step, y: 390 + step }
      const { west, east, north, south } = boxOf(of)
      const margin = (east - west) / 64
      const [row, column] = [rowHolding((north + south) / 2), columnHolding((west + east) / 2)]
      for (const edge of [west, east])
        for (let near = columnHolding(edge) - 3; near <= columnHolding(edge) + 3; near++) {
          const [left, right] = [near * SIDE - 130, (near + 1) * SIDE - 130]
          expect([of.x, near, await isDrawn(of, row, near)]).toEqual([of.x, near, right > west - margin && left < east + margin])
        }
      for (const edge of [north, south])
        for (let near = rowHolding(edge) - 3; near <= rowHolding(edge) + 3; near++) {
          const [above, below] = [55 - near * SIDE, 55 - (near + 1) * SIDE]
          expect([of.y, near, await isDrawn(of, near, column)]).toEqual([of.y, near, below < north + margin && above > south - margin])
        }
    }
  })

  it("is read from the blocks that the tile's margin reaches", async () => {
    const requestedBlocks: number[][] = []
    const query = async ({ values }: { values: [number[]] }) => {
      requestedBlocks.push(values[0])
      return { rows: [] }
    }
    const requestedColumns = async (x: number) => {
      for await (const day of radarDaysOf({ query } as never, { z: 12, x, y: 1612 })) expect(day).toBeUndefined()
      return [
        ...new Set(
          requestedBlocks
            .splice(0)
            .flat()
            .map((block) => (block % 360) - 180),
        ),
      ]
    }
    // A zoom-12 tile whose west edge is the meridian of 90 degrees west, and its neighbour 0.0879 degrees to the east.
    const first = 2 ** 12 / 4
    expect(await requestedColumns(first)).toEqual([-91, -90])
    expect(await requestedColumns(first + 1)).toEqual([-90])
  })
})
