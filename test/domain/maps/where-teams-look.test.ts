import { gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { storeCells } from '#domain/archive/radar/cell-records.ts'
import { frameOfCells } from '#domain/archive/radar/frame.ts'
import { storeFrame } from '#domain/archive/radar/frames.ts'
import { gridCellAt } from '#domain/archive/radar/grid.ts'
import { tileAt, worldPoint } from '#domain/maps/mercator.ts'
import { playStormDay } from '#domain/maps/playback.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { findMapRecord } from '#domain/maps/record.ts'
import { tileOf } from '#domain/maps/tile.ts'
import { locate } from '#domain/places/locate.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { listReportEvents } from '#domain/reports/find-events.ts'
import { requestReport } from '#domain/reports/request.ts'
import { storeRecord } from '#test/domain/maps/store-record.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

const address = '10 Oak St, Frisco, TX 75034'
const day = '2025-05-28'

let world: World
let place: LocatedPlace
beforeAll(async () => {
  world = await openWorld()
  place = ((await locate(world.app, address)) as { place: LocatedPlace }).place
})
afterAll(() => world.close())

/** What every team sees of a place and a day. */
async function shown() {
  await refreshMaps(world.app)
  const { latitude, longitude } = place
  const over = worldPoint(latitude, longitude) as { x: number; y: number }
  const tiles = await Promise.all([4, 8, 9, 10, 13].map((z) => tileOf(world.app, tileAt(over.x, over.y, z))))
  const box = { south: latitude - 0.5, west: longitude - 0.5, north: latitude + 0.5, east: longitude + 0.5 }
  const { context } = await playStormDay(world.app, { date: day, ...box })
  const { rows } = await world.app.pool.query(`SELECT value FROM install_facts WHERE name = 'map_version'`)
  return { tiles: tiles.map(({ etag }) => etag), reports: context.reports, drawn_anew: rows }
}

async function decode(z: number): Promise<VectorTile> {
  const { x, y } = worldPoint(place.latitude, place.longitude) as { x: number; y: number }
  const { gzip } = await tileOf(world.app, tileAt(x, y, z))
  return new VectorTile(new PbfReader(gunzipSync(gzip)))
}

const citedCells = async () =>
  (
    await world.app.pool.query<{ id: number; hail_size_in: number }>(
      `SELECT id, hail_size_in FROM archive_records WHERE precision = 'grid'`,
    )
  ).rows

it('is unchanged by reports and watches: radar is not a report, and a cited cell is not a point', async () => {
  const { row, column } = gridCellAt(place.latitude, place.longitude)
  const cells = [
    { row, column, size_mm: 28 },
    { row: row - 2, column, size_mm: 40 },
    { row: row - 2, column: column + 1, size_mm: 39 },
  ]
  await storeRecord(world, { latitude: place.latitude + 0.1, longitude: place.longitude, hail_size_in: 1, occurred_on: day })
  await storeFrame(world.app, 'noaa_mesh', frameOfCells(new Date(`${day}T22:30:00Z`), cells))
  const before = await shown()
  expect(before.reports).toMatchObject([{ magnitude_in: 1 }])

  const caller = await aCaller(world, await aTeam(world))
  const input = { address, window_start: '2025-05-01', window_end: '2025-06-30', radius_miles: 3 }
  const { id } = (await requestReport(world.app, caller, input, null)).report
  await world.drain()
  const { data: cited } = await listReportEvents(world.app, caller, id, { page: 1, per_page: 25 })
  expect(cited.map(({ measurements }) => measurements.hail_size_in)).toEqual([1.57])
  // Only the cited cell is a record. The cell over the centre of the ZIP was read, but shows nothing about a building.
  expect(await citedCells()).toEqual([{ id: cited[0]?.id, hail_size_in: 1.57 }])
  expect(await shown()).toEqual(before)
  await expect(findMapRecord(world.app, cited[0]?.id as number)).rejects.toMatchObject({ code: 'not_found' })

  // Stores cells as detection does for a watched place.
  const watched = cells.map((cell) => ({ ...cell, source: 'noaa_mesh' as const, valid_at: new Date(`${day}T22:32:00Z`) }))
  await storeCells(world.app.pool, watched)
  expect(await citedCells()).toHaveLength(4)
  expect(await shown()).toEqual(before)

  // Nor when the tiles are redrawn for something else.
  const { id: late } = await storeRecord(world, {
    latitude: place.latitude,
    longitude: place.longitude,
    type: 'hail',
    occurred_on: '2020-05-27',
  })
  await refreshMaps(world.app)
  for (const z of [8, 13]) {
    const layer = (await decode(z)).layers.hail
    const points = Array.from({ length: layer?.length ?? 0 }, (_, index) => layer?.feature(index).properties)
    expect(points.map((point) => point?.evidence_kind)).not.toContain('radar')
    expect(points.map((point) => point?.id)).toContain(late)
  }
})

it('gives a cited cell one id, whoever cites it and however many at once', async () => {
  const team = await aTeam(world)
  const caller = await aCaller(world, team)
  const input = { address: '12 Oak St, Frisco, TX 75034', window_start: '2025-05-01', window_end: '2025-06-30', radius_miles: 3 }
  const reports = []
  for (let nth = 0; nth < 3; nth++) reports.push((await requestReport(world.app, caller, input, null)).report.id)
  await world.drain()
  const ids = await Promise.all(
    reports.map(async (id) => (await listReportEvents(world.app, caller, id, { page: 1, per_page: 25 })).data.map((one) => one.id)),
  )
  expect(ids[0]).toHaveLength(1)
  for (const one of ids) expect(one).toEqual(ids[0])
})
