import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import type pg from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { withinTeam } from '#domain/access/scope.ts'
import { BLOCK_CELLS, packSizes } from '#domain/archive/radar/day-sizes.ts'
import { CONUS, gridCellAt } from '#domain/archive/radar/grid.ts'
import { gridCellNumber, gridCellOf } from '#domain/archive/radar/grid-cell-number.ts'
import { propertiesInSwaths } from '#domain/maps/properties-in-swaths.ts'
import type { Team } from '#generated/prisma/client.ts'
import { aKeptProperty } from '#test/support/exposures.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let team: Team
beforeEach(async () => {
  world = await openWorld()
  team = await aTeam(world)
})

/** The block whose south-west corner is 32 N, 97 W. Its first row is 2200, its first column 3300. */
const BLOCK = (90 + 32) * 360 + 180 - 97
const middle = (down: number, right: number) => ({ latitude: 54.995 - (2200 + down) * 0.01, longitude: -129.995 + (3300 + right) * 0.01 })
/** Hail of the given size in some cells of the block. */
const dayOf = (cells: [down: number, right: number, tenths: number][], source: 'noaa_mesh' | 'nexrad_hail' = 'noaa_mesh') => {
  const sizes = new Uint16Array(BLOCK_CELLS)
  for (const [down, right, tenths] of cells) sizes[down * 100 + right] = tenths
  return { block: BLOCK, source, data: packSizes(sizes) }
}
const numberOf = async (latitude: number, longitude: number) => {
  const { id } = await aKeptProperty(world, team, { latitude, longitude })
  const { rows } = await world.owner.query<{ grid_cell: number }>('SELECT grid_cell FROM properties WHERE id = $1', [id])
  return rows[0]?.grid_cell as number
}

describe('the number of a grid cell', () => {
  it('is what the database computes from the coordinates, and identifies the cell', async () => {
    const inGrid = fc.record({
      latitude: fc.double({ min: 20.01, max: 54.99, noNaN: true }),
      longitude: fc.double({ min: -129.99, max: -60.01, noNaN: true }),
    })
    for (const { latitude, longitude } of fc.sample(inGrid, 60)) {
      const cell = gridCellAt(latitude, longitude)
      expect([latitude, longitude, await numberOf(latitude, longitude)]).toEqual([latitude, longitude, gridCellNumber(cell)])
      expect(gridCellOf(gridCellNumber(cell))).toEqual(cell)
    }
  })

  it('outside the grid matches no cell', async () => {
    for (const [latitude, longitude] of [
      [61.2, -149.9],
      [90, 180],
      [-90, -180],
      [19.6, -155.5],
      [18.4, -66.1],
      [40, -60],
      [55.01, -100],
    ] as const) {
      const { row, column } = gridCellOf(await numberOf(latitude, longitude))
      expect(row >= 0 && row < CONUS.rows && column >= 0 && column < CONUS.columns).toBe(false)
    }
  })
})

describe('the properties in swaths', () => {
  it('are those whose own cell is in a swath, with the largest value of any source', async () => {
    const swath = [
      [9, 0, 191],
      [10, 0, 300],
      [10, 1, 190],
      [11, 2, 400],
      [99, 99, 500],
    ] as [number, number, number][]
    const at = async (down: number, right: number, status = 'watching') =>
      (await aKeptProperty(world, team, { status, ...middle(down, right) } as never)).id
    const ids = [await at(9, 0), await at(10, 0), await at(11, 2), await at(99, 99)]
    // Too small; beside the swath in its strip; in the strips and columns around; not watched; of another team.
    for (const [down, right] of [
      [10, 1],
      [10, 2],
      [12, 2],
      [8, 0],
      [99, 98],
      [0, 99],
    ] as const)
      await at(down, right)
    await at(10, 0, 'paused')
    await aKeptProperty(world, await aTeam(world), middle(10, 0))
    const { pool } = withinTeam(world.app, await aCaller(world, team))
    const found = await propertiesInSwaths(pool, team.id, [
      dayOf(swath),
      dayOf(
        [
          [10, 0, 290],
          [11, 2, 401],
        ],
        'nexrad_hail',
      ),
    ])
    expect(found.map(({ id, tenths, source }) => [ids.indexOf(id), tenths, source]).sort()).toEqual([
      [0, 191, 'noaa_mesh'],
      [1, 300, 'noaa_mesh'],
      [2, 401, 'nexrad_hail'],
      [3, 500, 'noaa_mesh'],
    ])
    expect(await propertiesInSwaths(pool, team.id, [dayOf([[1, 1, 190]])])).toEqual([])
  })

  it("are found through the index of their cells, also under the team's row security", async () => {
    await world.owner.query(
      `INSERT INTO properties (id, team_id, query, query_key, latitude, longitude, precision, located, tags)
       SELECT gen_random_uuid(), $1, n::text, n::text || $2::text, 25 + n % 200 / 10.0, -120 + n % 300 / 10.0, 'city', true, '{}' FROM generate_series(1, 20000) AS n`,
      [team.id, randomUUID()],
    )
    await world.owner.query('ANALYZE properties')
    const { pool } = withinTeam(world.app, await aCaller(world, team))
    const plans: string[] = []
    const explaining = {
      async query({ text, values }: pg.QueryConfig) {
        const { rows } = await pool.query<Record<string, string>>(`EXPLAIN ${text}`, values)
        plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'))
        return { rows: [] }
      },
    } as unknown as Pick<pg.ClientBase, 'query'>
    await propertiesInSwaths(explaining, team.id, [
      dayOf([
        [5, 5, 300],
        [25, 5, 300],
        [55, 5, 300],
      ]),
    ])
    expect(plans).toHaveLength(1)
    expect(plans[0]).toContain('Index Only Scan using properties_by_grid_cell')
    expect(plans[0]).toMatch(/grid_cell >= s\.first/)
  })
})
