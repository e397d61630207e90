import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { frameOfCells } from '#domain/archive/radar/frame.ts'
import { storeFrame } from '#domain/archive/radar/frames.ts'
import { gridCellAt } from '#domain/archive/radar/grid.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { createApiServer } from '#rest/host.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { progressText } from '../../cli/commands/archive.ts'
import { daysOf } from '../../cli/commands/radar-days.ts'
import { type Feeds, openFeeds } from '../support/feeds.ts'
import { openTerminal, type Terminal } from './terminal.ts'

/** Reads GeoJSON and KML; of Debian's gdal-bin. */
const READER = 'ogrinfo'

/** A made-up row of hail near Frisco in May 2018. */
const hail: Record<string, string> = {
  BEGIN_YEARMONTH: '201805',
  BEGIN_DAY: '20',
  BEGIN_TIME: '1800',
  END_YEARMONTH: '201805',
  END_DAY: '20',
  END_TIME: '1810',
  EVENT_ID: '0',
  STATE: 'TEXAS',
  STATE_FIPS: '48',
  EVENT_TYPE: 'Hail',
  CZ_TYPE: 'C',
  CZ_FIPS: '85',
  CZ_NAME: 'COLLIN',
  CZ_TIMEZONE: 'CST-6',
  SOURCE: 'Public',
  MAGNITUDE: '1.75',
  MAGNITUDE_TYPE: '',
  TOR_F_SCALE: '',
  BEGIN_LAT: '33.15',
  BEGIN_LON: '-96.82',
  END_LAT: '33.15',
  END_LON: '-96.82',
  EPISODE_NARRATIVE: '',
  EVENT_NARRATIVE: '',
}

const row = (event_id: number, change: Record<string, string> = {}) =>
  Object.values({ ...hail, EVENT_ID: `${event_id}`, ...change }).join(',')
const csv = (...rows: string[]) => `${[Object.keys(hail).join(','), ...rows].join('\n')}\n`

describe('the archive on the command line', () => {
  let world: World
  let api: FastifyInstance
  let folder: string
  let weather: Terminal
  const inFolder = (name: string) => path.join(folder, name)

  let feeds: Feeds
  let address: string

  beforeAll(async () => {
    feeds = await openFeeds()
    world = await openWorld({ replace: { http: feeds.http } })
    api = await createApiServer(world.app)
    address = await api.listen({ host: '127.0.0.1', port: 0 })
    folder = mkdtempSync(path.join(os.tmpdir(), 'weather-cli-'))
    weather = await openTerminal({ WEATHER_URL: address, WEATHER_OPERATOR_KEY: OPERATOR_KEY })
  })
  afterAll(async () => {
    await api?.close()
    await world?.close()
    await feeds?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('a file is imported once: its rows are counted, the invalid one is named, and a second import changes nothing', async () => {
    const file = inFolder('StormEvents_details-ftp_v1.0_d2018_c20190101.csv.gz')
    writeFileSync(file, gzipSync(csv(row(1), row(2), row(3, { CZ_TIMEZONE: 'XYZ' }))))
    const first = await weather('archive', 'import', 'storm-events', file, '--json')
    expect(first.status).toBe(1)
    expect(JSON.parse(first.stdout)).toMatchObject({ file_name: path.basename(file), rows: 3, inserted: 2, rejected: 1 })
    expect(first.stderr).toMatch(/XYZ/)
    const again = await weather('archive', 'import', 'storm-events', file, '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ rows: 3, inserted: 0, updated: 0, unchanged: 2, rejected: 1 })
  })

  test('writes every rejection when there are more than the summary names', async () => {
    const file = inFolder('points-refused.csv')
    const rows = Array.from({ length: 150 }, (_, at) => `,,${at},Main St,Frisco,TX,75034`)
    const good = '-96.8241,33.1499,200,Main St,Frisco,TX,75034'
    writeFileSync(file, `LON,LAT,NUMBER,STREET,CITY,REGION,POSTCODE\n${[...rows, good].join('\n')}\n`)
    const all = inFolder('points-rejected.csv')
    const { stderr } = await weather('archive', 'import', 'address-points', file, '--rejections', all)
    expect(stderr).toContain('150 rows rejected: it has no coordinates\n  1\n  2\n  3\n  and 147 more\n')
    expect(readFileSync(all, 'utf8').trim().split('\r\n')).toHaveLength(151)
  })

  test('reports the progress of an import in rows', () => {
    expect(progressText({ rows: 0 }, 1000)).toBe('0 rows read')
    expect(progressText({ rows: 12_000, bytes: 250 }, 1000)).toBe('12,000 of about 48,000 rows')
    expect(progressText({ rows: 48_321, bytes: 1000 }, 1000)).toBe('48,321 of about 48,321 rows')
    // A service of an earlier version does not report how much of the file it has read.
    expect(progressText({ rows: 12_000 }, 1000)).toBe('12,000 rows read')
    expect(progressText({ rows: 1 }, 1000)).toBe('1 row read')
  })

  test('several files give a list, or a table with a line each', async () => {
    const files = ['StormEvents_details-ftp_v1.0_d2017_c20180101.csv', 'StormEvents_details-ftp_v1.0_d2016_c20170101.csv'].map(inFolder)
    const months = ['201705', '201612']
    files.forEach(
      (file, at) => void writeFileSync(file, csv(row(10 + at, { BEGIN_YEARMONTH: months[at] ?? '', END_YEARMONTH: months[at] ?? '' }))),
    )
    const { stdout } = await weather('archive', 'import', 'storm-events', ...files)
    expect(stdout.split('\n')).toHaveLength(4)
    expect(stdout).toMatch(/^file +rows +inserted/)
    expect(JSON.parse((await weather('archive', 'import', 'storm-events', ...files, '--json')).stdout)).toHaveLength(2)
  })

  /** Printed of a file of 2016 that was compiled in March 2017. */
  const early =
    'The files of storm-events for 2016-09 to 2016-12 were compiled early: whole offices may be missing. Read each year again with: weather archive sync storm-events --year YEAR\n'

  test('lists the contents by source, state and month', async () => {
    const { stdout } = await weather('archive', 'status', '--json')
    const source = JSON.parse(stdout).sources.find(({ slug }: { slug: string }) => slug === 'storm-events')
    expect(source).toMatchObject({ source: 'noaa_storm_events', records: 4, withdrawn: 0, to: '2018-05-20' })
    expect(source.states.find(({ state }: { state: string }) => state === 'TX').held.length).toBeGreaterThan(0)
    // Consecutive months are one span, even if their files were compiled on different dates.
    expect((await weather('archive', 'status')).stdout).toMatch(/storm-events +4 .* 2016-01 to 2017-05, 2018-01 to 2018-05\n/)
    expect((await weather('archive', 'status')).stderr).toContain(early)
  })

  test('exports the archive to a complete file under its name, or to none', async () => {
    const file = inFolder('hail.parquet')
    expect(await weather('archive', 'export', '--format', 'geoparquet', '--out', file, '--types', 'hail')).toMatchObject({
      status: 0,
      stdout: '',
    })
    const bytes = readFileSync(file)
    expect([bytes.subarray(0, 4).toString(), bytes.subarray(-4).toString()]).toEqual(['PAR1', 'PAR1'])
    const { stdout } = await weather('archive', 'export', '--out', '-', '--from', '2018-05-20', '--states', 'TX')
    expect(stdout.split('\r\n').map((line) => line.split(',').slice(1, 5).join())).toEqual([
      'type,family,severity,occurred_on',
      ...Array(2).fill('hail,thunderstorm,severe,2018-05-20'),
      '',
    ])
    const refused = await weather('archive', 'export', '--out', inFolder('frogs.csv'), '--types', 'frogs')
    expect([refused.status, refused.stderr]).toEqual([7, expect.stringContaining('types.0: There is no record type of this name.')])
    expect(await weather('archive', 'export', '--from', 'May')).toMatchObject({ status: 2 })
    expect(readdirSync(folder).filter((name) => /frogs|part$/.test(name))).toEqual([])
  })

  test('a truncated gzip is reported, and no stored row is lost', async () => {
    const file = inFolder('StormEvents_details-ftp_v1.0_d2018_c20190201.csv.gz')
    writeFileSync(file, gzipSync(csv(...Array.from({ length: 500 }, (_, at) => row(1000 + at)))).subarray(0, 1500))
    const { status, stderr, stdout } = await weather('archive', 'import', 'storm-events', file)
    expect({ status, stdout }).toEqual({ status: 7, stdout: '' })
    expect(stderr).toMatch(/cut off/)
  })

  test('imports address points in the same way', async () => {
    const file = inFolder('points.csv')
    writeFileSync(
      file,
      'LON,LAT,NUMBER,STREET,CITY,REGION,POSTCODE\n-96.82,33.15,12,Main St,Frisco,TX,75034\n,,13,Main St,Frisco,TX,75034\n',
    )
    const { status, stdout } = await weather('archive', 'import', 'address-points', file, '--json')
    expect(status).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ rows: 2, inserted: 1, rejected: 1 })
  })

  test('the status and the doctor report forecast-zone records that no table can locate', async () => {
    const file = inFolder('StormEvents_details-ftp_v1.0_d2015_c20160101.csv')
    const noCoordinates = { BEGIN_LAT: '', BEGIN_LON: '', END_LAT: '', END_LON: '' }
    const zone = {
      BEGIN_YEARMONTH: '201505',
      END_YEARMONTH: '201505',
      CZ_TYPE: 'Z',
      EVENT_TYPE: 'High Wind',
      MAGNITUDE: '',
      ...noCoordinates,
    }
    writeFileSync(file, csv(row(50, { ...zone, CZ_FIPS: '103' }), row(51, { ...zone, CZ_FIPS: '104' })))
    await weather('archive', 'import', 'storm-events', file)
    const none = 'There is no zone table for TX: reports leave out 2 forecast-zone records. Import it with: weather archive sync zones\n'
    expect((await weather('archive', 'status')).stderr).toBe(`${none}${early}`)
    expect(await weather('doctor', '--json')).toMatchObject({ status: 0, stdout: '[]\n', stderr: none })
    const table = inFolder('bp18mr25.dbx')
    writeFileSync(table, 'TX|104|FWD|Collin|TX104|Collin|48085|C|nc|33.18|-96.57\n')
    await weather('archive', 'import', 'zones', table)
    const status = await weather('archive', 'status', '--json')
    expect(status.stderr).toBe(`The zone table lacks some zones of TX: reports leave out one forecast-zone record.\n${early}`)
    expect(JSON.parse(status.stdout)).toMatchObject({ zones: 1, unplaced_zones: [{ state: 'TX', records: 1, table_held: true }] })
  })

  test('the doctor reports a file with a compile date in the future', async () => {
    await world.owner.query("UPDATE coverage SET compiled_on = '2099-01-01' WHERE source = 'noaa_storm_events' AND month = '2015-05-01'")
    expect((await weather('doctor')).stderr).toContain(
      'The storm-events records of 2015 have the compile date 2099-01-01, which is in the future, so no later file replaces them. Forget the source and import its files again: weather archive forget storm-events.\n',
    )
  })

  test('deletes a source', async () => {
    const { status, stdout } = await weather('archive', 'forget', 'storm-events', '--json')
    expect({ status, ...JSON.parse(stdout) }).toEqual({
      status: 0,
      source: 'noaa_storm_events',
      records: 6,
      others: 0,
      versions: 0,
      versions_since: null,
    })
  })

  test('rejections are reported by reason, written to a file, and fail the command above 1 %', async () => {
    const file = inFolder('StormEvents_details-ftp_v1.0_d2014_c20150101.csv')
    const dated = { BEGIN_YEARMONTH: '201405', END_YEARMONTH: '201405' }
    const good = (from: number, count: number) => Array.from({ length: count }, (_, at) => row(from + at, dated))
    const zones = ['AAA', 'BBB', 'CCC', 'DDD'].map((zone, at) => row(9000 + at, { ...dated, CZ_TIMEZONE: zone }))
    const size = row(9100, { ...dated, MAGNITUDE: 'huge' })
    writeFileSync(file, csv(...good(2000, 300), ...zones, size))
    const all = inFolder('rejected.csv')
    const most = await weather('archive', 'import', 'storm-events', file, '--rejections', all)
    const name = path.basename(file)
    expect(most.stderr.split('\n')).toEqual([
      `${name}: 4 rows rejected: CZ_TIMEZONE "AAA" is not known`,
      '  line 302, EVENT_ID 9000',
      '  line 303, EVENT_ID 9001: CZ_TIMEZONE "BBB" is not known',
      '  line 304, EVENT_ID 9002: CZ_TIMEZONE "CCC" is not known',
      '  and 1 more',
      `${name}: 1 row rejected: MAGNITUDE "huge" is not a size or a speed`,
      '  line 306, EVENT_ID 9100',
      `${name}: 5 of 305 rows were rejected.`,
      '',
    ])
    expect(most.status).toBe(1)
    const lines = readFileSync(all, 'utf8').split('\r\n')
    expect([lines.length, lines[0], lines[5]]).toEqual([
      7,
      'file,row,reason',
      `${name},"line 306, EVENT_ID 9100","MAGNITUDE ""huge"" is not a size or a speed"`,
    ])
    writeFileSync(file, csv(...good(2000, 300), size))
    const few = await weather('archive', 'import', 'storm-events', file, '--json', '--rejections', all)
    expect(few.status).toBe(0)
    expect(JSON.parse(few.stdout).rejected_by_reason).toEqual([
      {
        reason: 'MAGNITUDE "huge" is not a size or a speed',
        count: 1,
        rows: [{ row: 'line 302, EVENT_ID 9100', reason: 'MAGNITUDE "huge" is not a size or a speed' }],
      },
    ])
    expect((await weather('archive', 'import', 'storm-events', file, '--rejections', inFolder('no/such/folder.csv'))).status).toBe(2)
    await weather('archive', 'forget', 'storm-events')
  })

  test('past radar days are imported one by one: faults are named, and a failure states where it stopped', async () => {
    const day = (at: string) =>
      `noaa-mrms-pds.s3.amazonaws.com/CONUS/MESH_Max_1440min_00.50/${at}/MRMS_MESH_Max_1440min_00.50_${at}-060000.grib2.gz`
    const listing = (...keys: string[]) => ({
      body: `<ListBucketResult><IsTruncated>false</IsTruncated>${keys.map((key) => `<Key>${key}</Key>`).join('')}</ListBucketResult>`,
    })
    feeds.answer((url) => {
      if (url === day('20201016')) return { body: 'Slow down' }
      if (url.endsWith('20201018%2F')) return { status: 503 }
      return url.includes('list-type') ? listing(...(url.endsWith('20201016%2F') ? [day('20201016')] : [])) : null
    })
    const walked = await weather('archive', 'sync', 'mesh', '--from', '2020-10-14', '--to', '2020-10-16', '--json')
    expect(JSON.parse(walked.stdout)).toEqual({
      ...{ from: '2020-10-14', to: '2020-10-16', days: 3, read: 0, held: 0, without_grid: 3, grids: 0, unusable: 1 },
    })
    expect([walked.status, walked.stderr]).toEqual([
      1,
      expect.stringContaining('2020-10-15: MRMS_MESH_Max_1440min_00.50_20201016-060000.grib2.gz: The file is not a readable radar grid'),
    ])
    const stopped = await weather('archive', 'sync', 'mesh', '--from', '2020-10-16', '--to', '2020-10')
    expect([stopped.status, stopped.stderr]).toEqual([
      1,
      expect.stringMatching(/1 of 16 days are done\. The same command continues from there\.\n.*503/),
    ])
  })

  test('radar days can be requested as months or days, from MESH only', async () => {
    const now = new Date('2024-03-02T09:00:00Z')
    expect(daysOf({ from: '2024-02' }, now).map((day) => day.slice(8))).toHaveLength(30)
    expect(daysOf({ from: '2024-02-28', to: '2024-02' }, now)).toEqual(['2024-02-28', '2024-02-29'])
    expect(daysOf({ from: '2024-03-01' }, new Date('2024-03-02T08:00:00Z'))).toEqual(['2024-03-01'])
    expect(() => daysOf({ from: '2024-03-01' }, new Date('2024-03-02T07:59:00Z'))).toThrow('nor later than yesterday')
    expect(() => daysOf({ from: '2024-03-01', to: '2024-02' }, now)).toThrow('must not be after the last')
    for (const wrong of [
      'mesh',
      'mesh --from 2020-13',
      'mesh --from 2020',
      'mesh --from 2020-10 --year 2020',
      'mesh --from 2020-10 --days --frames',
      'zones --frames',
    ])
      expect([wrong, (await weather('archive', 'sync', ...wrong.split(' '))).status]).toEqual([wrong, 2])
  })

  test('a radar day is saved as GeoJSON and as KML, and other programs read both', async () => {
    const { row, column } = gridCellAt(35.505, -97.505)
    const ring = [-1, 0, 1].flatMap((down) =>
      [-1, 0, 1].map((right) => ({ row: row + down, column: column + right, size_mm: down || right ? 26 : 80 })),
    )
    await storeFrame(world.app, 'noaa_mesh', frameOfCells(new Date('2025-05-28T23:00:00Z'), ring))
    await refreshMaps(world.app)
    const { token } = await aToken(world, await aTeam(world))
    const reader = await openTerminal({ WEATHER_URL: address, WEATHER_TOKEN: token })
    for (const format of ['geojson', 'kml']) {
      const file = inFolder(`storm.${format}`)
      expect((await reader('swaths', '2025-05-28', '--bbox=-98,35,-97,36', '--format', format, '--out', file)).status).toBe(0)
      if (spawnSync(READER, ['--version']).error) continue
      const { stdout } = spawnSync(READER, ['-al', file], { encoding: 'utf8' })
      expect([format, stdout]).toEqual([format, expect.stringMatching(/Feature Count: 2\n/)])
      // A band with a hole, and the cell in the hole: corners are at whole hundredths of a degree.
      expect(
        stdout.match(/MULTIPOLYGON.*|POLYGON.*|GEOMETRYCOLLECTION.*/g)?.map((shape) => shape.match(/\d+(\.\d+)? \d/g)?.length),
      ).toEqual([10, 5])
      expect(stdout).toContain('-97.52 35.52')
    }
    const kml = readFileSync(inFolder('storm.kml'), 'utf8')
    expect(kml.match(/<name>[^<]*<\/name>/g)).toEqual([
      '<name>Hail estimated by radar, 2025-05-28</name>',
      '<name>1.00 in up to 1.25 in</name>',
      '<name>2.75 in or more</name>',
    ])
    expect(kml.match(/nobody measured it/g)).toHaveLength(2)
    const wrong = await reader('swaths', '2025-02-30', '--format', 'kml', '--out', inFolder('none.kml'))
    expect([wrong.status, wrong.stderr, existsSync(inFolder('none.kml'))]).toEqual([7, expect.stringContaining('date'), false])
  })

  test('an unknown source, and a source without yearly files, are reported', async () => {
    const file = inFolder('x.csv')
    writeFileSync(file, 'a\n')
    const known = 'Known are storm-events, spc-reports, local-reports, mesh, radar-hail, warnings, observations, zones, sample'
    const unknown = await weather('archive', 'import', 'tea-leaves', file)
    expect([unknown.status, unknown.stderr]).toEqual([3, `weather: There is no source called tea-leaves. ${known}, address-points.\n`])
    const unforgotten = await weather('archive', 'forget', 'tea-leaves')
    expect([unforgotten.status, unforgotten.stderr]).toEqual([
      7,
      expect.stringContaining(`There is no source called tea-leaves. ${known}.`),
    ])
    expect((await weather('archive', 'sync', 'tea-leaves', '--year', '2020')).status).toBe(2)
    expect((await weather('archive', 'sync', 'storm-events', '--year', 'last')).status).toBe(2)
    expect((await weather('archive', 'sync', 'storm-events')).status).toBe(2)
  })
})
