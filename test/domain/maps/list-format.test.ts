import { afterAll, beforeAll, expect, it } from 'vitest'
import { type TileAddress, tileAt, worldPoint } from '#domain/maps/mercator.ts'
import { LIST_FORMAT, pointAt, wordsOf } from '#domain/maps/point-list.ts'
import { findTile, refreshMaps } from '#domain/maps/pyramid.ts'
import type { MapRecords } from '#domain/maps/records.ts'
import { storeRecord } from '#test/domain/maps/store-record.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const norman = { latitude: 35.22, longitude: -97.44 }
const { x, y } = worldPoint(norman.latitude, norman.longitude) as { x: number; y: number }
const tile: TileAddress = tileAt(x, y, 9)

const typesIn = async (at: TileAddress) => {
  const { points } = (await findTile(world.app.pool, at)) as MapRecords
  return points.length === 0 ? [] : [pointAt(points, 0)].map(({ type, severity, source }) => `${type}, ${severity}, ${source}`)
}
/** Makes every list look like one of a release with another layout: the byte for the type means something else. */
const keepAsFormat = (format: number) =>
  world.app.pool.query("UPDATE tile_lists SET format = $1, points = set_byte(points, 20, 1), paths = ''::bytea", [format])
const formats = async () => (await world.app.pool.query('SELECT DISTINCT format FROM tile_lists')).rows

it('rebuilds lists of a lower format, also for tiles without records, and reads none of them before', async () => {
  await storeRecord(world, { ...norman, type: 'tornado', source: 'nws_lsr', tornado_ef_scale: 1 })
  await refreshMaps(world.app)
  expect(await typesIn(tile)).toEqual(['tornado, severe, nws_lsr'])
  const { rows } = await world.app.pool.query<{ points: Buffer }>('SELECT points FROM tile_lists WHERE z = 9')
  expect(pointAt(wordsOf((rows[0] as (typeof rows)[number]).points), 0).type).toBe('tornado')

  await keepAsFormat(LIST_FORMAT - 1)
  const abandoned = { z: 9, x: 1, y: 1 }
  await world.app.pool.query(
    "INSERT INTO tile_lists (z, x, y, points, paths, format) SELECT 9, 1, 1, points, '', $1 FROM tile_lists WHERE z = 9",
    [LIST_FORMAT - 1],
  )
  expect([await typesIn(tile), await typesIn(abandoned)]).toEqual([[], []])

  const { lists } = await refreshMaps(world.app)
  expect(lists).toHaveLength(10)
  expect(await formats()).toEqual([{ format: LIST_FORMAT }])
  for (const z of [0, 5, 9]) expect(await typesIn(tileAt(x, y, z))).toEqual(['tornado, severe, nws_lsr'])
  expect(await refreshMaps(world.app)).toEqual({ lists: [] })
})

it('leaves lists of a higher format, made by a newer release, alone and unread', async () => {
  await keepAsFormat(LIST_FORMAT + 1)
  expect(await typesIn(tile)).toEqual([])
  expect(await refreshMaps(world.app)).toEqual({ lists: [] })
  expect(await formats()).toEqual([{ format: LIST_FORMAT + 1 }])
})
