import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unpackSizes } from '#domain/archive/radar/day-sizes.ts'
import { syncRadarDay } from '#domain/maps/sync-radar-day.ts'
import { type FeedReply, type Feeds, openFeeds } from '#test/support/feeds.ts'
import { openWorld, type World } from '#test/support/world.ts'

const folder = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'mrms')
const isThere = existsSync(folder)
const grid = (name: string) => readFileSync(path.join(folder, name))
const DAY_GRID = 'MRMS_MESH_Max_1440min_00.50_20240228-100000.grib2'
const MOMENT = 'MRMS_MESH_00.50_20240228-025239.grib2'
const DAY_FOLDER = 'CONUS/MESH_Max_1440min_00.50/20240228/'
const MOMENT_FOLDER = 'CONUS/MESH_00.50/20240228/'

let world: World
let feeds: Feeds
/** The content of the bucket, by key. */
let bucket: Record<string, FeedReply>
beforeEach(async () => {
  feeds = await openFeeds()
  world = await openWorld({ replace: { http: feeds.http } })
  world.clock.set(new Date('2024-05-01T00:00:00Z'))
  bucket = {}
  feeds.answer((requestPath) => answer(requestPath.replace('noaa-mrms-pds.s3.amazonaws.com/', '')))
})
afterEach(async () => {
  await world.close()
  await feeds.close()
})

/** Two keys per page. The real bucket has a thousand. */
const KEYS_A_PAGE = 2

function answer(requestPath: string): FeedReply | null {
  const query = new URLSearchParams(requestPath.split('?')[1])
  const prefix = query.get('prefix')
  if (prefix === null) return bucket[requestPath] ?? null
  if (bucket[`list ${prefix}`]) return bucket[`list ${prefix}`] as FeedReply
  const keys = Object.keys(bucket).filter((key) => key.startsWith(prefix))
  const from = Number(query.get('continuation-token')?.split('&')[1] ?? 0)
  const more = from + KEYS_A_PAGE < keys.length
  return {
    body: `<?xml version="1.0" encoding="UTF-8"?>\n<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>noaa-mrms-pds</Name>${
      more ? `<NextContinuationToken>x&amp;${from + KEYS_A_PAGE}</NextContinuationToken>` : ''
    }<IsTruncated>${more}</IsTruncated>${keys
      .slice(from, from + KEYS_A_PAGE)
      .map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`)
      .join('')}</ListBucketResult>`,
  }
}

const sync = (frames = false) => syncRadarDay(world.app, '2024-02-27', { frames, pause_ms: 0 })

/** Number of cells with hail, and the largest in tenths of a millimetre, by stored day. */
async function kept(): Promise<Record<string, { cells: number; largest: number }>> {
  const { rows } = await world.app.pool.query<{ day: string; data: Buffer }>('SELECT day::text, data FROM radar_days')
  const days: Record<string, { cells: number; largest: number }> = {}
  for (const { day, data } of rows) {
    const hail = unpackSizes(data).filter((size) => size > 0)
    const before = days[day] ?? { cells: 0, largest: 0 }
    days[day] = { cells: before.cells + hail.length, largest: hail.reduce((most, size) => Math.max(most, size), before.largest) }
  }
  return days
}

const gridRequests = () => feeds.requests.filter(({ path: requestPath }) => requestPath.includes('.grib2')).length

describe.skipIf(!isThere)(`a past day of radar${isThere ? '' : ' (skipped: real records not present)'}`, () => {
  it('is a 24-hour maximum, stays when its grid is deleted, and is read once', async () => {
    for (const hour of ['000000', '040000', '200000']) bucket[`${DAY_FOLDER}${DAY_GRID.replace('100000', hour)}.gz`] = { status: 404 }
    delete bucket[`${DAY_FOLDER}${DAY_GRID.replace('100000', '040000')}.gz`]
    bucket[`${DAY_FOLDER}${DAY_GRID}.gz`] = { body: gzipSync(grid(DAY_GRID), { level: 1 }) }
    expect(await sync()).toMatchObject({ day: '2024-02-27', up_to_date: false, grids: 1, left: 0, imports: [{ inserted: 1 }], faults: [] })
    expect(await kept()).toEqual({ '2024-02-27': { cells: 231_856, largest: 828 } })
    expect((await world.app.pool.query('SELECT FROM radar_frames')).rowCount).toBe(0)
    const before = feeds.requests.length
    expect(await sync()).toEqual({ day: '2024-02-27', up_to_date: true, grids: 0, left: 0, imports: [], faults: [] })
    expect(feeds.requests).toHaveLength(before)
  })

  it('covers its moments from midnight in the east to midnight in the west, across two folders', async () => {
    const beyond = 'MRMS_MESH_00.50_20240228-090000.grib2.gz'
    bucket['CONUS/MESH_00.50/20240227/MRMS_MESH_00.50_20240227-030000.grib2.gz'] = { status: 500 }
    for (const name of [beyond, `${MOMENT}.gz`, `${DAY_GRID}.gz`]) bucket[MOMENT_FOLDER + name] = { status: 500 }
    bucket[`${MOMENT_FOLDER}${MOMENT}.gz`] = { body: gzipSync(grid(MOMENT)) }
    expect(await sync(true)).toMatchObject({ grids: 1, left: 0, imports: [{ inserted: 1 }], faults: [] })
    expect(await kept()).toEqual({ '2024-02-27': { cells: 1943, largest: 208 } })
    expect(await sync(true)).toMatchObject({ up_to_date: true })
    expect(gridRequests()).toBe(1)
  })

  it.each<[string, () => Buffer, RegExp]>([
    ['cut off', () => gzipSync(grid(DAY_GRID)).subarray(0, 30_000), /cut off/],
    ['cut off and packed again', () => gzipSync(grid(DAY_GRID).subarray(0, 30_000)), /longer than the file/],
    ['of another product', () => grid('MRMS_PrecipFlag_00.00_20260219-042400.grib2.gz'), /not a hail-size field/],
    ['of a moment', () => grid(MOMENT), /is named MESH_Max_1440min_00.50 but contains a grid of MESH_00.50/],
    ['of another projection', () => onLambertsCone(grid(DAY_GRID)), /not one of latitudes and longitudes/],
    ['a page', () => Buffer.from('<html>Slow down</html>'), /the mark GRIB is missing/],
  ])('names a grid that is %s, stores nothing of it, and uses the next nearest', async (_what, corruptGrid, reason) => {
    const nearer = DAY_GRID.replace('100000', '060000')
    bucket[`${DAY_FOLDER}${nearer}.gz`] = { body: corruptGrid() }
    const { faults, imports } = await sync()
    expect([faults, imports]).toEqual([[{ file_name: `${nearer}.gz`, reason: expect.stringMatching(reason) }], []])
    expect(await kept()).toEqual({})
    expect((await world.app.pool.query('SELECT FROM radar_frames')).rowCount).toBe(0)
    if (!/not a hail-size/.test(reason.source)) return
    bucket[`${DAY_FOLDER}${DAY_GRID}.gz`] = { body: grid(DAY_GRID) }
    expect(await sync()).toMatchObject({ faults: [{ file_name: `${nearer}.gz` }], imports: [{ file_name: `${DAY_GRID}.gz`, inserted: 1 }] })
    expect(Object.keys(await kept())).toEqual(['2024-02-27'])
  })

  it('gets beyond grids that cannot be used, however many they are, and ends', async () => {
    const unusable = Array.from({ length: 50 }, (_, nth) => {
      const at = new Date(Date.UTC(2024, 1, 28, 0, 2 * nth)).toISOString().slice(11, 19).replaceAll(':', '')
      return `MRMS_MESH_00.50_20240228-${at}.grib2.gz`
    })
    for (const name of unusable) bucket[MOMENT_FOLDER + name] = { body: '<html>Slow down</html>' }
    bucket[`${MOMENT_FOLDER}${MOMENT}.gz`] = { body: gzipSync(grid(MOMENT)) }
    const keys = Object.keys(bucket).map((key) => `<Contents><Key>${key}</Key><Size>1</Size></Contents>`)
    bucket[`list ${MOMENT_FOLDER}`] = { body: `<ListBucketResult><IsTruncated>false</IsTruncated>${keys.join('')}</ListBucketResult>` }
    const summary = await sync(true)
    expect(summary).toMatchObject({ grids: 51, left: 0, imports: [{ file_name: `${MOMENT}.gz`, inserted: 1 }] })
    expect(summary.faults.map(({ file_name }) => file_name)).toEqual(unusable)
  })

  it('resumes after a bucket failure without requesting a grid that was read', async () => {
    bucket[`${MOMENT_FOLDER}${MOMENT}.gz`] = { body: gzipSync(grid(MOMENT)) }
    const late = `${MOMENT_FOLDER}MRMS_MESH_00.50_20240228-030000.grib2.gz`
    bucket[late] = { status: 503 }
    await expect(sync(true)).rejects.toMatchObject({ code: 'engine_unavailable', message: expect.stringContaining('503') })
    delete bucket[late]
    expect(await sync(true)).toMatchObject({ up_to_date: false, grids: 1, imports: [], faults: [] })
    expect(await kept()).toMatchObject({ '2024-02-27': { cells: 1943 } })
    expect(feeds.requests.filter(({ path: requestPath }) => requestPath.includes(MOMENT))).toHaveLength(1)
  })
})

/** The same grid with a definition for a Lambert projection (template 3.30 instead of 3.0). */
function onLambertsCone(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes)
  let at = 16
  while (changed.readUInt8(at + 4) !== 3) at += changed.readUInt32BE(at)
  changed.writeUInt16BE(30, at + 12)
  return changed
}

describe('a listing of the bucket', () => {
  it.each<[string, FeedReply, RegExp]>([
    ['another page', { body: '<html>Please try again</html>' }, /is not readable/],
    ['cut short', { body: '<ListBucketResult><Contents>' }, /is not readable/],
    [
      'one without end',
      { body: '<ListBucketResult><IsTruncated>true</IsTruncated><NextContinuationToken>1</NextContinuationToken></ListBucketResult>' },
      /does not end/,
    ],
    ['one that goes on nowhere', { body: '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>' }, /no token for it/],
    ['503', { status: 503 }, /503/],
    ['broken off', { body: 'x'.repeat(2000), fault: 'cut' }, /could not be read/],
  ])('that is %s counts as a bucket failure, and the day is requested again', async (_what, reply, reason) => {
    bucket[`list ${DAY_FOLDER}`] = reply
    await expect(sync()).rejects.toMatchObject({ code: 'engine_unavailable', message: expect.stringMatching(reason) })
    delete bucket[`list ${DAY_FOLDER}`]
    expect(await sync()).toEqual({ day: '2024-02-27', up_to_date: false, grids: 0, left: 0, imports: [], faults: [] })
  })

  it('is not requested for an invalid or unfinished day', async () => {
    for (const day of ['2024-02-30', 'yesterday', '2024-04-30', '2031-01-01'])
      await expect(syncRadarDay(world.app, day, { frames: false })).rejects.toMatchObject({
        details: { errors: { day: [expect.any(String)] } },
      })
    expect(feeds.requests).toEqual([])
  })
})
