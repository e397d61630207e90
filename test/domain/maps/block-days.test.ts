import type pg from 'pg'
import { beforeEach, describe, expect, it } from 'vitest'
import { BLOCK_CELLS, packSizes, unpackHail } from '#domain/archive/radar/day-sizes.ts'
import { cachedCells, cellsOfBlock } from '#domain/maps/block-cache.ts'
import { radarDaysOf } from '#domain/maps/radar-cells.ts'
import { planOf } from '#test/support/plan-of.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeEach(async () => {
  world = await openWorld()
})

const hail = (size: number) => packSizes(new Uint16Array(BLOCK_CELLS).fill(size, 4000, 4003))
/** In the middle of the country: (90 + 32) * 360 + 180 - 97 is the block whose south-west corner is 32 N, 97 W. */
const BLOCK = (90 + 32) * 360 + 180 - 97
const TILE = { z: 10, x: Math.floor(((-96.5 + 180) / 360) * 1024), y: 412 }

describe('the days of the blocks of a tile', () => {
  it('are found by block, whatever plan the database chooses, without reading all days', async () => {
    await world.owner.query(
      `INSERT INTO radar_days (block, day, source, data)
       SELECT $1::int + far, date '2020-01-01' + day, 'noaa_mesh', $2 FROM generate_series(0, 20) AS far, generate_series(0, 200) AS day`,
      [BLOCK, hail(254)],
    )
    await world.owner.query('ANALYZE radar_days')
    let statement: pg.QueryConfig | undefined
    const days: string[] = []
    const client = { query: (config: pg.QueryConfig) => world.app.pool.query((statement = config)) } as Pick<pg.ClientBase, 'query'>
    for await (const { day } of radarDaysOf(client, TILE)) days.push(day)
    expect([days.length, days[0], days.at(-1)]).toEqual([201, '2020-07-19', '2020-01-01'])
    const plan = await planOf(world.owner, statement?.text as string, `ARRAY[${BLOCK}], 'infinity', '', -1, 2000`)
    expect(plan).toContain('block = ANY')
    expect(plan).toContain('radar_days_pkey')
    expect(plan).not.toContain('Backward')
  })
})

describe('the cells of a block', () => {
  it('are cached by the bytes that they were unpacked from', () => {
    const [small, large] = [hail(254), hail(508)]
    for (const data of [small, large, small]) expect(cachedCells(BLOCK, data)).toEqual(cellsOfBlock(BLOCK, data))
    expect(cachedCells(BLOCK, Buffer.from(small))).toBe(cachedCells(BLOCK, small))
    expect([...cachedCells(BLOCK + 1, small)].map((value, at) => value - (cachedCells(BLOCK, small)[at] ?? 0))).toEqual([
      0, 100, 0, 0, 100, 0, 0, 100, 0,
    ])
  })

  it('include only cells with hail, also after a block that cannot be read', () => {
    const longer = Buffer.from(Uint16Array.from([9, 254, BLOCK_CELLS, 254]).buffer)
    expect(() => unpackHail(longer)).toThrow('beyond the block')
    expect(unpackHail(hail(254))).toEqual({ indexes: Uint16Array.of(4000, 4001, 4002), sizes: Uint16Array.of(254, 254, 254) })
    expect(unpackHail(Buffer.from(Uint16Array.from([9999, 508, 0, 254]).buffer))).toEqual({
      indexes: Uint16Array.of(0, 9999),
      sizes: Uint16Array.of(254, 508),
    })
  })
})
