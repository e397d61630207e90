import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRecords } from '#domain/archive/search/stored-records.ts'
import { recordsOnMap } from '#domain/maps/records.ts'
import { planOf } from '#test/support/plan-of.ts'
import { statementsOf } from '#test/support/statements.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { detailsText, importText } from '../files.ts'

/** Enough that PostgreSQL looks them up through an index. */
const RECORDS = 2000
const INDEXED = 'SET enable_seqscan = off'

let world: World
beforeAll(async () => {
  world = await openWorld()
  await importText(world, detailsText(...Array.from({ length: RECORDS }, (_, nth) => ({ EVENT_ID: String(900_000 + nth) }))))
  await world.owner.query('VACUUM ANALYZE archive_records, record_cells')
})
afterAll(() => world.close())

describe('many records', () => {
  it('are read by id with a bitmap scan, each of them once', async () => {
    const { rows } = await world.owner.query<{ id: number }>('SELECT id FROM archive_records ORDER BY random()')
    const ids = rows.map(({ id }) => id)
    const read = async (requested: number[]) => (await readRecords(world.app.pool, requested)).map(({ id }) => id)
    for (const requested of [ids, ids.slice(0, 3), ids.slice(0, 2), ids.slice(0, 1), [0, ids[0] as number, ids[0] as number]]) {
      expect((await read(requested)).sort()).toEqual([...new Set(requested)].filter((id) => id > 0).sort())
    }
    const [statement] = await statementsOf(() => readRecords(world.app.pool, ids))
    const plan = await planOf(world.owner, statement as string, `'{1,2}', '{3,4}'`, INDEXED)
    expect(plan).toContain('Bitmap Heap Scan on archive_records')
    expect(plan).not.toContain('Filter')
  })

  it('are also read so for a tile', async () => {
    const texas = { south: 25, north: 37, west: -107, east: -93 }
    const [statement] = await statementsOf(async () => expect((await recordsOnMap(world.app.pool, texas)).points.length).toBeGreaterThan(0))
    const plan = await planOf(world.owner, statement as string, `'{1,2}', 25, 37, -107, -93`, INDEXED)
    expect(plan).toContain('Bitmap Heap Scan on archive_records')
    expect(plan).not.toMatch(/Filter:.*id = ANY/)
  })
})
