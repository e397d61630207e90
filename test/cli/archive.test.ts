import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openApi } from '#rest/host.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { openTerminal, type Terminal } from './terminal.ts'

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

describe('the archive from the terminal', () => {
  let world: World
  let api: FastifyInstance
  let folder: string
  let weather: Terminal
  const inFolder = (name: string) => path.join(folder, name)

  beforeAll(async () => {
    world = await openWorld()
    api = await openApi(world.app)
    const url = await api.listen({ host: '127.0.0.1', port: 0 })
    folder = mkdtempSync(path.join(os.tmpdir(), 'weather-cli-'))
    weather = await openTerminal({ WEATHER_URL: url, WEATHER_OPERATOR_KEY: OPERATOR_KEY })
  })
  afterAll(async () => {
    await api?.close()
    await world?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('a file is read once: its rows are counted, the bad one named, a second reading changes nothing', async () => {
    const file = inFolder('StormEvents_details-ftp_v1.0_d2018_c20190101.csv.gz')
    writeFileSync(file, gzipSync(csv(row(1), row(2), row(3, { CZ_TIMEZONE: 'XYZ' }))))
    const first = await weather('archive', 'import', 'storm-events', file, '--json')
    expect(first.status).toBe(0)
    expect(JSON.parse(first.stdout)).toMatchObject({ file_name: path.basename(file), rows: 3, inserted: 2, rejected: 1 })
    expect(first.stderr).toMatch(/XYZ/)
    const again = await weather('archive', 'import', 'storm-events', file, '--json')
    expect(JSON.parse(again.stdout)).toMatchObject({ rows: 3, inserted: 0, updated: 0, unchanged: 2, rejected: 1 })
  })

  test('several files answer a list, as a table a line each', async () => {
    const files = ['StormEvents_details-ftp_v1.0_d2017_c20180101.csv', 'StormEvents_details-ftp_v1.0_d2016_c20170101.csv'].map(inFolder)
    files.forEach(
      (file, at) => void writeFileSync(file, csv(row(10 + at, { BEGIN_YEARMONTH: `${2017 - at}05`, END_YEARMONTH: `${2017 - at}05` }))),
    )
    const { stdout } = await weather('archive', 'import', 'storm-events', ...files)
    expect(stdout.split('\n')).toHaveLength(4)
    expect(stdout).toMatch(/^file +rows +inserted/)
    expect(JSON.parse((await weather('archive', 'import', 'storm-events', ...files, '--json')).stdout)).toHaveLength(2)
  })

  test('what is held stands by source, state and month', async () => {
    const { stdout } = await weather('archive', 'status', '--json')
    const held = JSON.parse(stdout).sources.find(({ slug }: { slug: string }) => slug === 'storm-events')
    expect(held).toMatchObject({ source: 'noaa_storm_events', records: 4, withdrawn: 0, to: '2018-05-20' })
    expect(held.states.find(({ state }: { state: string }) => state === 'TX').held.length).toBeGreaterThan(0)
    expect((await weather('archive', 'status')).stdout).toMatch(/storm-events +4/)
  })

  test('a gzip that is cut off is told, and nothing is lost', async () => {
    const file = inFolder('StormEvents_details-ftp_v1.0_d2018_c20190201.csv.gz')
    writeFileSync(file, gzipSync(csv(...Array.from({ length: 500 }, (_, at) => row(1000 + at)))).subarray(0, 1500))
    const { status, stderr, stdout } = await weather('archive', 'import', 'storm-events', file)
    expect({ status, stdout }).toEqual({ status: 7, stdout: '' })
    expect(stderr).toMatch(/cut off/)
  })

  test('address points come the same way', async () => {
    const file = inFolder('points.csv')
    writeFileSync(
      file,
      'LON,LAT,NUMBER,STREET,CITY,REGION,POSTCODE\n-96.82,33.15,12,Main St,Frisco,TX,75034\n,,13,Main St,Frisco,TX,75034\n',
    )
    const { status, stdout } = await weather('archive', 'import', 'address-points', file, '--json')
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ rows: 2, inserted: 1, rejected: 1 })
  })

  test('a source is forgotten', async () => {
    const { status, stdout } = await weather('archive', 'forget', 'storm-events', '--json')
    expect({ status, ...JSON.parse(stdout) }).toEqual({ status: 0, source: 'noaa_storm_events', records: 4 })
  })

  test('a source that nobody knows, and a source without a folder of years, are told', async () => {
    const file = inFolder('x.csv')
    writeFileSync(file, 'a\n')
    expect((await weather('archive', 'import', 'tea-leaves', file)).status).toBe(3)
    expect((await weather('archive', 'forget', 'tea-leaves')).status).toBe(7)
    expect((await weather('archive', 'sync', 'mesh', '--year', '2020')).status).toBe(7)
    expect((await weather('archive', 'sync', 'storm-events', '--year', 'last')).status).toBe(2)
  })
})
