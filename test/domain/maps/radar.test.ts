import { createReadStream, existsSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gunzipSync } from 'node:zlib'
import { VectorTile } from '@mapbox/vector-tile'
import type { MultiPolygon, Polygon } from 'geojson'
import { PbfReader } from 'pbf'
import { beforeEach, describe, expect, it } from 'vitest'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { unpackSizes } from '#domain/archive/radar/day-sizes.ts'
import { type Frame, frameOfCells } from '#domain/archive/radar/frame.ts'
import { deleteOldFrames, storeFrame } from '#domain/archive/radar/frames.ts'
import { gridCellAt } from '#domain/archive/radar/grid.ts'
import { sampleFrames } from '#domain/archive/sample/frames.ts'
import { newestRevisionTime } from '#domain/archive/versions/revision.ts'
import { dayIn } from '#domain/geo/local-day.ts'
import { bandAreas } from '#domain/maps/band-areas.ts'
import { CELLS_A_MOMENT_MAX, CELLS_MAX, playStormDay } from '#domain/maps/playback.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { mergeFrames } from '#domain/maps/radar-days.ts'
import { tileOf } from '#domain/maps/tile.ts'
import { storeRecord } from '#test/domain/maps/store-record.ts'
import { DAY } from '#test/support/clock.ts'
import { openWorld, type World } from '#test/support/world.ts'

/** Radar coverage of the whole grid. */
const allCovered = brotliCompressSync(Buffer.alloc((280 * 140) / 8, 255))

const folder = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'mrms')
const skipped = existsSync(folder) ? '' : ' (skipped: real records not present)'

let world: World
beforeEach(async () => {
  world = await openWorld()
})

async function areasOf(z: number, latitude: number, longitude: number) {
  const x = Math.floor(((longitude + 180) / 360) * 2 ** z)
  const radians = (latitude * Math.PI) / 180
  const y = Math.floor(((1 - Math.asinh(Math.tan(radians)) / Math.PI) / 2) * 2 ** z)
  const { gzip } = await tileOf(world.app, { z, x, y })
  const layer = gzip.length > 0 ? new VectorTile(new PbfReader(gunzipSync(gzip))).layers.radar_hail : undefined
  return Array.from({ length: layer?.length ?? 0 }, (_, index) => {
    const feature = layer?.feature(index).toGeoJSON(x, y, z)
    return { ...feature?.properties, geometry: feature?.geometry as Polygon | MultiPolygon }
  }) as { value: number; date: string; source: string; geometry: Polygon | MultiPolygon }[]
}

/** Square degrees of areas without their holes, by the shoelace formula. */
function squareDegrees({ geometry }: { geometry: Polygon | MultiPolygon }): number {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates
  const ring = (points: number[][]) =>
    Math.abs(points.slice(1).reduce((sum, [x = 0, y = 0], i) => sum + (points[i]?.[0] ?? 0) * y - x * (points[i]?.[1] ?? 0), 0)) / 2
  return polygons.reduce((sum, [outer = [], ...holes]) => sum + ring(outer) - holes.reduce((holeArea, hole) => holeArea + ring(hole), 0), 0)
}

const mesh = async (name: string) => {
  await ingest(world.app, 'mesh', createReadStream(path.join(folder, name)), { file_name: name, quiet: true })
  await refreshMaps(world.app)
}

describe('radar on the map', () => {
  it('is drawn as the largest hail of a day, each cell once, with holes left open', async () => {
    const { row, column } = gridCellAt(35.505, -97.505)
    // A ring of nine cells without its middle, and a larger cell beside it.
    const cells = [-1, 0, 1].flatMap((down) => [-1, 0, 1].map((right) => ({ row: row + down, column: column + right, size_mm: 26 })))
    const ring = cells.filter((cell) => cell.row !== row || cell.column !== column)
    await storeFrame(world.app, 'noaa_mesh', frameOfCells(new Date('2025-05-28T23:00:00Z'), ring))
    await storeFrame(world.app, 'noaa_mesh', frameOfCells(new Date('2025-05-29T01:00:00Z'), [{ row, column: column + 5, size_mm: 52 }]))
    await refreshMaps(world.app)
    for (const z of [8, 9, 12]) {
      const areas = await areasOf(z, 35.505, -97.505)
      // Both moments are before midnight in Oklahoma.
      expect(areas.map(({ value, date }) => [value, date])).toEqual(expect.arrayContaining([[1, '2025-05-28']]))
      const found = areas.find(({ value }) => value === 1) as (typeof areas)[number]
      // The last is drawn on top.
      if (z < 12) expect(areas.map(({ value }) => value)).toEqual([1, 2])
      expect(squareDegrees(found)).toBeCloseTo(8 * 0.0001, 4)
    }
    await deleteSource(world.app, 'mesh')
    await refreshMaps(world.app)
    expect(await areasOf(8, 35.505, -97.505)).toEqual([])
  })

  it('is drawn at the lowest zooms as the largest of 16 x 16 cells, and removed with its day', async () => {
    const { row, column } = gridCellAt(35.505, -97.505)
    const [north, west] = [row - (row % 16), column - (column % 16)]
    const corners = [
      { row: north, column: west, size_mm: 26 },
      { row: north + 15, column: west + 15, size_mm: 52 },
      { row: north, column: west + 16, size_mm: 26 },
    ]
    await storeFrame(world.app, 'noaa_mesh', frameOfCells(new Date('2025-05-28T23:00:00Z'), corners))
    await refreshMaps(world.app)
    await storeFrame(
      world.app,
      'noaa_mesh',
      frameOfCells(new Date('2025-05-28T23:02:00Z'), [{ row: north, column: west + 16, size_mm: 60 }]),
    )
    await refreshMaps(world.app)
    for (const z of [2, 4]) {
      const [area, ...others] = await areasOf(z, 35.505, -97.505)
      expect([area?.value, area?.date, others]).toEqual([2, '2025-05-28', []])
      // Two groups side by side. At zoom 2, four by four groups are one cell.
      if (z === 4) expect(squareDegrees(area as NonNullable<typeof area>)).toBeCloseTo(2 * 0.16 ** 2, 2)
    }
    await deleteSource(world.app, 'mesh')
    await refreshMaps(world.app)
    expect(await areasOf(4, 35.505, -97.505)).toEqual([])
  })

  it('stays when its frames are deleted, and is removed only with its source', async () => {
    const cell = { ...gridCellAt(35.505, -97.505), size_mm: 26 }
    await storeFrame(world.app, 'noaa_mesh', frameOfCells(new Date('2020-05-28T23:00:00Z'), [cell]))
    // A frame that its day has not included yet is not deleted, however old.
    const before = await newestRevisionTime(world.app.pool)
    expect(await deleteOldFrames(world.app, 30)).toBe(0)
    await refreshMaps(world.app)
    expect(await newestRevisionTime(world.app.pool)).toEqual(before)
    expect(await deleteOldFrames(world.app, 30)).toBe(1)
    // A report that is compiled meanwhile can detect that it read two archives.
    expect(await newestRevisionTime(world.app.pool)).not.toEqual(before)
    await refreshMaps(world.app)
    for (const z of [4, 8, 12]) expect((await areasOf(z, 35.505, -97.505)).map(({ date }) => date)).toEqual(['2020-05-28'])
    await deleteSource(world.app, 'mesh')
    // A new frame before the maps process the deletion: only newer data counts.
    await storeFrame(world.app, 'noaa_mesh', frameOfCells(new Date('2020-05-28T23:02:00Z'), [{ ...cell, column: cell.column + 40 }]))
    await refreshMaps(world.app)
    const { rows } = await world.app.pool.query('SELECT data FROM radar_days')
    expect(rows.map(({ data }) => unpackSizes(data).filter((size) => size > 0).length)).toEqual([1])
    await deleteSource(world.app, 'mesh')
    await refreshMaps(world.app)
    for (const z of [4, 8]) expect(await areasOf(z, 35.505, -97.505)).toEqual([])
  })

  it('has every day of a long period, however many are read at once', async () => {
    const days = Array.from({ length: 110 }, (_, nth) => new Date(Date.parse('2025-03-01T18:00:00Z') + nth * 86_400_000))
    // Five by five blocks: more rows than one read returns.
    const cells = [0, 1, 2, 3, 4].flatMap((down) => [0, 1, 2, 3, 4].map((right) => gridCellAt(35.505 + down, -97.505 + right)))
    for (const day of days)
      await storeFrame(
        world.app,
        'noaa_mesh',
        frameOfCells(
          day,
          cells.map((cell) => ({ ...cell, size_mm: 26 })),
        ),
      )
    await refreshMaps(world.app)
    const expected = days.map((day) => day.toISOString().slice(0, 10))
    for (const z of [3, 5]) expect((await areasOf(z, 37.5, -96)).map(({ date }) => date)).toEqual(expected)
  })

  it('is merged in portions that fit into memory, with the same result', async () => {
    const oklahoma = gridCellAt(35.505, -97.505)
    const texas = gridCellAt(32.805, -96.805)
    // The second frame lacks Texas, and the third returns to Oklahoma's first day.
    for (const [at, cells] of [
      [
        '2025-05-28T18:00:00Z',
        [
          { ...oklahoma, size_mm: 26 },
          { ...texas, size_mm: 40 },
        ],
      ],
      ['2025-05-29T18:00:00Z', [{ ...oklahoma, size_mm: 31 }]],
      ['2025-05-28T19:00:00Z', [{ ...oklahoma, size_mm: 52 }]],
    ] as const)
      await storeFrame(world.app, 'noaa_mesh', frameOfCells(new Date(at), [...cells]))
    const { rows } = await world.app.pool.query<{ id: number }>('SELECT id FROM radar_frames ORDER BY id')
    const client = await world.app.pool.connect()
    const merge = async (at_once?: number) => {
      await client.query('BEGIN')
      const texts: string[] = []
      // Not a spy on the client: Vitest restores each at the end of the file, when the client, long released, must not have this scope's `query`.
      const recording: typeof client = Object.assign(Object.create(client), {
        query(...sent: Parameters<typeof client.query>) {
          texts.push(String(sent[0]).trim())
          return client.query(...sent)
        },
      })
      const boxes = await mergeFrames(
        recording,
        rows.map(({ id }) => id),
        at_once,
      )
      const days = await client.query('SELECT * FROM radar_days ORDER BY block, day')
      const overviews = await client.query('SELECT * FROM radar_day_overviews ORDER BY day')
      await client.query('ROLLBACK')
      const steps = texts.flatMap((text) =>
        /^SELECT f.source/.test(text) ? ['read'] : /^INSERT INTO radar_days/.test(text) ? ['store'] : [],
      )
      return { steps: steps.join(' '), stored: { boxes, days: days.rows, overviews: overviews.rows } }
    }
    const [whole, portions] = [await merge(), await merge(2)]
    client.release()
    expect(whole.steps).toBe('read read read store store store')
    expect(portions.steps).toBe('read store store read read store store')
    expect(portions.stored).toEqual(whole.stored)
    expect(whole.stored.days).toHaveLength(3)
  })

  it('keeps the largest hail of an old day even if newer days have too many outlines', async () => {
    const noisy = Uint16Array.from(
      Array.from({ length: 5000 }, (_, nth) => [1900 + 2 * Math.floor(nth / 100), 3200 + 2 * (nth % 100), 130 + (nth % 3) * 130]).flat(),
    )
    async function* days() {
      for (let day = 30; day > 0; day--)
        yield { day: `2025-06-${String(day).padStart(2, '0')}`, source: 'noaa_mesh' as const, parts: [noisy] }
      yield { day: '2025-05-01', source: 'noaa_mesh' as const, parts: [Uint16Array.of(1949, 3249, 760)] }
    }
    const areas = await bandAreas(days(), { z: 8, x: 58, y: 100 })
    expect(areas[0]).toMatchObject({ day: '2025-05-01', band: 9 })
    const shown = areas.slice(1).map(({ band, day }) => [band, day])
    expect(shown.length).toBeGreaterThan(2)
    expect(shown.length).toBeLessThan(30)
    expect(shown).toEqual(shown.map((_, nth) => [5, `2025-06-${30 - nth}`]))
  })

  it.skipIf(skipped)(`shows the largest hail of the agency’s 24-hour grid${skipped}`, async () => {
    await mesh('MRMS_MESH_Max_1440min_00.50_20240228-100000.grib2')
    const areas = await areasOf(9, 44.795, -75.215)
    // 82.8 mm is 3.26 inches: in the band from 2.75 up, which has only this cell.
    const largest = areas.find(({ value }) => value === 2.75)
    expect(largest).toMatchObject({ date: '2024-02-27', source: 'noaa_mesh' })
    expect(squareDegrees(largest as (typeof areas)[number])).toBeCloseTo(0.0001, 5)
    const day = await playStormDay(world.app, { date: '2024-02-27', south: 42, west: -78, north: 47, east: -73 })
    expect(Math.max(...(day.moments[0]?.cells.map(({ mesh_in }) => mesh_in) ?? []))).toBe(3.26)
    // The grid ends on the next date, and most of its hours are on this one.
    const middle = '2024-02-27T22:00:00Z'
    expect(day.moments.map(({ at }) => at)).toEqual([middle])
    expect(day.meta).toEqual({
      ...{ count: 1, available: true, thinned: false, from: middle, until: middle },
      largest_of: { from: '2024-02-27T10:00:00Z', until: '2024-02-28T10:00:00Z' },
      timezone: 'America/New_York',
      reports_without_point: 0,
    })
  })

  it.skipIf(skipped)(`plays no moment outside the date if both of the agency’s grids are held${skipped}`, async () => {
    await mesh('MRMS_MESH_00.50_20240228-025239.grib2')
    await mesh('MRMS_MESH_Max_1440min_00.50_20240228-100000.grib2')
    const { from, until } = dayIn('2024-02-27', 'America/Chicago')
    for (const box of [
      { south: 34, west: -100, north: 40, east: -94 },
      { south: 34, west: -94, north: 40, east: -88 },
      { south: 26, west: -100, north: 30, east: -96 },
    ]) {
      const { moments, meta } = await playStormDay(world.app, { date: '2024-02-27', ...box })
      expect(moments.length).toBe(1)
      for (const { at } of moments) {
        expect(Date.parse(at)).toBeGreaterThanOrEqual(from.getTime())
        expect(Date.parse(at)).toBeLessThanOrEqual(until.getTime())
      }
      // The scan if it saw hail or nothing was seen all day, otherwise the day's maximum with its hours.
      const isScan = moments[0]?.at === '2024-02-28T02:52:39Z'
      expect(meta.largest_of === null).toBe(isScan)
      if (!isScan) expect(moments[0]?.cells.length).toBeGreaterThan(0)
    }
  })

  it.skipIf(skipped)(`plays the agency’s frame of a moment${skipped}`, async () => {
    await mesh('MRMS_MESH_00.50_20240228-025239.grib2')
    const { rows } = await world.app.pool.query('SELECT cells, peak_mm FROM radar_frames')
    expect(rows).toEqual([{ cells: 1943, peak_mm: 20.8 }])
    let cells = 0
    let peak = 0
    for (let south = 20; south < 55; south += 5) {
      for (let west = -130; west < -60; west += 5) {
        const box = { south: south + 0.0001, west: west + 0.0001, north: south + 5, east: west + 5 }
        const { moments } = await playStormDay(world.app, { date: '2024-02-27', ...box })
        for (const one of moments.flatMap((moment) => moment.cells)) {
          cells += 1
          peak = Math.max(peak, one.mesh_in)
        }
      }
    }
    expect([cells, peak]).toEqual([1943, 0.82])
  })
})

describe('playback', () => {
  const frisco = { date: '2025-05-28', south: 32, west: -98, north: 34, east: -96 }

  it('plays the made-up storm in time order, with its reports', async () => {
    for (const frame of sampleFrames()) await storeFrame(world.app, 'sample', frame)
    await storeRecord(world, { latitude: 33.15, longitude: -96.8, hail_size_in: 2, occurred_on: '2025-05-28', source: 'sample' })
    const day = await playStormDay(world.app, frisco)
    const span = { from: '2025-05-28T23:20:00Z', until: '2025-05-29T00:40:00Z' }
    const seen = { count: 17, available: true, thinned: false, ...span, largest_of: null }
    expect(day.meta).toEqual({ ...seen, timezone: 'America/Chicago', reports_without_point: 0 })
    expect(day.moments.map(({ at }) => at)).toEqual(day.moments.map(({ at }) => at).sort())
    expect(Math.max(...day.moments.flatMap(({ cells }) => cells.map(({ mesh_in }) => mesh_in)))).toBeGreaterThan(1.9)
    expect(day.context.reports).toEqual([{ at: '2025-05-28T18:00:00Z', type: 'hail', magnitude_in: 2, latitude: 33.15, longitude: -96.8 }])
  })

  it('shows a 24-hour maximum at its middle, only if it has hail and no moment of the day does', async () => {
    const grid = (at: string, latitude: number, longitude = -97) =>
      frameOfCells(new Date(at), [{ ...gridCellAt(latitude, longitude), size_mm: 30 }])
    const play = async (box = frisco) => {
      const { moments, meta } = await playStormDay(world.app, box)
      return [moments.map(({ at, cells }) => `${at} ${cells.length}`), meta.largest_of]
    }
    const everywhere = (frame: Frame): Frame => ({ ...frame, coverage: allCovered })
    await storeFrame(world.app, 'noaa_mesh', { ...grid('2025-05-29T12:00:00Z', 33), product: 'mesh_max_1440min' })
    const hours = { from: '2025-05-28T12:00:00Z', until: '2025-05-29T12:00:00Z' }
    expect(await play()).toEqual([['2025-05-29T00:00:00Z 1'], hours])
    expect(await play({ ...frisco, date: '2025-05-29' })).toEqual([[], null])
    await storeFrame(world.app, 'noaa_mesh', everywhere(grid('2025-05-28T20:00:00Z', 40)))
    expect(await play()).toEqual([['2025-05-29T00:00:00Z 1'], hours])
    // Neither saw hail there, so the scan is shown.
    expect(await play({ ...frisco, south: 28, north: 30 })).toEqual([['2025-05-28T20:00:00Z 0'], null])
    await storeFrame(world.app, 'noaa_mesh', grid('2025-05-28T21:00:00Z', 33))
    expect(await play()).toEqual([['2025-05-28T20:00:00Z 0', '2025-05-28T21:00:00Z 1'], null])
  })

  it('is not available without radar coverage, because no coverage is not the same as no hail', async () => {
    const cell = { ...gridCellAt(33, -97), size_mm: 30 }
    await storeFrame(world.app, 'noaa_mesh', { ...frameOfCells(new Date('2025-05-28T20:00:00Z'), [cell]), coverage: allCovered })
    const available = async (south: number, west: number) => {
      const { meta } = await playStormDay(world.app, { date: '2025-05-28', south, west, north: south + 2, east: west + 2 })
      return [meta.available, meta.count]
    }
    expect(await available(28, -98)).toEqual([true, 1])
    expect(await available(21, -158)).toEqual([false, 0])
    expect(await available(61, -151)).toEqual([false, 0])
    expect(await available(17, -67)).toEqual([false, 0])
    await world.app.pool.query('DELETE FROM radar_frames')
    await storeFrame(world.app, 'noaa_mesh', frameOfCells(new Date('2025-05-28T20:00:00Z'), [cell]))
    expect(await available(32, -98)).toEqual([true, 1])
    expect(await available(28, -98)).toEqual([false, 0])
    // Made-up coverage says nothing about real frames.
    await storeFrame(world.app, 'sample', { ...frameOfCells(new Date('2025-05-28T20:00:00Z'), [cell]), coverage: allCovered })
    expect(await available(28, -98)).toEqual([false, 0])
  })

  it('leaves out made-up reports if there are real ones, and gives no size for wind', async () => {
    await storeRecord(world, { latitude: 33.15, longitude: -96.8, occurred_on: '2025-05-28', source: 'sample' })
    await storeRecord(world, { latitude: 33.2, longitude: -96.8, occurred_on: '2025-05-28', type: 'thunderstorm_wind', wind_gust_mph: 60 })
    const { context, moments, meta } = await playStormDay(world.app, frisco)
    expect(context.reports).toMatchObject([{ type: 'thunderstorm_wind', magnitude_in: null }])
    expect([moments, meta.available, meta.from]).toEqual([[], false, null])
  })

  it('keeps the largest values if there are too many', async () => {
    const { row, column } = gridCellAt(33, -97)
    const field = (size_mm: number) =>
      Array.from({ length: 6400 }, (_, i) => ({
        row: row + Math.floor(i / 80),
        column: column + (i % 80),
        size_mm: size_mm + (i % 10) / 10,
      }))
    for (let step = 0; step < 50; step++)
      await storeFrame(world.app, 'noaa_mesh', frameOfCells(new Date(Date.parse('2025-05-28T18:00:00Z') + step * 150_000), field(step)))
    const { moments, meta } = await playStormDay(world.app, frisco)
    expect([meta.thinned, meta.count]).toEqual([true, 25])
    expect(Math.max(...moments.map(({ cells }) => cells.length))).toBe(CELLS_A_MOMENT_MAX)
    expect(moments.reduce((sum, { cells }) => sum + cells.length, 0)).toBeLessThanOrEqual(CELLS_MAX)
    expect(moments.at(-1)?.cells.some(({ mesh_in }) => mesh_in === 1.96)).toBe(true)
  })

  it('refuses an invalid box and names the error', async () => {
    for (const [wrong, field] of [
      [{ date: '2025-02-30' }, 'date'],
      [{ south: 35 }, 'south'],
      [{ west: -95 }, 'west'],
      [{ north: 39 }, 'north'],
      [{ east: -91 }, 'east'],
      [{ north: 91, south: 88 }, 'north'],
    ] as const)
      await expect(playStormDay(world.app, { ...frisco, ...wrong })).rejects.toMatchObject({
        code: 'validation_failed',
        details: { errors: { [field]: [expect.any(String)] } },
      })
  })

  it('plays all 300 moments of a day of 25 hours', async () => {
    const { from, until } = dayIn('2025-11-02', 'America/Chicago')
    const cell = { ...gridCellAt(33, -97), size_mm: 30 }
    for (let at = from.getTime(); at <= until.getTime(); at += 300_000)
      await storeFrame(world.app, 'noaa_mesh', frameOfCells(new Date(at), [cell]))
    const { moments, meta } = await playStormDay(world.app, { ...frisco, date: '2025-11-02' })
    const span = { from: '2025-11-02T05:00:00Z', until: '2025-11-03T05:55:00Z' }
    expect([moments.length, meta]).toMatchObject([300, { count: 300, thinned: false, ...span }])
  })

  it('plays the oldest day of the retention only where all of it is kept', async () => {
    const boxes = { east: { south: 40, west: -75, north: 41, east: -74 }, west: { south: 37, west: -121, north: 38, east: -120 } }
    const cells = Object.values(boxes).map(({ south, west }) => ({ ...gridCellAt(south + 0.505, west + 0.505), size_mm: 30 }))
    for (const at of ['28T03:59', '28T04:00', '28T06:59', '28T07:00', '29T03:59', '29T06:59'])
      await storeFrame(world.app, 'noaa_mesh', frameOfCells(new Date(`2025-05-${at}:00Z`), cells))
    await refreshMaps(world.app)
    const played = async (box: keyof typeof boxes, date: string) => {
      const { moments } = await playStormDay(world.app, { date, ...boxes[box] })
      return moments.map(({ at }) => at.slice(8, 16))
    }
    const before = Date.parse('2025-05-28T10:00:00Z')
    world.clock.set(new Date(before + world.app.config.mesh_retention_days * DAY))
    expect(await deleteOldFrames(world.app, world.app.config.mesh_retention_days)).toBe(1)
    expect(await played('east', '2025-05-28')).toEqual(['28T04:00', '28T06:59', '28T07:00', '29T03:59'])
    expect(await played('west', '2025-05-28')).toEqual(['28T07:00', '29T03:59', '29T06:59'])
    // In the west its last three hours are left of the day before.
    expect(await played('west', '2025-05-27')).toEqual([])
    await storeFrame(world.app, 'sample', frameOfCells(new Date('2025-05-28T06:00:00Z'), cells))
    expect(await played('west', '2025-05-27')).toEqual(['28T06:00'])
  })

  it('supports days of 23 and 25 hours', () => {
    const hours = (date: string) => {
      const { from, until } = dayIn(date, 'America/Chicago')
      return (until.getTime() - from.getTime() + 1000) / 3_600_000
    }
    expect(['2025-03-09', '2025-05-28', '2025-11-02'].map(hours)).toEqual([23, 24, 25])
    expect(dayIn('2025-05-28', 'America/Chicago').from.toISOString()).toBe('2025-05-28T05:00:00.000Z')
  })
})
