import { gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import { PbfReader } from 'pbf'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { tileAt, worldPoint } from '#domain/maps/mercator.ts'
import { playStormDay } from '#domain/maps/playback.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { tileOf } from '#domain/maps/tile.ts'
import { detailsText, importText } from '#test/domain/archive/files.ts'
import { storeRecord } from '#test/domain/maps/store-record.ts'
import { openWorld, type World } from '#test/support/world.ts'

const here = { latitude: 33.15, longitude: -96.82 }
const day = '2019-03-24'
/** A local report of an event that is also in the final record. It is a hundredth of a degree away, so it has its own spot. */
const localReport = { ...here, latitude: 33.16, hail_size_in: 1.25, source: 'nws_lsr', state: 'TX', preliminary: true } as const

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** Sizes of the hail that a tile shows over the place at a zoom. */
async function sizesAt(z: number): Promise<unknown[]> {
  const { x, y } = worldPoint(localReport.latitude, localReport.longitude) as { x: number; y: number }
  const { gzip } = await tileOf(world.app, tileAt(x, y, z))
  const layer = gzip.length > 0 ? new VectorTile(new PbfReader(gunzipSync(gzip))).layers.hail : undefined
  return Array.from({ length: layer?.length ?? 0 }, (_, index) => layer?.feature(index).properties.value).sort()
}

async function shown() {
  await refreshMaps(world.app)
  const { context } = await playStormDay(world.app, { date: day, south: 33, west: -97, north: 33.5, east: -96.5 })
  const played = context.reports.map(({ magnitude_in }) => magnitude_in).sort()
  return { played, near: await sizesAt(11), listed: await sizesAt(9) }
}

it('shows the preliminary record until the final record covers its month, never both, and again if the final record is deleted', async () => {
  await storeRecord(world, { ...localReport, occurred_on: day })
  // One is after the last month of the file, one has no state: both stay.
  await storeRecord(world, { ...localReport, occurred_on: '2019-04-01', hail_size_in: 3 })
  await storeRecord(world, { ...localReport, occurred_on: '2018-03-24', hail_size_in: 4, state: undefined })
  expect(await shown()).toEqual({ played: [1.25], near: [1.25, 3, 4], listed: [4] })

  const row = { BEGIN_LAT: '33.16', BEGIN_LON: '-96.81', END_LAT: '33.16', END_LON: '-96.81', MAGNITUDE: '1.50' }
  await importText(world, detailsText(row))
  expect(await shown()).toEqual({ played: [1.5], near: [1.5, 3, 4], listed: [1.5, 4] })

  await deleteSource(world.app, 'storm-events')
  expect(await shown()).toEqual({ played: [1.25], near: [1.25, 3, 4], listed: [4] })
})

it('shows the made-up sample until a real source holds its month, never both, and again if that is deleted', async () => {
  await world.owner.query('TRUNCATE archive_records, record_cells, coverage')
  await storeRecord(world, { ...here, latitude: 33.16, hail_size_in: 2.25, source: 'sample', state: 'TX', occurred_on: day })
  expect(await shown()).toEqual({ played: [2.25], near: [2.25], listed: [2.25] })
  const row = { BEGIN_LAT: '33.16', BEGIN_LON: '-96.81', END_LAT: '33.16', END_LON: '-96.81', MAGNITUDE: '1.50' }
  await importText(world, detailsText(row))
  expect(await shown()).toEqual({ played: [1.5], near: [1.5], listed: [1.5] })
  await deleteSource(world.app, 'storm-events')
  expect(await shown()).toEqual({ played: [2.25], near: [2.25], listed: [2.25] })
})

it('redraws tiles whose preliminary records a final month supersedes, even without a final record there', async () => {
  await world.owner.query('TRUNCATE archive_records, record_cells, coverage')
  await storeRecord(world, { ...localReport, occurred_on: day })
  expect(await shown()).toEqual({ played: [1.25], near: [1.25], listed: [1.25] })
  await importText(world, detailsText({ BEGIN_LAT: '40.0', BEGIN_LON: '-90.0', END_LAT: '40.0', END_LON: '-90.0' }))
  expect(await shown()).toEqual({ played: [], near: [], listed: [] })
  await deleteSource(world.app, 'storm-events')
  expect(await shown()).toEqual({ played: [1.25], near: [1.25], listed: [1.25] })
})
