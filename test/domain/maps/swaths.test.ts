import { readFileSync } from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellsOf, frameOf } from '#domain/archive/radar/frame.ts'
import { readGrid } from '#domain/archive/radar/grib2.ts'
import { CONUS } from '#domain/archive/radar/grid.ts'
import { type Swath, swathsOf } from '#domain/maps/swaths.ts'
import { bandOf, bandsAtCentres } from './centres.ts'
import { foreignValues, grids, gridsFolder, skipped } from './foreign-grid.ts'

const { columns } = CONUS

/** Checks the GeoJSON rules and returns the signed area: closed rings, outlines counterclockwise, holes clockwise. */
function areaOf(ring: Swath['polygons'][number][number]): number {
  expect(ring.at(-1)).toEqual(ring[0])
  return ring.slice(1).reduce((sum, [x, y], index) => {
    const [before_x, before_y] = ring[index] as [number, number]
    return sum + (before_x * y - x * before_y) / 2
  }, 0)
}

function checkOrientation(swaths: Swath[]) {
  for (const [outer, ...holes] of swaths.flatMap(({ polygons }) => polygons)) {
    expect(areaOf(outer as NonNullable<typeof outer>)).toBeGreaterThan(0)
    for (const hole of holes) expect(areaOf(hole)).toBeLessThan(0)
  }
}

describe('the swaths of a day', () => {
  it.skipIf(skipped).each(grids)(
    `contain the centre of each of 24.5 million cells of a real grid in exactly the band of its value: %s${skipped}`,
    async (name) => {
      const file = path.join(gridsFolder, name)
      const { blocks } = await frameOf(await readGrid(readFileSync(file)))
      const swaths = swathsOf(
        blocks.map(({ block, data }) =>
          Uint16Array.from(cellsOf(block, data).flatMap(({ row, column, size_mm }) => [row, column, Math.round(size_mm * 10)])),
        ),
      )
      checkOrientation(swaths)
      const [bands, values] = [bandsAtCentres(swaths), foreignValues(file)]
      expect(values.length).toBe(24_500_000)
      let wrong = 0
      let inBands = 0
      for (let at = 0; at < values.length; at++) {
        const band = bandOf(values[at] as number)
        if (band > 0) inBands++
        if (band !== bands[at]) wrong++
      }
      expect([wrong, inBands > 0]).toEqual([0, true])
    },
  )

  it('contain the centre of each cell, whatever its neighbours are', () => {
    const cells = fc.uniqueArray(fc.tuple(fc.nat(6), fc.nat(6), fc.constantFrom(1, 190, 191, 254, 317, 318, 508, 698, 699, 4000)), {
      selector: ([row, column]) => row * 7 + column,
      maxLength: 49,
    })
    fc.assert(
      fc.property(cells, fc.constantFrom([0, 0], [3493, 6993], [1700, 3300]), (all, [row = 0, column = 0]) => {
        const swaths = swathsOf([Uint16Array.from(all.flatMap(([down, right, size]) => [row + down, column + right, size]))])
        checkOrientation(swaths)
        const bands = bandsAtCentres(swaths)
        for (const [down, right, size] of all) expect(bands[(row + down) * columns + column + right]).toBe(bandOf(size / 10))
        let inBands = 0
        for (const band of bands) if (band > 0) inBands++
        expect(inBands).toBe(all.filter(([, , size]) => bandOf(size / 10) > 0).length)
      }),
      { numRuns: 15 },
    )
  })

  it('have edges in inches, and none for smaller hail', () => {
    const one = (size: number) => swathsOf([Uint16Array.from([100, 200, size])]).map(({ from_in, to_in }) => [from_in, to_in])
    expect([190, 191, 253, 254, 635, 699, 2000].map(one)).toEqual([
      [],
      [[0.75, 1]],
      [[0.75, 1]],
      [[1, 1.25]],
      [[2.5, 2.75]],
      [[2.75, null]],
      [[2.75, null]],
    ])
    expect(swathsOf([])).toEqual([])
    expect(swathsOf([Uint16Array.from([100, 200, 254])])[0]?.polygons).toEqual([
      [
        [
          [-128, 54],
          [-128, 53.99],
          [-127.99, 53.99],
          [-127.99, 54],
          [-128, 54],
        ],
      ],
    ])
  })
})
