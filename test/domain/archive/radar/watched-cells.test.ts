import { randomUUID } from 'node:crypto'
import { beforeEach, expect, it } from 'vitest'
import type { FrameCell } from '#domain/archive/radar/frame.ts'
import { centreOf, gridCellAt } from '#domain/archive/radar/grid.ts'
import { watchedCells } from '#domain/archive/radar/watched-cells.ts'
import type { WatchSubject } from '#domain/closed-sets.ts'
import { cellOf, cellsWithin } from '#domain/geo/cells.ts'
import { milesBetween } from '../../../oracle/geography.ts'
import { openWorld, type World } from '../../../support/world.ts'

let world: World
beforeEach(async () => {
  await world?.close()
  world = await openWorld()
})

/** Three swaths of large hail, one of them across the edges of four search cells. */
const swaths = [
  [33.0, -96.75],
  [35.4, -97.6],
  [45.1, -93.2],
] as const
const grid: FrameCell[] = swaths.flatMap(([latitude, longitude]) => {
  const { row, column } = gridCellAt(latitude, longitude)
  return Array.from({ length: 400 }, (_, place) => ({
    row: row - 10 + Math.floor(place / 20),
    column: column - 10 + (place % 20),
    size_mm: 30,
  }))
})

async function watch(
  rows: { cell: number; latitude: number | null; longitude: number | null; radius_miles: number | null }[],
): Promise<void> {
  const subject: WatchSubject = rows[0]?.latitude === null ? 'territory' : 'property'
  const watched = { team_id: randomUUID(), subject, subject_id: randomUUID() }
  await world.app.db.watchCell.createMany({ data: rows.map((row) => ({ ...watched, ...row })) })
}

const watched = () =>
  world.app.pool.connect().then(async (client) => {
    try {
      await client.query('BEGIN')
      const found = await watchedCells(client, grid)
      await client.query('COMMIT')
      return found
    } finally {
      client.release()
    }
  })

it('finds exactly the cells within reach of a watch, whichever search cells they are in', async () => {
  const watches = Array.from({ length: 120 }, (_, place) => {
    const [latitude, longitude] = swaths[place % 3] as readonly [number, number]
    const radius_miles = [0.5, 1, 2, 5][place % 4] as number
    return { latitude: latitude + Math.sin(place) * 0.15, longitude: longitude + Math.cos(place * 3) * 0.15, radius_miles }
  })
  for (const one of watches) await watch(cellsWithin(one.latitude, one.longitude, one.radius_miles).map((cell) => ({ cell, ...one })))
  const expected = grid.filter((cell) => {
    const { latitude, longitude } = centreOf(cell)
    return watches.some((one) => milesBetween([one.longitude, one.latitude], [longitude, latitude]) <= one.radius_miles)
  })
  const found = await watched()
  expect(found).toEqual(expected)
  expect(found.length).toBeGreaterThan(100)
  expect(found.length).toBeLessThan(grid.length)
})

it('returns all of a search cell that a territory touches, and nothing without a watch', async () => {
  expect(await watched()).toEqual([])
  const cell = cellOf(35.45, -97.55)
  await watch([{ cell, latitude: null, longitude: null, radius_miles: null }])
  const expected = grid.filter((one) => {
    const { latitude, longitude } = centreOf(one)
    return cellOf(latitude, longitude) === cell
  })
  expect(expected.length).toBeGreaterThan(50)
  expect(await watched()).toEqual(expected)
})
