import { expect, it } from 'vitest'
import { type ScannedCell, storeCells } from '#domain/archive/radar/cell-records.ts'
import { openWorld } from '#test/support/world.ts'

/** Enough that two writers overlap: each works for a tenth of a second. */
const CELLS = 4_000

it('stores each cell once with concurrent writers, in any order', async () => {
  const world = await openWorld()
  for (const minute of [0, 2, 4]) {
    const cells = Array.from({ length: CELLS }, (_, place) => scanned(minute, place))
    const [one, other] = await Promise.all([storeCells(world.app.pool, cells), storeCells(world.app.pool, cells.toReversed())])
    expect(one.added.length + other.added.length).toBe(CELLS)
    expect([one.ids.length, other.ids.length]).toEqual([CELLS, CELLS])
  }
})

it('uses no ids for cells that are already stored', async () => {
  const { app, owner } = await openWorld()
  const nextId = async () => (await owner.query("SELECT nextval(pg_get_serial_sequence('archive_records', 'id'))::int AS id")).rows[0].id
  const cells = Array.from({ length: 10 }, (_, place) => scanned(6, place))
  await storeCells(app.pool, cells)
  const before = await nextId()
  const again = await storeCells(app.pool, [...cells, scanned(8, 0)])
  expect([again.ids.length, again.added.length, (await nextId()) - before]).toEqual([11, 1, 2])
})

function scanned(minute: number, place: number): ScannedCell {
  const valid_at = new Date(Date.UTC(2026, 4, 28, 20, minute))
  return { source: 'noaa_mesh', valid_at, row: 2_000 + Math.floor(place / 100), column: 3_000 + (place % 100), size_mm: 30 }
}
