import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { cellOf } from '#domain/geo/cells.ts'
import type { Position } from '#domain/geo/measure.ts'
import { cellsOfPolygons } from '#domain/geo/polygon-cells.ts'
import { type Polygon, pointInPolygon } from '#domain/geo/shape.ts'

const box = (west: number, south: number, east: number, north: number): Position[] => [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
  [west, south],
]

it('finds the cells of a box, on its edges and inside', async () => {
  const cells = await cellsOfPolygons([[box(-97.9, 35.1, -97.1, 35.9)]])
  expect(cells).toHaveLength(16)
  expect(new Set(cells)).toContain(cellOf(35.5, -97.5))
})

it('finds the cells under a long straight edge, which is not a great circle', async () => {
  const cells = new Set(await cellsOfPolygons([[box(-105, 38.99, -95, 39.4)]]))
  for (let longitude = -104.99; longitude < -95; longitude += 0.05) expect(cells).toContain(cellOf(38.995, longitude))
})

it('leaves out the cells of a hole and the cells between two parts', async () => {
  const holed: Polygon = [box(-100, 35, -97, 38), box(-99.5, 35.5, -97.5, 37.5)]
  const cells = new Set(await cellsOfPolygons([holed, [box(-90, 35, -89, 36)]]))
  expect(cells).not.toContain(cellOf(36.5, -98.5))
  expect(cells).not.toContain(cellOf(35.5, -95))
  expect(cells).toContain(cellOf(35.5, -89.5))
})

it('finds the cell of every point inside', async () => {
  let seed = 11
  const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647
  for (let round = 0; round < 50; round++) {
    const spokes = 3 + Math.floor(random() * 20)
    const ring = Array.from({ length: spokes }, (_, index): Position => {
      const turn = (index / spokes) * 2 * Math.PI
      const reach = 0.1 + random() * 4
      return [-97 + reach * Math.cos(turn), 37 + reach * Math.sin(turn)]
    })
    const polygon: Polygon = [[...ring, ring[0] as Position]]
    const cells = new Set(await cellsOfPolygons([polygon]))
    for (let index = 0; index < 500; index++) {
      const [longitude, latitude] = [-101.2 + random() * 8.4, 32.8 + random() * 8.4]
      if (pointInPolygon({ latitude, longitude }, polygon)) expect(cells).toContain(cellOf(latitude, longitude))
    }
  }
})

it('finds the cells of a comb whose teeth reach from pole to pole, without keeping a part for each tooth and row', async () => {
  const teeth = Array.from({ length: 1500 }, (_, tooth) => -3 + tooth * 0.004)
  const outline = teeth.flatMap((west): Position[] => [
    [west, -80],
    [west + 0.00001, 80],
    [west + 0.00002, -80],
  ])
  const comb: Polygon = [[[-3, -80.01], ...outline, [3, -80], [3, -80.01], [-3, -80.01]]]
  let isDone = false
  const before = process.memoryUsage().heapUsed
  const finding = cellsOfPolygons([comb]).finally(() => {
    isDone = true
  })
  let heap = before
  while (!isDone) {
    heap = Math.max(heap, process.memoryUsage().heapUsed)
    await setImmediate()
  }
  // 24 columns of cells from -80.25 to 80 degrees, and the tips of some teeth in the row above.
  expect((await finding).length).toBeGreaterThanOrEqual(24 * 641)
  expect((await finding).length).toBeLessThanOrEqual(26 * 642)
  expect((heap - before) / 1e6).toBeLessThan(60)
})
