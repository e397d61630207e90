import { expect, it } from 'vitest'
import { cellOf } from '#domain/geo/cells.ts'
import { present } from '#domain/kernel/present.ts'
import { groupsOf } from '#domain/maps/groups.ts'
import { tileAt, tileKey, worldPoint } from '#domain/maps/mercator.ts'
import { openWorld } from '#test/support/world.ts'

/** Zoom-9 tiles over Norman, beside it, and in the far corner of the same zoom-6 tile. */
const places = [
  [35.22, -97.44],
  [35.22, -96.9],
  [36.4, -99.8],
] as const

it('reads neighbouring tiles in one query, and in several where the archive is dense', async () => {
  const { app } = await openWorld()
  const keys = places.map(([latitude, longitude]) => {
    const { x, y } = present(worldPoint(latitude, longitude))
    return tileKey(tileAt(x, y, 9))
  })
  for (const [nth, [latitude, longitude]] of places.entries()) {
    await app.pool.query(
      `INSERT INTO record_cells (record_id, cell, occurred_on, latitude, longitude)
       SELECT $1::int * 100 + n, $2, '2019-05-20', $3, $4 FROM generate_series(1, 10) AS n`,
      [nth + 1, cellOf(latitude, longitude), latitude, longitude],
    )
  }
  const read = async (at_once: number) => (await groupsOf(app.pool, keys, at_once)).map((group) => [group.box.z, group.keys.length]).sort()

  expect(await read(30)).toEqual([[6, 3]])
  expect(await read(29)).toEqual([
    [7, 2],
    [9, 1],
  ])
  expect(await read(9)).toEqual([
    [9, 1],
    [9, 1],
    [9, 1],
  ])
})
