import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Corner, outlinesOf } from '#domain/maps/outlines.ts'

interface Drawn {
  bands: number[]
  columns: number
  rows: number
}

/** A grid from its rows, one digit per cell. 0 is no band. */
const gridOf = (...lines: string[]): Drawn => ({
  bands: lines.flatMap((line) => [...line].map(Number)),
  columns: lines[0]?.length ?? 0,
  rows: lines.length,
})
const drawn = ({ bands, ...size }: Drawn) => outlinesOf(Uint8Array.from(bands), size)

/** The cells of each part connected by sides, among the cells that `picks` selects. */
function partsOf({ columns, rows }: Omit<Drawn, 'bands'>, picks: (cell: number) => boolean): number[][] {
  const seen = new Set<number>()
  const spread = (cell: number): number[] => {
    if (seen.has(cell) || !picks(cell)) return []
    seen.add(cell)
    const [x, y] = [cell % columns, Math.floor(cell / columns)]
    const neighbours = [x > 0 && cell - 1, x + 1 < columns && cell + 1, y > 0 && cell - columns, y + 1 < rows && cell + columns]
    return [cell, ...neighbours.filter((one) => one !== false).flatMap(spread)]
  }
  return [...Array(columns * rows).keys()].map(spread).filter((part) => part.length > 0)
}

/** The number of parts outside an area, including the outside of the grid: the area has one ring for each. */
function partsOutside(area: ReadonlySet<number>, { columns, rows }: Omit<Drawn, 'bands'>): number {
  const paddedColumns = columns + 2
  const holds = (cell: number) => {
    const [x, y] = [(cell % paddedColumns) - 1, Math.floor(cell / paddedColumns) - 1]
    return x >= 0 && x < columns && y >= 0 && y < rows && area.has(y * columns + x)
  }
  return partsOf({ columns: paddedColumns, rows: rows + 2 }, (cell) => !holds(cell)).length
}

/** Twice the number of cells inside a ring, negative if the ring is counterclockwise. */
const twiceAround = (ring: Corner[]) =>
  ring.slice(1).reduce((sum, [x, y], at) => {
    const [beforeX, beforeY] = ring[at] as Corner
    return sum + beforeX * y - x * beforeY
  }, 0)

/** Whether the middle of a cell is inside an odd number of rings. Counts upright edges to its west. */
const holdsCell = (rings: Corner[][], cell: number, columns: number) => {
  const [x, y] = [(cell % columns) + 0.5, Math.floor(cell / columns) + 0.5]
  const crossed = rings.flatMap((ring) =>
    ring.slice(1).filter(([column, row], at) => column < x && row > y !== (ring[at] as Corner)[1] > y),
  )
  return crossed.length % 2 === 1
}

function expectOutlines(grid: Drawn): void {
  const areas = drawn(grid)
  expect(new Set(areas.keys())).toEqual(new Set(grid.bands.filter((band) => band > 0)))
  for (const [band, outlines] of areas) {
    const parts = partsOf(grid, (cell) => grid.bands[cell] === band)
    expect(outlines).toHaveLength(parts.length)
    outlines.forEach((rings, nth) => {
      const cells = new Set(parts[nth])
      for (let cell = 0; cell < grid.bands.length; cell++) expect(holdsCell(rings, cell, grid.columns)).toBe(cells.has(cell))
      expect(rings).toHaveLength(partsOutside(cells, grid))
      expect(rings.map((ring) => twiceAround(ring) > 0)).toEqual(rings.map((_, at) => at === 0))
      expect(rings.reduce((sum, ring) => sum + twiceAround(ring), 0)).toBe(2 * cells.size)
      for (const ring of rings) {
        expect(ring.at(-1)).toEqual(ring[0])
        expect(new Set(ring.map(String)).size).toBe(ring.length - 1)
        // Every position is a turn, including the first.
        ring.slice(1).forEach(([x], at) => {
          const [before, after] = [ring[at] as Corner, ring[at + 2] ?? (ring[1] as Corner)]
          expect((before[0] === x) === (x === after[0])).toBe(false)
        })
      }
    })
  }
}

describe('outlines of the cells of each band', () => {
  it('are one area per connected part, with one ring for each part outside it', () => {
    const grid = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })).chain(([columns, rows]) =>
      fc.record({
        columns: fc.constant(columns),
        rows: fc.constant(rows),
        bands: fc.array(fc.constantFrom(0, 1, 1, 1, 2), { minLength: columns * rows, maxLength: columns * rows }),
      }),
    )
    fc.assert(fc.property(grid, expectOutlines), { numRuns: 400 })
  })

  it.each<[string, string[], Corner[][]]>([
    [
      'one cell',
      ['1'],
      [
        [
          [0, 0],
          [1, 0],
          [1, 1],
          [0, 1],
          [0, 0],
        ],
      ],
    ],
    [
      'a row up to both edges',
      ['000', '111'],
      [
        [
          [0, 1],
          [3, 1],
          [3, 2],
          [0, 2],
          [0, 1],
        ],
      ],
    ],
    [
      'a ring of cells around a hole',
      ['111', '101', '111'],
      [
        [
          [0, 0],
          [3, 0],
          [3, 3],
          [0, 3],
          [0, 0],
        ],
        [
          [2, 1],
          [1, 1],
          [1, 2],
          [2, 2],
          [2, 1],
        ],
      ],
    ],
    [
      'a hole that touches the outside in a corner',
      ['110', '101', '111'],
      [
        [
          [0, 0],
          [2, 0],
          [2, 1],
          [3, 1],
          [3, 3],
          [0, 3],
          [0, 0],
        ],
        [
          [2, 1],
          [1, 1],
          [1, 2],
          [2, 2],
          [2, 1],
        ],
      ],
    ],
  ])('%s', (_what, lines, rings) => {
    expect(drawn(gridOf(...lines))).toEqual(new Map([[1, [rings]]]))
  })
})
