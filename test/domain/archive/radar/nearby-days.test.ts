import { beforeEach, describe, expect, it } from 'vitest'
import { type CellRecord, storeCellRecords } from '#domain/archive/radar/cell-records.ts'
import { type FrameCell, frameOfCells } from '#domain/archive/radar/frame.ts'
import { deleteOldFrames, storeFrame } from '#domain/archive/radar/frames.ts'
import { gridCellAt } from '#domain/archive/radar/grid.ts'
import { searchArchive } from '#domain/archive/search/search.ts'
import { onePerEpisode } from '#domain/evidence/episodes.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { DAY } from '#test/support/clock.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { dallas, may28 } from './dallas.ts'

let world: World
beforeEach(async () => {
  await world?.close()
  world = await openWorld()
})

const cell = (latitude: number, longitude: number, size_mm: number): FrameCell => ({ ...gridCellAt(latitude, longitude), size_mm })
const cellOver = (size_mm: number) => cell(32.785, -96.795, size_mm)
const adjacentCell = (size_mm: number) => cell(32.825, -96.795, size_mm)

const moment = (at: string, ...cells: FrameCell[]) => storeFrame(world.app, 'noaa_mesh', frameOfCells(new Date(at), cells))
const dayGrid = (at: string, ...cells: FrameCell[]) =>
  storeFrame(world.app, 'noaa_mesh', { ...frameOfCells(new Date(at), cells), product: 'mesh_max_1440min' })
const deleteFrames = async () => {
  await refreshMaps(world.app)
  world.clock.set(new Date(Date.parse('2026-05-31T00:00:00Z') + 31 * DAY))
  await deleteOldFrames(world.app, 30)
  expect((await world.app.pool.query('SELECT FROM radar_frames')).rowCount).toBe(0)
}
const search = (place = dallas, window = may28) => searchArchive(world.app, place, window)
/** The radar that a report cites: key without its cell, size, day. */
const cited = async (place = dallas, window = may28) =>
  onePerEpisode((await search(place, window)).records, place.precision === 'point').map(
    ({ source_key, hail_size_in, occurred_on }) => `${source_key.split('/').slice(0, -2).join('/')} ${hail_size_in} ${occurred_on}`,
  )

describe("a day's maximum", () => {
  it('is used when its moments are deleted, and not beside moments with the same hail', async () => {
    await moment('2026-05-28T20:00:00Z', cellOver(20), adjacentCell(38.6))
    await moment('2026-05-28T20:02:00Z', cellOver(32.1), adjacentCell(30))
    await refreshMaps(world.app)
    const moments = ['mesh/2026-05-28T20:02:00Z 1.26 2026-05-28', 'mesh/2026-05-28T20:00:00Z 1.52 2026-05-28']
    expect(await cited()).toEqual(moments)
    expect((await search()).radar_over).toMatchObject([{ day: '2026-05-28', tenths: 321 }])
    await deleteFrames()
    const hours = '2026-05-28T05:00:00Z/2026-05-29T05:00:00Z'
    expect((await cited()).sort()).toEqual([
      `mesh_day/moments/${hours}/32.1 1.26 2026-05-28`,
      `mesh_day/moments/${hours}/38.6 1.52 2026-05-28`,
    ])
    expect((await search()).coverage.radar).toEqual({ of: 1, days: 1, moments: 0, largest_only: 1, reaches: true, maxima: 0 })
    // A city's centre is not an address: nothing is over it.
    expect(await cited({ ...dallas, precision: 'city' })).toEqual([`mesh_day/moments/${hours}/38.6 1.52 2026-05-28`])
    expect(await cited(dallas, { ...may28, radius_miles: 1 })).toEqual([`mesh_day/moments/${hours}/32.1 1.26 2026-05-28`])
    expect(await cited(dallas, { ...may28, start: '2026-05-29', end: '2026-05-29' })).toEqual([])
  })

  it('from a 24-hour grid is that grid’s own cell, with its hours and folder, and no moment', async () => {
    await dayGrid('2026-05-29T06:00:00Z', adjacentCell(38.6))
    await refreshMaps(world.app)
    const [record] = (await search()).records
    const { row, column } = gridCellAt(32.825, -96.795)
    expect(record).toMatchObject({
      source_key: `mesh_max_1440min/2026-05-29T06:00:00Z/${row}/${column}`,
      occurred_on: '2026-05-28',
      begins_at: new Date('2026-05-28T06:00:00Z'),
      ends_at: new Date('2026-05-29T06:00:00Z'),
      hail_size_in: 1.52,
      evidence_kind: 'radar',
      qualifier: 'radar_estimated',
      citation_url: 'https://noaa-mrms-pds.s3.amazonaws.com/index.html#CONUS/MESH_Max_1440min_00.50/20260529/',
      file_name: 'MRMS_MESH_Max_1440min_00.50_20260529-060000.grib2',
      description: 'Largest estimate in the grid cell from 2026-05-28T06:00:00Z to 2026-05-29T06:00:00Z: 38.6 mm.',
      caveats: [],
    })
    expect((await search()).coverage.radar).toMatchObject({ days: 1, largest_only: 1, maxima: 0 })
  })

  it('whose hours extend far beyond the day has a caveat, is in no band, and holds no day', async () => {
    await dayGrid('2026-05-29T10:00:00Z', cellOver(38.6))
    await refreshMaps(world.app)
    const { records, radar_over, coverage } = await search()
    expect(records[0]?.caveats).toEqual(['Its hours reach 5 h beyond the local day that it counts for: it may be of the day beside it.'])
    expect(radar_over).toEqual([])
    expect(coverage.radar).toMatchObject({ days: 0, maxima: 1 })
  })

  it('does not repeat hail that a moment of its hours shows under the next date', async () => {
    await dayGrid('2026-05-29T06:00:00Z', adjacentCell(38.6))
    await moment('2026-05-29T05:30:00Z', adjacentCell(38.6))
    await refreshMaps(world.app)
    expect(await cited(dallas, { ...may28, end: '2026-05-29' })).toEqual(['mesh/2026-05-29T05:30:00Z 1.52 2026-05-29'])
  })

  it('from moments and a 24-hour grid names the hours of both', async () => {
    await dayGrid('2026-05-29T06:00:00Z', adjacentCell(30))
    await moment('2026-05-28T20:00:00Z', adjacentCell(38.6))
    await deleteFrames()
    expect(await cited()).toEqual(['mesh_day/2026-05-28T05:00:00Z/2026-05-29T06:00:00Z/38.6 1.52 2026-05-28'])
  })

  it('is found only as it is now: a cell that another report cited, or a value before it was raised, is not found again', async () => {
    await dayGrid('2026-05-29T05:00:00Z', adjacentCell(30), cellOver(20))
    await deleteFrames()
    const before = (await search()).records
    await storeCellRecords(world.app.pool, before as ((typeof before)[number] & CellRecord)[])
    expect((await search()).records.every(({ id }) => id > 0)).toBe(true)
    // Seen from farther north, the cell beside Dallas is one of several.
    await dayGrid('2026-05-29T05:02:00Z', cell(32.835, -96.795, 40))
    await deleteFrames()
    expect((await cited(dallas)).filter((one) => one.includes(' 1.18 '))).toEqual([])
    expect(await cited(dallas)).toContain('mesh_day/2026-05-28T05:00:00Z/2026-05-29T05:02:00Z/40.0 1.57 2026-05-28')
  })

  it('is left out if its hours are unknown', async () => {
    await dayGrid('2026-05-29T05:00:00Z', adjacentCell(30))
    await refreshMaps(world.app)
    await world.app.pool.query('UPDATE radar_days SET from_at = NULL, until_at = NULL, of_moments = NULL')
    expect((await search()).records).toEqual([])
    await moment('2026-05-28T20:00:00Z', adjacentCell(38.6))
    await deleteFrames()
    expect((await search()).records).toEqual([])
  })

  it('is not known before its grid arrived', async () => {
    await dayGrid('2026-05-29T05:00:00Z', adjacentCell(30))
    await refreshMaps(world.app)
    world.clock.set('2026-06-02T00:00:00Z')
    await world.app.pool.query("INSERT INTO archive_revisions (id, known_at, source) VALUES (70, '2026-06-01T00:00:00Z', 'noaa_mesh')")
    await world.app.pool.query('UPDATE radar_days SET revision = 70')
    const found = async (as_of: string) => (await searchArchive(world.app, dallas, may28, new Date(as_of))).records.length
    expect([await found('2026-05-31T00:00:00Z'), await found('2026-06-01T00:00:00Z')]).toEqual([0, 1])
  })

  it('shows where radar had no coverage on a day whose moments are deleted', async () => {
    await moment('2026-05-28T20:00:00Z', cellOver(20))
    await deleteFrames()
    const elPaso = { ...dallas, latitude: 31.76, longitude: -106.48, timezone: 'America/Denver' }
    expect((await search(elPaso)).coverage.radar).toMatchObject({ days: 0, reaches: false })
  })
})
