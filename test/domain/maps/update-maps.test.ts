import { afterAll, beforeAll, expect, it } from 'vitest'
import { storeRecord } from '#test/domain/maps/store-record.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { jobOf } from '#workers/jobs.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** Runs the job with a clock on which every reading is two seconds after the last. */
async function run(): Promise<void> {
  const now = () => {
    world.clock.advance(2000)
    return world.clock.now()
  }
  await jobOf('maps.refresh').run({ ...world.app, clock: { now, moved: true } }, {})
}

/** The zooms of tiles with a list, drawn or not. */
async function zoomsOf(condition: 'drawn' | 'not drawn'): Promise<number[]> {
  const { rows } = await world.app.pool.query<{ z: number }>(
    'SELECT z FROM tile_lists l LEFT JOIN tiles t USING (z, x, y) WHERE (t.etag IS NOT NULL) = $1 ORDER BY z',
    [condition === 'drawn'],
  )
  return rows.map(({ z }) => z)
}

const listsOf = async (z: number) => (await world.app.pool.query('SELECT FROM tile_lists WHERE z = $1', [z])).rowCount

it('draws ahead for some seconds a run, so that a change waits for no more', async () => {
  await storeRecord(world, { latitude: 42.2, longitude: -83.3, hail_size_in: 1.25 })
  await run()
  expect(await listsOf(9)).toBe(1)
  // A drawn tile is stored without waiting for it.
  await expect.poll(() => zoomsOf('drawn')).toEqual([0, 1])
  // A change far away, while most tiles of the first are still to be drawn.
  await storeRecord(world, { latitude: -33, longitude: 151, hail_size_in: 2 })
  await run()
  expect(await listsOf(9)).toBe(2)
  expect((await zoomsOf('not drawn')).length).toBeGreaterThan(10)
  for (let runs = 0; runs < 12; runs++) await run()
  await expect.poll(() => zoomsOf('not drawn')).toEqual([])
})
