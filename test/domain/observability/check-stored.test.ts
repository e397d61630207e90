import { afterAll, beforeAll, expect, it } from 'vitest'
import { frameOfCells } from '#domain/archive/radar/frame.ts'
import { deleteOldFrames, storeFrame } from '#domain/archive/radar/frames.ts'
import { gridCellAt } from '#domain/archive/radar/grid.ts'
import { seedSample } from '#domain/archive/sample/seed.ts'
import { newestRevisionTime } from '#domain/archive/versions/revision.ts'
import type { StoredFault } from '#domain/kernel/stored-fault.ts'
import { tileAt, worldPoint } from '#domain/maps/mercator.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { drawAhead, tileOf } from '#domain/maps/tile.ts'
import { checkStored } from '#domain/observability/check-stored.ts'
import { aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
  await seedSample(world.app)
  await drawAhead(world.app, (await refreshMaps(world.app)).lists)
})
afterAll(() => world.close())

/** Runs every step of a check. Bounded, because a step without progress would never end. */
async function check(repair = false): Promise<StoredFault[]> {
  const faults: StoredFault[] = []
  let after: string | null = null
  for (let step = 0; step < 50; step++) {
    const looked = await checkStored(world.app, after, repair)
    faults.push(...looked.faults)
    after = looked.next
    if (after === null) return faults
  }
  throw new Error('the check does not end')
}

const sql = (text: string) => world.owner.query(text)
const kindsOf = (faults: StoredFault[]) => [...new Set(faults.map(({ kind }) => kind))]
/** Tiles over the sample's place, from the whole country to a few streets. */
const { x, y } = worldPoint(33.1499, -96.8241) as { x: number; y: number }
const tiles = [3, 5, 8, 9].map((z) => tileAt(x, y, z))
const drawn = async () => Promise.all(tiles.map(async (tile) => (await tileOf(world.app, tile)).etag))

it('finds no fault in intact data', async () => {
  expect(await check()).toEqual([])
})

const derived: [kind: StoredFault['kind'], spoil: string][] = [
  ['drawn_tile', "UPDATE tiles SET data = decode('00', 'hex') WHERE length(data) > 0"],
  ['drawn_tile', 'UPDATE tiles SET data = substr(data, 1, length(data) - 9) WHERE length(data) > 0'],
  ['tile_list', 'UPDATE tile_lists SET points = substr(points, 2) WHERE length(points) > 0'],
  ['radar_day', 'UPDATE radar_days SET data = substr(data, 2)'],
  ['radar_overview', 'UPDATE radar_day_overviews SET data = substr(data, 2)'],
]
it.each(derived)('%s is found if it cannot be read, and rebuilt: %s', async (kind, spoil) => {
  const before = await drawn()
  expect((await sql(spoil)).rowCount).toBeGreaterThan(0)
  const found = await check()
  expect(kindsOf(found)).toEqual([kind])
  expect(found.every(({ repaired, team_id }) => !repaired && team_id === null)).toBe(true)
  expect(await check(true)).toEqual(found.map((fault) => ({ ...fault, repaired: true })))
  await refreshMaps(world.app)
  expect(await check()).toEqual([])
  expect(await drawn()).toEqual(before)
})

it('a radar day without frames is deleted, leaves every zoom, and does not count as repaired', async () => {
  const before = await drawn()
  const { row, column } = gridCellAt(33.1499, -96.8241)
  const cells = [0, 120].map((right) => ({ row, column: column + right, size_mm: 80 }))
  await storeFrame(world.app, 'noaa_mesh', frameOfCells(new Date('2020-05-28T20:00:00Z'), cells))
  await refreshMaps(world.app)
  await deleteOldFrames(world.app, 30)
  expect(await drawn()).not.toEqual(before)
  expect((await sql("UPDATE radar_days SET data = substr(data, 2) WHERE day = '2020-05-28'")).rowCount).toBe(2)
  const found = await check(true)
  expect(found.map(({ kind, subject, repaired }) => [kind, subject.replace(/^\d+ /, ''), repaired])).toEqual([
    ['radar_day', '2020-05-28 noaa_mesh', false],
    ['radar_day', '2020-05-28 noaa_mesh', false],
  ])
  expect(await drawn()).toEqual(before)
  await refreshMaps(world.app)
  expect(await drawn()).toEqual(before)
  expect(await check()).toEqual([])
})

it('a team’s logo that no document can show is reported and stays', async () => {
  const { id } = await aTeam(world, { brand_logo: Buffer.from('no image') })
  expect(await check(true)).toEqual([
    { kind: 'brand_logo', team_id: id, subject: id, detail: expect.stringContaining('--brand-logo FILE'), repaired: false },
  ])
  await world.app.db.team.update({ where: { id }, data: { brand_logo: null } })
})

const frames: [what: string, spoil: string][] = [
  ['a block is gone', 'DELETE FROM radar_blocks WHERE ctid = (SELECT ctid FROM radar_blocks b WHERE frame_id = $ LIMIT 1)'],
  ['a block is cut short', 'UPDATE radar_blocks SET data = substr(data, 1, length(data) - 1) WHERE frame_id = $'],
  ['its coverage cannot be read', "UPDATE radar_frames SET coverage = decode('ffff', 'hex') WHERE id = $"],
]
it.each(frames)('a radar frame of which %s is removed, so that its file can be imported again', async (_what, spoil) => {
  const { rows } = await sql('SELECT id, valid_at FROM radar_frames WHERE cells > 0 ORDER BY id LIMIT 1')
  expect((await sql(spoil.replace('$', String(rows[0].id)))).rowCount).toBeGreaterThan(0)
  const found = await check()
  expect(found).toEqual([
    {
      kind: 'radar_frame',
      team_id: null,
      subject: `sample mesh ${rows[0].valid_at.toISOString()}`,
      detail: expect.stringContaining('archive import'),
      repaired: false,
    },
  ])
  const before = await newestRevisionTime(world.app.pool)
  await check(true)
  // Readers of days and frames in progress notice it.
  expect((await newestRevisionTime(world.app.pool))?.getTime()).toBeGreaterThan(before?.getTime() ?? 0)
  expect(await check()).toEqual([])
  expect((await sql(`SELECT FROM radar_frames WHERE id = ${rows[0].id}`)).rowCount).toBe(0)
  expect((await sql(`SELECT FROM radar_blocks WHERE frame_id = ${rows[0].id}`)).rowCount).toBe(0)
})

it('refuses a cursor at which no step ended', async () => {
  for (const after of ['nothing:', 'documents', 'DROP'])
    await expect(checkStored(world.app, after, false)).rejects.toMatchObject({ code: 'validation_failed' })
})
