import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { type CellRecord, keyOf, NOT_STORED, storeCellRecords } from '#domain/archive/radar/cell-records.ts'
import { cellsOf, type FrameCell, frameOf } from '#domain/archive/radar/frame.ts'
import { deleteOldFrames, framesWithin, storeFrame } from '#domain/archive/radar/frames.ts'
import type { Grid } from '#domain/archive/radar/grib2.ts'
import { CONUS, centreOf, gridCellAt } from '#domain/archive/radar/grid.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { searchArchive } from '#domain/archive/search/search.ts'
import { onePerEpisode } from '#domain/evidence/episodes.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { DAY } from '#test/support/clock.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { dallas, may28 } from './dallas.ts'

const folder = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'mrms')
const present = existsSync(folder)

let world: World
beforeEach(async () => {
  await world?.close()
  world = await openWorld()
})

const REFERENCE = 30
/** A field of one moment with hail, in tenths of a millimetre, in a few cells and none elsewhere. */
function fieldOf(at: string, ...hail: [latitude: number, longitude: number, tenths: number][]): Grid {
  const packed = new Uint16Array(CONUS.rows * CONUS.columns).fill(REFERENCE - 10)
  for (const [latitude, longitude, tenths] of hail) {
    const { row, column } = gridCellAt(latitude, longitude)
    packed[row * CONUS.columns + column] = tenths + REFERENCE
  }
  const { rows, columns, north, west, step } = CONUS
  return {
    discipline: 209,
    category: 3,
    parameter: 28,
    valid_at: new Date(at),
    rows,
    columns,
    north,
    west,
    step,
    packed,
    unpack: (raw) => (raw - REFERENCE) / 10,
  }
}
const keep = async (...field: Parameters<typeof fieldOf>) => storeFrame(world.app, 'noaa_mesh', await frameOf(fieldOf(...field)))
const radar = async (place = dallas, window = may28) =>
  (await searchArchive(world.app, place, window)).records.map(({ source_key, hail_size_in, distance_miles, occurred_on }) => [
    source_key.split('/')[1],
    hail_size_in,
    Math.round((distance_miles ?? -1) * 100) / 100,
    occurred_on,
  ])
const cite = (record: NearbyRecord) => storeCellRecords(world.app.pool, [record as NearbyRecord & CellRecord])

describe('the radar mosaic around a place', () => {
  it('has a cell over every place within half its side, and at a distance from places beyond', async () => {
    await keep('2026-05-28T20:00:00Z', [32.785, -96.795, 300])
    const milesFrom = async (latitude: number, longitude: number) =>
      (await radar({ ...dallas, latitude, longitude })).map(([, , miles]) => miles)
    for (const [north, east] of [
      [0.0049, 0.0049],
      [-0.0049, 0.0049],
      [0.0049, -0.0049],
      [-0.0049, -0.0049],
    ] as const)
      expect(await milesFrom(32.785 + north, -96.795 + east)).toEqual([0])
    for (const [north, east, away] of [
      [0.0051, 0, 0.35],
      [-0.0051, 0, 0.35],
      [0, 0.0051, 0.3],
      [0, -0.0051, 0.3],
    ] as const)
      expect(await milesFrom(32.785 + north, -96.795 + east)).toEqual([away])
  })

  it('returns the cell over a place beside the largest of its storm, but not a cell that is only near the place', async () => {
    await keep('2026-05-28T20:00:00Z', [32.785, -96.795, 200], [32.825, -96.795, 300])
    const sizesFrom = async (north: number, east: number) =>
      (await radar({ ...dallas, latitude: 32.785 + north, longitude: -96.795 + east })).map(([, inches]) => inches)
    for (const off of [-0.0049, 0.0049]) {
      expect(await sizesFrom(off, 0)).toEqual([1.18, 0.79])
      expect(await sizesFrom(0, off)).toEqual([1.18, 0.79])
    }
    for (const off of [-0.0051, 0.0051]) {
      expect(await sizesFrom(off, 0)).toEqual([1.18])
      expect(await sizesFrom(0, off)).toEqual([1.18])
    }
  })

  it('returns the largest cell of each storm within the radius, and the largest over the place from half an inch', async () => {
    await keep('2026-05-28T20:00:00Z', [32.785, -96.795, 100], [32.825, -96.795, 300], [33.5, -96.795, 700])
    await keep('2026-05-28T20:50:00Z', [32.785, -96.795, 150], [32.825, -96.795, 250])
    await keep('2026-05-28T22:30:00Z', [32.785, -96.795, 120])
    const [over, largest, second] = [
      ['2026-05-28T20:50:00Z', 0.59],
      ['2026-05-28T20:00:00Z', 1.18],
      ['2026-05-28T22:30:00Z', 0.47],
    ]
    const found = await radar()
    expect(found.map(([moment, size]) => [moment, size])).toEqual([second, over, largest])
    expect(found.map(([, , miles]) => miles)).toEqual([0, 0, 3.04])
  })

  /** A cell is traced through its frame. */
  const noFile = { file_id: null, span_start: null, span_length: null }

  it('stores no record of a cell until a report cites it', async () => {
    await keep('2026-05-28T20:00:00Z', [32.825, -96.795, 300])
    const look = async () => (await searchArchive(world.app, dallas, may28)).records
    const [unstored] = (await look()) as [NearbyRecord]
    expect(unstored.id).toBe(NOT_STORED)
    expect((await world.app.pool.query('SELECT FROM archive_records')).rowCount).toBe(0)
    const { ids } = await cite(unstored)
    expect(await look()).toEqual([
      {
        ...unstored,
        id: ids.get(keyOf(unstored)),
        county_mismatch: null,
        tornado_width_yd: null,
        issued_at: null,
        ...noFile,
        judged: true,
      },
    ])
    const { rows } = await world.app.pool.query(
      'SELECT source, source_key, precision, evidence_kind, is_observed, qualifier, citation_url, county_fips FROM archive_records',
    )
    const { row, column } = gridCellAt(32.825, -96.795)
    expect(rows).toEqual([
      {
        source: 'noaa_mesh',
        source_key: `mesh/2026-05-28T20:00:00Z/${row}/${column}`,
        precision: 'grid',
        evidence_kind: 'radar',
        is_observed: false,
        qualifier: 'radar_estimated',
        citation_url: 'https://noaa-mrms-pds.s3.amazonaws.com/index.html#CONUS/MESH_00.50/20260528/',
        county_fips: '48113',
      },
    ])
  })

  it('is the same whichever cells of the storm are stored for others', async () => {
    await keep('2026-05-28T20:00:00Z', [32.825, -96.795, 600])
    await keep('2026-05-28T20:50:00Z', [32.805, -96.795, 300])
    await keep('2026-05-28T21:40:00Z', [32.765, -96.795, 350])
    const before = await radar()
    expect(before).toEqual([['2026-05-28T20:00:00Z', 2.36, expect.any(Number), '2026-05-28']])
    const { records } = await searchArchive(world.app, { ...dallas, latitude: 32.765 }, { ...may28, radius_miles: 1 })
    await cite(records[0] as NearbyRecord)
    expect(await world.app.db.archiveRecord.count()).toBe(1)
    expect(await radar()).toEqual(before)
  })

  it('is not mixed with made-up frames in playback', async () => {
    const madeUp = await frameOf(fieldOf('2026-05-28T20:01:00Z', [32.785, -96.795, 900]))
    await storeFrame(world.app, 'sample', madeUp)
    const box = { south: 32, north: 34, west: -98, east: -96 }
    const moments = async () =>
      (await framesWithin(world.app, box, new Date('2026-05-28T19:00:00Z'), new Date('2026-05-28T22:00:00Z'))).map(({ valid_at }) =>
        valid_at.toISOString(),
      )
    expect(await moments()).toEqual(['2026-05-28T20:01:00.000Z'])
    await keep('2026-05-28T20:00:00Z', [32.785, -96.795, 300])
    expect(await moments()).toEqual(['2026-05-28T20:00:00.000Z'])
  })

  it('has no cell over the centre of a ZIP', async () => {
    await keep('2026-05-28T20:00:00Z', [32.825, -96.795, 600])
    await keep('2026-05-28T20:55:00Z', [32.825, -96.795, 500])
    await keep('2026-05-28T21:50:00Z', [32.785, -96.795, 200])
    expect((await radar()).map(([at]) => at).sort()).toEqual(['2026-05-28T20:00:00Z', '2026-05-28T21:50:00Z'])
    expect((await radar({ ...dallas, precision: 'zip' })).map(([at]) => at)).toEqual(['2026-05-28T20:00:00Z'])
  })

  it('counts a cell on its own local date, and keeps cited cells when the frames are deleted', async () => {
    await keep('2026-05-29T03:00:00Z', [32.785, -96.795, 300])
    const { records } = await searchArchive(world.app, dallas, may28)
    await cite(records[0] as NearbyRecord)
    expect(await radar()).toHaveLength(1)
    expect(await radar(dallas, { ...may28, start: '2026-05-29', end: '2026-05-29' })).toEqual([])
    world.clock.set(new Date(Date.parse('2026-05-29T03:00:00Z') + 31 * DAY))
    await refreshMaps(world.app)
    expect(await deleteOldFrames(world.app, 30)).toBe(1)
    // The day's maximum shows the same hail and is not cited beside it.
    const left = onePerEpisode((await searchArchive(world.app, dallas, may28)).records, true)
    expect(left.map(({ id }) => id)).toEqual([
      (await searchArchive(world.app, dallas, may28)).records.find(({ id }) => id !== NOT_STORED)?.id,
    ])
  })
})

describe.skipIf(!present)(`the agency's own grids${present ? '' : ' (skipped: real records not present)'}`, () => {
  const moment = 'MRMS_MESH_00.50_20240228-025239.grib2'
  const day = 'MRMS_MESH_Max_1440min_00.50_20240228-100000.grib2'
  const importGrid = (name: string, bytes = readFileSync(path.join(folder, name))) =>
    ingest(world.app, 'mesh', Readable.from([bytes]), { file_name: name })

  it('are stored in full and once, gzipped or plain', async () => {
    expect(await importGrid(moment)).toMatchObject({ kind: 'frames', rows: 1, inserted: 1, rejected: 0 })
    expect(await importGrid(moment, gzipSync(readFileSync(path.join(folder, moment))))).toMatchObject({ inserted: 0, unchanged: 1 })
    expect(await importGrid(day)).toMatchObject({ inserted: 1 })
    const { rows } = await world.app.pool.query(
      'SELECT product, cells, peak_mm, (SELECT sum(b.cells)::int FROM radar_blocks b WHERE b.frame_id = f.id) AS kept FROM radar_frames f ORDER BY id',
    )
    expect(rows).toEqual([
      { product: 'mesh', cells: 1943, peak_mm: 20.8, kept: 1943 },
      { product: 'mesh_max_1440min', cells: 231_856, peak_mm: 82.8, kept: 231_856 },
    ])
    expect((await world.app.pool.query("SELECT FROM coverage_days WHERE source = 'noaa_mesh' AND day = '2024-02-27'")).rowCount).toBe(49)
  })

  it('give their largest cell with its size as delivered, and show where the radar does not reach', async () => {
    await importGrid(moment)
    const { rows } = await world.app.pool.query<{ block: number; data: Buffer }>('SELECT block, data FROM radar_blocks')
    const cells = rows.flatMap(({ block, data }) => cellsOf(block, data))
    const largest = cells.reduce((most, cell) => (cell.size_mm > most.size_mm ? cell : most)) as FrameCell
    const place = { ...dallas, ...centreOf(largest) }
    const window = { start: '2024-02-27', end: '2024-02-28', radius_miles: 5 }
    const { records, coverage } = await searchArchive(world.app, place, window)
    expect(records).toMatchObject([{ hail_size_in: 0.82, distance_miles: 0, precision: 'grid' }])
    expect(coverage.radar).toEqual({ of: 2, days: 1, moments: 1, largest_only: 0, reaches: true, maxima: 0 })
    const honolulu = { ...dallas, state: 'HI', latitude: 24.5, longitude: -128, timezone: 'Pacific/Honolulu' }
    expect((await searchArchive(world.app, honolulu, window)).records).toEqual([])
  })

  it('that are truncated or not a grid are refused with a reason', async () => {
    const bytes = readFileSync(path.join(folder, moment))
    await expect(importGrid(moment, bytes.subarray(0, 5000))).rejects.toMatchObject({
      details: { errors: { file: [expect.stringContaining('not a readable radar grid')] } },
    })
    await expect(importGrid('x.html', Buffer.from('<html></html>'))).rejects.toMatchObject({
      details: { errors: { file: [expect.stringContaining('GRIB')] } },
    })
  })
})
