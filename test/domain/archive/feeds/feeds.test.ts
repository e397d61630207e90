import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ImportOptions } from '#domain/archive/ingest/import.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { searchArchive } from '#domain/archive/search/search.ts'
import { runLane } from '#domain/monitoring/run-lane.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { DAY, HOUR } from '#test/support/clock.ts'
import { type FeedReply, type Feeds, noReports, openFeeds } from '#test/support/feeds.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { details } from '../files.ts'

let world: World
let feeds: Feeds
beforeEach(async () => {
  feeds = await openFeeds()
  world = await openWorld({ replace: { http: feeds.http }, config: { contact: 'weather@example.com' } })
  world.clock.set(new Date('2026-05-14T06:00:00Z'))
})
afterEach(async () => {
  await world.close()
  await feeds.close()
})

const read = (slug: string, file_name: string, text: string, options: Partial<ImportOptions> = {}) =>
  ingest(world.app, slug, Readable.from([Buffer.from(text)]), { file_name, ...options })
const rows = async (sql: string) => (await world.app.pool.query(sql)).rows
const current = () =>
  rows(
    'SELECT source_key, type, hail_size_in, wind_gust_mph, tornado_ef_scale, begins_at, occurred_on, severity, description FROM archive_records WHERE withdrawn_at IS NULL ORDER BY source_key',
  )

/** The inventory's response for a day without hail. */
const NO_HAIL = 'summary\ncount,0\ntotalTimeInSeconds,0.013\n'
const HAIL = 'Time,Size,Location,County,State,Lat,Lon,Comments\n'
const WIND = 'Time,Speed,Location,County,State,Lat,Lon,Comments\n'
const TORN = 'Time,F_Scale,Location,County,State,Lat,Lon,Comments\n'

describe('daily reports of the Storm Prediction Center (synthetic)', () => {
  const hail = `${HAIL}2105,175,2 N Plano,Collin,TX,33.05,-96.70,Golf balls, some larger (FWD)\n0340,100,Dallas,Dallas,TX,32.78,-96.80,(FWD)\n`

  it('state a tornado rated EFU as rated so, and an unknown rating as none', async () => {
    const rows = '2200,EFU,Wylie,Collin,TX,33.01,-96.53,No damage (FWD)\n2210,UNK,Lavon,Collin,TX,33.03,-96.43,(FWD)\n'
    await read('spc-reports', '260513_rpts_torn.csv', TORN + rows)
    expect((await current()).map(({ tornado_ef_scale, description }) => [tornado_ef_scale, description])).toEqual([
      [null, 'Wylie. No damage (FWD) Rated EFU by the source.'],
      [null, 'Lavon. (FWD)'],
    ])
  })

  it('cover 1200 to 1200 UTC, with hail in hundredths of an inch, gusts in mph, and UNK allowed', async () => {
    await read('spc-reports', '260513_rpts_hail.csv', hail)
    await read(
      'spc-reports',
      '260513_rpts_wind.csv',
      `${WIND}2110,UNK,Plano,Collin,TX,33.02,-96.70,Trees down (FWD)\n2112,65,Plano,Collin,TX,33.02,-96.71,(FWD)\n`,
    )
    await read('spc-reports', '260513_rpts_torn.csv', `${TORN}2200,EF1,Wylie,Collin,TX,33.01,-96.53,(FWD)\n`)
    expect(await current()).toMatchObject([
      {
        source_key: '20260513/hail/0340/TX-DALLAS/1',
        hail_size_in: 1,
        begins_at: new Date('2026-05-14T03:40:00Z'),
        occurred_on: '2026-05-13',
      },
      { source_key: '20260513/hail/2105/TX-COLLIN/1', hail_size_in: 1.75, begins_at: new Date('2026-05-13T21:05:00Z') },
      { type: 'tornado', tornado_ef_scale: 1 },
      { type: 'thunderstorm_wind', wind_gust_mph: null, severity: 'unknown' },
      { type: 'thunderstorm_wind', wind_gust_mph: 65, severity: 'moderate' },
    ])
    expect(
      await rows('SELECT DISTINCT description, citation_url, preliminary, evidence_kind FROM archive_records WHERE hail_size_in = 1.75'),
    ).toEqual([
      {
        description: '2 N Plano. Golf balls, some larger (FWD)',
        citation_url: 'https://www.spc.noaa.gov/climo/reports/260513_rpts.html',
        preliminary: true,
        evidence_kind: 'ground',
      },
    ])
  })

  it('keep their keys when amended, and are withdrawn when the list no longer has them', async () => {
    await read('spc-reports', '260513_rpts_hail.csv', hail)
    const amended = `${HAIL}2105,250,2 N Plano,Collin,TX,33.06,-96.70,Tennis balls (FWD)\n`
    expect(await read('spc-reports', '260513_rpts_hail.csv', amended)).toMatchObject({ inserted: 0, updated: 1, withdrawn: 1 })
    expect(await current()).toMatchObject([{ source_key: '20260513/hail/2105/TX-COLLIN/1', hail_size_in: 2.5 }])
    expect(await read('spc-reports', '260513_rpts_hail.csv', amended)).toMatchObject({ updated: 0, withdrawn: 0, unchanged: 1 })
  })

  it('withdraw nothing if the file is cut off or empty; a bad row affects only itself', async () => {
    await read('spc-reports', '260513_rpts_hail.csv', hail)
    await expect(read('spc-reports', '260513_rpts_hail.csv', hail.slice(0, 90))).rejects.toMatchObject({
      details: { errors: { file: ['The file is cut off within a line.'] } },
    })
    await read('spc-reports', '260513_rpts_hail.csv', HAIL)
    const tornado = `${TORN}2200,EF1,Wylie,Collin,TX,33.01,-96.53,(FWD)\n`
    // All lists in one file, cut off after the first.
    expect(await read('spc-reports', '260513_rpts.csv', tornado)).toMatchObject({ inserted: 1, withdrawn: 0 })
    expect(await read('spc-reports', '260513_rpts.csv', `${TORN}${WIND}${hail}`)).toMatchObject({ unchanged: 2, withdrawn: 1 })
    expect(await current()).toHaveLength(2)
    const faulty = `${hail}2500,100,X,Dallas,TX,32.7,-96.8,\n2100,big,X,Dallas,TX,32.7,-96.8,\n2100,100,X,Dallas,TX,0,0,\n`
    expect(await read('spc-reports', '260513_rpts_hail.csv', faulty)).toMatchObject({
      rows: 5,
      rejected: 3,
      withdrawn: 0,
      rejections: [
        { row: 'line 4', reason: 'its time "2500" is not a time of day' },
        { row: 'line 5', reason: 'its magnitude "big" is not a number' },
        { row: 'line 6', reason: 'its point is not on the earth' },
      ],
    })
  })

  it('are not withdrawn while their row is rejected; the others are', async () => {
    const golf = '2105,175,2 N Plano,Collin,TX,33.05,-96.70,Golf balls (FWD)\n'
    const quarter = '2105,100,Allen,Collin,TX,33.10,-96.67,(FWD)\n'
    const dallas = '0340,100,Dallas,Dallas,TX,32.78,-96.80,(FWD)\n'
    await read('spc-reports', '260513_rpts_hail.csv', `${HAIL}${golf}${quarter}${dallas}`)
    const inInches = golf.replace('175', '1.75')
    expect(await read('spc-reports', '260513_rpts_hail.csv', `${HAIL}${inInches}${quarter}`)).toMatchObject({ rejected: 1, withdrawn: 1 })
    expect(await current()).toMatchObject([
      { source_key: '20260513/hail/2105/TX-COLLIN/1', hail_size_in: 1.75 },
      { source_key: '20260513/hail/2105/TX-COLLIN/2', hail_size_in: 1 },
    ])
    const timeless = quarter.replace('2105', '21:05')
    const { withdrawn, notes } = await read('spc-reports', '260513_rpts_hail.csv', `${HAIL}${golf}${timeless}`)
    expect({ withdrawn, notes }).toEqual({
      withdrawn: 0,
      notes: [expect.stringMatching(/^Nothing was withdrawn: 1 rejected row/)],
    })
  })

  it('give a short reason for a rejected row, whatever the row contains', async () => {
    const faulty = `${hail}2200,${'😀'.repeat(1000)},Wylie,Collin,TX,33.01,-96.53,(FWD)\n`
    const { rejections } = await read('spc-reports', '260513_rpts_hail.csv', faulty)
    expect(rejections.map(({ reason }) => reason.length)).toEqual([299])
    expect(await rows('SELECT length(rejections::text) < 400 AS short FROM import_runs')).toEqual([{ short: true }])
  })
})

describe('radar hail of the severe weather data inventory (synthetic)', () => {
  const HEADER = '#ZTIME,LON,LAT,WSR_ID,CELL_ID,RANGE,AZIMUTH,SEVPROB,PROB,MAXSIZE\n'
  const text = `${HEADER}2026-05-13T21:05:03Z,-96.70,33.05,KFWS,A1,40,20,80,100,1.75\n20260513211003,-96.69,33.06,KFWS,A1,41,20,80,100,2.00\n2026-05-13T21:05:03Z,-96.7,33.05,KFWS,B2,40,20,0,10,-999\n`

  it('are estimates with a point, from the service and from the yearly files', async () => {
    expect(await read('radar-hail', 'nx3hail.csv', text)).toMatchObject({
      rows: 3,
      inserted: 2,
      rejected: 1,
      rejections: [{ reason: 'its size "-999" is not valid' }],
    })
    expect(
      await rows(
        'SELECT source_key, hail_size_in, evidence_kind, qualifier, is_observed, precision, state FROM archive_records ORDER BY source_key',
      ),
    ).toMatchObject([
      {
        source_key: '2026/KFWS/20260513210503/A1',
        hail_size_in: 1.75,
        evidence_kind: 'radar',
        qualifier: 'radar_estimated',
        is_observed: false,
        precision: 'point',
        state: 'TX',
      },
      { hail_size_in: 2 },
    ])
    expect(await read('radar-hail', 'nx3hail.csv', `${text}summary\ncount,3\n`)).toMatchObject({ inserted: 0, unchanged: 2 })
    const remarks = '# Severe Weather Data Inventory\n# Hail signatures, 2026\n'
    expect(await read('radar-hail', 'hail-2026.csv', remarks + text)).toMatchObject({ rows: 3, unchanged: 2 })
    await expect(read('radar-hail', 'hail-2026.csv', remarks)).rejects.toThrow('The file is empty.')
  })

  it("accept the service's own columns, and only the count for a day without hail", async () => {
    const answer =
      'ZTIME,WSR_ID,CELL_ID,PROB,SEVPROB,MAXSIZE,LAT,LON\n2026-05-13T21:05:03Z,KFWS,A1,100,80,1.75,33.05,-96.70\nsummary\ncount,1\ntotalTimeInSeconds,0.032\n'
    expect(await read('radar-hail', 'nx3hail.csv', answer)).toMatchObject({ rows: 1, inserted: 1, rejected: 0 })
    expect(await rows('SELECT source_key, hail_size_in, latitude, longitude FROM archive_records')).toEqual([
      { source_key: '2026/KFWS/20260513210503/A1', hail_size_in: 1.75, latitude: 33.05, longitude: -96.7 },
    ])
    expect(await read('radar-hail', 'nx3hail.csv', 'summary\ncount,0\ntotalTimeInSeconds,0.013\n')).toMatchObject({ rows: 0 })
    await expect(read('radar-hail', 'nx3hail.csv', 'error,ERROR VALIDATING RANGE\n')).rejects.toThrow('does not begin with the header')
    const twice = 'ZTIME,WSR_ID,CELL_ID,PROB,MAXSIZE,MAXSIZE,LAT,LON\n'
    await expect(read('radar-hail', 'nx3hail.csv', twice)).rejects.toThrow('The file has the column MAXSIZE twice.')
  })

  it('of a nonexistent day are refused', async () => {
    const row = '2026-02-30T21:05:03Z,-96.70,33.05,KFWS,A1,40,20,80,100,1.75\n'
    await expect(read('radar-hail', 'nx3hail.csv', HEADER + row)).rejects.toThrow('its time "2026-02-30T21:05:03Z" is not valid')
  })

  it('that state more rows than they contain are refused', async () => {
    await expect(read('radar-hail', 'nx3hail.csv', `${text}summary\ncount,4\n`)).rejects.toMatchObject({
      details: { errors: { file: [expect.stringContaining('it states 4 rows and has 3')] } },
    })
  })
})

describe('observations', () => {
  const stations = JSON.stringify({
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [-97.04, 32.9] },
        properties: { stationIdentifier: 'KDFW', name: 'Dallas/Fort Worth' },
      },
    ],
  })
  const metar = `SAUS44 KFWD 132053\nMETAR KDFW 132053Z 18020G35KT 10SM CLR 30/20 A2992 RMK AO2 P0012=\nSPECI KDFW 132035Z 18030G52KT 2SM TSRA BKN030 25/20 A2995 RMK AO2 PK WND 18061/2033 P0005=\nMETAR KXXX 132053Z 18020KT 10SM CLR 30/20 A2992=\n`

  it('of one hour are combined: the largest gust at its time, and the largest precipitation', async () => {
    await read('observations', 'stations.geojson', stations)
    const first = await read('observations', 'metar-2026-05.txt', metar)
    expect(first).toMatchObject({
      rows: 3,
      inserted: 1,
      rejected: 1,
      rejections: [{ reason: expect.stringContaining('place of the station is not known') }],
    })
    const sql = 'SELECT station_id, observed_at, wind_gust_mph, precipitation_in, span_start::int, span_length FROM observations'
    const report = 'SPECI KDFW 132035Z 18030G52KT 2SM TSRA BKN030 25/20 A2995 RMK AO2 PK WND 18061/2033 P0005'
    const span = { span_start: metar.indexOf(report), span_length: report.length }
    const expected = [
      { station_id: 'KDFW', observed_at: new Date('2026-05-13T20:35:00Z'), wind_gust_mph: 70, precipitation_in: 0.12, ...span },
    ]
    expect(await rows(sql)).toEqual(expected)
    expect(await read('observations', 'metar-2026-05.txt', metar)).toMatchObject({ inserted: 0, updated: 0 })
    expect(await rows(sql)).toEqual(expected)
    expect(await rows('SELECT source, state, day FROM coverage_days')).toEqual([{ source: 'asos', state: 'TX', day: '2026-05-13' }])
  })

  it('need a month in the file name', async () => {
    await expect(read('observations', 'metar.txt', metar)).rejects.toMatchObject({
      details: { errors: { file: [expect.stringContaining('file name must state their month')] } },
    })
  })
})

describe('the record lane', () => {
  const lsr = (size: number): FeedReply => ({
    body: JSON.stringify({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          geometry: { type: 'Point', coordinates: [-96.7, 33.05] },
          properties: {
            valid: '2026-05-13T21:05:00Z',
            magnitude: size,
            city: '2 N Plano',
            county: 'Collin',
            state: 'TX',
            remark: null,
            typetext: 'HAIL',
            product_id: '202605132110-KFWD-NWUS54-LSRFWD',
            unit: 'Inch',
            qualifier: 'M',
          },
        },
      ],
    }),
  })
  const answer = (spc: FeedReply | null, absent = /^$/) =>
    feeds.answer((path) => {
      if (absent.test(path)) return null
      if (path.startsWith('mesonet.agron.iastate.edu/geojson/lsr.geojson')) return lsr(1.75)
      if (path.endsWith('260513_rpts_hail.csv')) return spc ?? { body: `${HAIL}2105,175,2 N Plano,Collin,TX,33.05,-96.70,\n` }
      if (path.startsWith('www.spc.noaa.gov')) return spc ?? noReports(path)
      if (path.startsWith('www.ncei.noaa.gov')) return { body: `<a href="${details(1950)}"></a>` }
      return null
    })

  const frisco = {
    latitude: 33.1507,
    longitude: -96.8236,
    precision: 'point',
    city: 'Frisco',
    state: 'TX',
    postal_code: '75034',
    county_fips: '48085',
    timezone: 'America/Chicago',
  } as LocatedPlace
  /** The coverage that a report would show without local reports. */
  const coverage = async (end: string, as_of: Date | null = null) => {
    await world.app.pool.query("DELETE FROM coverage WHERE source = 'nws_lsr'")
    const window = { start: '2026-05-01', end, radius_miles: 5 }
    return (await searchArchive(world.app, frisco, window, as_of)).coverage
  }

  it('reads whole months from the first; a failed feed affects only itself and is caught up later', async () => {
    answer({ status: 500 })
    expect(await runLane(world.app, 'record')).toMatchObject({
      status: 'failed',
      candidates: 1,
      watermark: null,
      failure_reason: expect.stringMatching(/^NOAA Storm Prediction Center daily reports: .* answered 500\.$/),
    })
    expect(feeds.requests.filter(({ path }) => path.includes('lsr.geojson')).map(({ path }) => path.split('?')[1])).toEqual([
      'sts=202601010000&ets=202602010000',
      'sts=202602010000&ets=202603010000',
      'sts=202603010000&ets=202604010000',
      'sts=202604010000&ets=202605010000',
      'sts=202605010000&ets=202605140600',
    ])
    expect(await rows("SELECT DISTINCT source, to_char(month, 'YYYY-MM') AS month, preliminary FROM coverage ORDER BY month")).toEqual(
      ['2026-01', '2026-02', '2026-03', '2026-04', '2026-05'].map((month) => ({ source: 'nws_lsr', month, preliminary: true })),
    )
    world.clock.advance(HOUR)
    answer(null)
    expect(await runLane(world.app, 'record')).toMatchObject({
      status: 'complete',
      candidates: 1,
      failure_reason: null,
      watermark: expect.stringContaining('2026-05-14'),
    })
    expect(await rows('SELECT source FROM archive_records ORDER BY source')).toEqual([
      { source: 'noaa_spc_reports' },
      { source: 'nws_lsr' },
    ])
    expect(await rows("SELECT DISTINCT to_char(month, 'YYYY-MM') AS month FROM coverage WHERE source = 'noaa_spc_reports'")).toEqual([
      { month: '2026-05' },
    ])
  })

  it('does not count a missing month as read, and requests it again', async () => {
    answer(null)
    feeds.answer((path) => (path.includes('sts=202603010000') ? null : path.includes('lsr.geojson') ? lsr(1.75) : null))
    expect(await runLane(world.app, 'record')).toMatchObject({
      status: 'failed',
      watermark: null,
      failure_reason: expect.stringMatching(/local storm reports: mesonet\.agron\.iastate\.edu has nothing at .*sts=202603010000/),
    })
    const months = "SELECT DISTINCT to_char(month, 'YYYY-MM') AS month FROM coverage WHERE source = 'nws_lsr' ORDER BY month"
    expect(await rows(months)).toEqual([{ month: '2026-01' }, { month: '2026-02' }])
    world.clock.advance(HOUR)
    answer(null)
    await runLane(world.app, 'record')
    expect((await rows(months)).map(({ month }) => month)).toEqual(['2026-01', '2026-02', '2026-03', '2026-04', '2026-05'])
  })

  describe('a day without a Storm Prediction Center list', () => {
    const missing = /2605(02|04)_rpts_/
    beforeEach(() => world.clock.set(new Date('2026-05-05T13:00:00Z')))

    it('is not held until the list appears, however long that takes', async () => {
      answer(null, missing)
      for (const days of [1, 1, 5]) {
        expect(await runLane(world.app, 'record')).toMatchObject({
          status: 'failed',
          failure_reason: expect.stringMatching(/www\.spc\.noaa\.gov has nothing at .*260502_rpts_torn\.csv\.$/),
        })
        world.clock.advance(days * DAY)
      }
      expect(await coverage('2026-05-10')).toMatchObject({ complete: false, in_part: [{ from: '2026-05', to: '2026-05' }] })
      expect(await coverage('2026-05-02')).toMatchObject({ complete: false, in_part: [{ from: '2026-05', to: '2026-05' }] })
      expect(await coverage('2026-05-01')).toMatchObject({ complete: true, in_part: [], missing: [] })
      answer(null)
      expect(await runLane(world.app, 'record')).toMatchObject({ status: 'complete' })
      expect(await coverage('2026-05-10')).toMatchObject({ complete: true, in_part: [], missing: [] })
    })

    it('or with one that cannot be used is not held, and the later days are read', async () => {
      feeds.answer((path) => {
        if (path.includes('260502_rpts_hail')) return { body: '<html><body>Under maintenance</body></html>' }
        if (path.includes('260504_rpts_hail')) return { body: `${HAIL}2105,175,2 N Plano,Collin,TX,33.05,-96.70,\n` }
        return path.startsWith('www.spc.noaa.gov') ? noReports(path) : path.includes('lsr.geojson') ? lsr(1.75) : null
      })
      for (const hours of [1, 1]) {
        expect(await runLane(world.app, 'record')).toMatchObject({
          status: 'failed',
          failure_reason: expect.stringMatching(/daily reports: This is not a daily list/),
        })
        world.clock.advance(hours * HOUR)
      }
      expect(await rows("SELECT source_key FROM archive_records WHERE source = 'noaa_spc_reports'")).toEqual([
        { source_key: '20260504/hail/2105/TX-COLLIN/1' },
      ])
      expect(await coverage('2026-05-02')).toMatchObject({ complete: false, in_part: [{ from: '2026-05', to: '2026-05' }] })
      answer(null)
      expect(await runLane(world.app, 'record')).toMatchObject({ status: 'complete' })
      expect(await coverage('2026-05-04')).toMatchObject({ complete: true })
    })

    it('is not held if it is the first of its month', async () => {
      answer(null, /260501_rpts_wind/)
      await runLane(world.app, 'record')
      expect(await coverage('2026-05-04')).toMatchObject({ complete: false, missing: [{ from: '2026-05', to: '2026-05' }] })
    })

    it('is no longer awaited once the final record covers the day', async () => {
      answer(null, missing)
      await runLane(world.app, 'record')
      world.clock.advance(122 * DAY)
      answer({ status: 304 }, missing)
      expect(await runLane(world.app, 'record')).toMatchObject({ status: 'complete' })
    })

    it('is no failure while the day is running or after the day was fully read', async () => {
      answer(null, /260505_rpts_/)
      expect(await runLane(world.app, 'record')).toMatchObject({ status: 'complete' })
      expect(await coverage('2026-05-05')).toMatchObject({ complete: false })
      answer(null)
      world.clock.set(new Date('2026-05-06T13:00:00Z'))
      expect(await runLane(world.app, 'record')).toMatchObject({ status: 'complete' })
      answer(null, missing)
      world.clock.advance(HOUR)
      expect(await runLane(world.app, 'record')).toMatchObject({ status: 'complete' })
      expect(await coverage('2026-05-05')).toMatchObject({ complete: true })
    })
  })

  it('requests the local reports of the last three days, and once a day those of a month, for the surveys', async () => {
    answer(null)
    await runLane(world.app, 'record')
    const spans = async (later: number) => {
      const before = feeds.requests.length
      world.clock.advance(later)
      await runLane(world.app, 'record')
      return feeds.requests.slice(before).flatMap(({ path }) => /sts=.*/.exec(path) ?? [])
    }
    expect(await spans(HOUR)).toEqual(['sts=202605110600&ets=202605140700'])
    expect(await spans(17 * HOUR)).toEqual(['sts=202604140700&ets=202605010000', 'sts=202605010000&ets=202605150000'])
    feeds.answer((path) => (path.includes('sts=202605') ? { status: 500 } : path.includes('lsr.geojson') ? lsr(1.75) : { status: 304 }))
    expect(await spans(DAY)).toContain('sts=202604150000&ets=202605010000')
    answer(null)
    expect(await spans(HOUR)).toEqual(['sts=202604150000&ets=202605010000', 'sts=202605010000&ets=202605160100'])
    expect(await spans(HOUR)).toEqual(['sts=202605130100&ets=202605160200'])
  })

  it('requests each half of a span that has more local reports than one response holds', async () => {
    answer(null)
    await runLane(world.app, 'record')
    world.clock.advance(16 * HOUR)
    const before = feeds.requests.length
    const at = (text: string | null) =>
      Date.parse(`${text?.slice(0, 4)}-${text?.slice(4, 6)}-${text?.slice(6, 8)}T${text?.slice(8, 10)}:${text?.slice(10)}Z`)
    feeds.answer((path) => {
      if (!path.includes('lsr.geojson')) return { status: 304 }
      const span = new URL(`https://${path}`).searchParams
      if (at(span.get('ets')) - at(span.get('sts')) <= DAY) return lsr(2)
      return { body: JSON.stringify({ type: 'FeatureCollection', features: new Array(10_000).fill(0) }) }
    })
    await runLane(world.app, 'record')
    const spans = feeds.requests.slice(before).flatMap(({ path }) => /sts=.*/.exec(path) ?? [])
    expect(spans).toEqual([
      'sts=202605110600&ets=202605142200',
      'sts=202605110600&ets=202605130200',
      'sts=202605110600&ets=202605120400',
      'sts=202605120400&ets=202605130200',
      'sts=202605130200&ets=202605142200',
      'sts=202605130200&ets=202605140000',
      'sts=202605140000&ets=202605142200',
    ])
    expect(await rows("SELECT hail_size_in FROM archive_records WHERE source = 'nws_lsr'")).toEqual([{ hail_size_in: 2 }])
  })

  it('holds the day on which reading stopped only while the feed is current', async () => {
    answer(null)
    await runLane(world.app, 'record')
    world.clock.advance(2 * HOUR)
    expect(await coverage('2026-05-14')).toMatchObject({ complete: true })
    world.clock.advance(2 * HOUR)
    expect(await coverage('2026-05-14')).toMatchObject({ complete: false, in_part: [{ from: '2026-05', to: '2026-05' }] })
    expect(await coverage('2026-05-13')).toMatchObject({ complete: true })
    expect(await coverage('2026-05-14', new Date('2026-05-14T08:00:00Z'))).toMatchObject({ complete: true })
  })

  it('resumes from where reading stopped, however long ago', async () => {
    answer(null)
    await runLane(world.app, 'record')
    const before = feeds.requests.length
    world.clock.advance(130 * DAY)
    feeds.answer((path) => (path.includes('lsr.geojson') ? lsr(1.75) : null))
    await runLane(world.app, 'record')
    const paths = feeds.requests.slice(before).map(({ path }) => path)
    expect(paths.find((path) => path.includes('_rpts_'))).toContain('260507_rpts_')
    expect(paths.find((path) => path.includes('lsr.geojson'))).toContain('sts=202604140600&ets=202605010000')
  })

  it('reads all that it missed after days without a run', async () => {
    answer(null)
    await runLane(world.app, 'record')
    const before = feeds.requests.length
    world.clock.advance(9 * DAY)
    await runLane(world.app, 'record')
    const days = feeds.requests
      .slice(before)
      .filter(({ path }) => path.includes('_rpts_hail'))
      .map(({ path }) => path.match(/\d{6}/)?.[0])
    expect([days[0], days.at(-1)]).toEqual(['260507', '260522'])
  })
})

it('a missing day of radar hail leaves the two local days that it overlaps not held; the days around them are held', async () => {
  feeds.answer((path) => (path.includes('/nx3hail/') && !path.includes('/20260508:') ? { body: NO_HAIL } : null))
  for (const days of [1, 1, 6]) {
    await runLane(world.app, 'surfaces')
    world.clock.advance(days * DAY)
  }
  expect(
    await rows(
      "SELECT day::text FROM coverage_days WHERE source = 'nexrad_hail' AND state = 'TX' AND day BETWEEN '2026-05-05' AND '2026-05-10' ORDER BY day",
    ),
  ).toEqual(['2026-05-05', '2026-05-06', '2026-05-09', '2026-05-10'].map((day) => ({ day })))
})

it('requests each strip of longitude of a day with more radar hail than one response holds', async () => {
  const HEADER = 'ZTIME,WSR_ID,CELL_ID,PROB,SEVPROB,MAXSIZE,LAT,LON\n'
  const many = `${HEADER}${'2026-05-13T00:00:00Z,KFWS,A1,100,80,1.75,33.05,-96.70\n'.repeat(10_000)}summary\ncount,10000\n`
  const busy = (path: string) => /20260513:20260514(\?bbox=-180,-90,0,90)?$/.test(path)
  feeds.answer((path) => {
    if (!path.includes('/nx3hail/')) return null
    if (busy(path)) return { body: many }
    const [, west] = /bbox=(-?\d+)/.exec(path) ?? []
    const row = west === '-90' ? '2026-05-13T21:05:03Z,KBMX,B2,100,80,2.00,33.4,-86.8\n' : ''
    return { body: `${HEADER}${row}summary\ncount,${row ? 1 : 0}\n` }
  })
  await runLane(world.app, 'surfaces')
  const queries = feeds.requests.flatMap(({ path }) => /20260513:20260514(.*)/.exec(path)?.[1] ?? [])
  expect(queries).toEqual(['', '?bbox=-180,-90,0,90', '?bbox=-180,-90,-90,90', '?bbox=-90,-90,0,90', '?bbox=0,-90,180,90'])
  expect(await rows('SELECT source_key FROM archive_records')).toEqual([{ source_key: '2026/KBMX/20260513210503/B2' }])
})

it('a day of radar hail with a missing strip is not held, is reported, and is requested again in the next pass', async () => {
  const HEADER = 'ZTIME,WSR_ID,CELL_ID,PROB,SEVPROB,MAXSIZE,LAT,LON\n'
  const many = `${HEADER}${'2026-05-02T00:00:00Z,KFWS,A1,100,80,1.75,33.05,-96.70\n'.repeat(10_000)}summary\ncount,10000\n`
  let missing = true
  feeds.answer((path) => {
    if (path === 'mrms.ncep.noaa.gov/data/2D/MESH/') return null
    if (!path.includes('/nx3hail/')) return null
    if (/20260502:20260503$/.test(path)) return { body: many }
    return missing && path.includes('bbox=0,') ? null : { body: NO_HAIL }
  })
  const coveredDays = async () =>
    (
      await rows(
        "SELECT day::text FROM coverage_days WHERE source = 'nexrad_hail' AND state = 'TX' AND day BETWEEN '2026-04-30' AND '2026-05-05' ORDER BY day",
      )
    ).map(({ day }) => day)
  const run = await runLane(world.app, 'surfaces')
  expect(run?.failure_reason).toContain('NOAA NEXRAD hail signatures: www.ncei.noaa.gov answered 404')
  expect(await coveredDays()).toEqual(['2026-04-30', '2026-05-03', '2026-05-04', '2026-05-05'])
  missing = false
  world.clock.advance(DAY)
  expect((await runLane(world.app, 'surfaces'))?.failure_reason).not.toContain('hail signatures')
  expect(await coveredDays()).toEqual(['2026-04-30', '2026-05-01', '2026-05-02', '2026-05-03', '2026-05-04', '2026-05-05'])
})

it('the days after a day of radar hail whose list cannot be used are read, and that day again in the next pass', async () => {
  let damaged = true
  feeds.answer((path) => {
    if (!path.startsWith('www.ncei.noaa.gov/swdiws')) return null
    return { body: damaged && path.includes('20260510:20260511') ? '<html>busy</html>' : NO_HAIL }
  })
  const coveredDays = async () =>
    (
      await rows("SELECT day::text FROM coverage_days WHERE source = 'nexrad_hail' AND state = 'TX' AND day > '2026-05-06' ORDER BY day")
    ).map(({ day }) => day.slice(-2))
  expect((await runLane(world.app, 'surfaces'))?.failure_reason).toContain('This is not a list of radar hail')
  expect(await coveredDays()).toEqual(['07', '08', '11', '12'])
  damaged = false
  feeds.requests.length = 0
  expect((await runLane(world.app, 'surfaces'))?.failure_reason).not.toContain('hail signatures')
  expect(feeds.requests.filter(({ path }) => path.includes('/nx3hail/'))).toHaveLength(6)
  expect(await coveredDays()).toEqual(['07', '08', '09', '10', '11', '12'])
})

const grids = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'mrms')
const gridsPresent = existsSync(grids)

describe.skipIf(!gridsPresent)(`the surfaces lane${gridsPresent ? '' : ' (skipped: real records not present)'}`, () => {
  const bytes = gridsPresent ? gzipSync(readFileSync(path.join(grids, 'MRMS_MESH_00.50_20240228-025239.grib2'))) : Buffer.alloc(0)
  const listing = (...times: string[]) => times.map((time) => `<a href="MRMS_MESH_00.50_${time}.grib2.gz">`).join('\n')
  const answer = (times: string[], gridAt: (path: string) => FeedReply = () => ({ body: bytes })) =>
    feeds.answer((path) => {
      if (path === 'mrms.ncep.noaa.gov/data/2D/MESH/') return { body: listing(...times) }
      if (path.startsWith('mrms.ncep.noaa.gov')) return gridAt(path)
      return path.startsWith('www.ncei.noaa.gov/swdiws') ? { body: NO_HAIL } : null
    })
  const cutOff = { body: bytes.subarray(0, 3000) }

  it('reads new grids, retries a cut-off grid in the next run, and reports a folder that goes back in time', async () => {
    world.clock.set(new Date('2024-02-28T03:00:00Z'))
    answer(['20240228-015000', '20240228-025239'], () => cutOff)
    expect(await runLane(world.app, 'surfaces')).toMatchObject({
      status: 'failed',
      candidates: 0,
      failure_reason: expect.stringContaining('cut off'),
    })
    expect(await rows('SELECT FROM radar_frames')).toEqual([])
    answer(['20240228-015000', '20240228-025239'])
    expect(await runLane(world.app, 'surfaces')).toMatchObject({ status: 'complete', candidates: 1, failure_reason: null })
    expect(await rows('SELECT valid_at, cells FROM radar_frames')).toEqual([{ valid_at: new Date('2024-02-28T02:52:39Z'), cells: 1943 }])
    expect(await runLane(world.app, 'surfaces')).toMatchObject({ status: 'complete', candidates: 0 })
    answer(['20240228-025239', '20990228-025239'])
    for (let pass = 0; pass < 2; pass++) expect(await runLane(world.app, 'surfaces')).toMatchObject({ status: 'complete', candidates: 0 })
    answer(['20240227-015000'])
    expect(await runLane(world.app, 'surfaces')).toMatchObject({
      status: 'failed',
      failure_reason: expect.stringContaining('went back in time'),
    })
  })

  it('reads the grids after one that cannot be used, and requests that one again for an hour', async () => {
    world.clock.set(new Date('2024-02-28T03:00:00Z'))
    const mark = new Date('2024-02-28T02:00:00Z')
    await world.app.pool.query("INSERT INTO feed_states (url, source, watermark, checked_at) VALUES ('noaa_mesh', 'noaa_mesh', $1, $1)", [
      mark,
    ])
    answer(['20240228-015000', '20240228-021000', '20240228-025239'], (path) =>
      path.includes('20240228-021000') ? cutOff : { body: bytes },
    )
    const failed = { status: 'failed', failure_reason: expect.stringContaining('cut off') }
    const watermark = async () => (await rows("SELECT watermark FROM feed_states WHERE url = 'noaa_mesh'"))[0].watermark
    expect(await runLane(world.app, 'surfaces')).toMatchObject({ ...failed, candidates: 1 })
    expect(await watermark()).toEqual(mark)
    world.clock.advance(HOUR / 4)
    expect(await runLane(world.app, 'surfaces')).toMatchObject({ ...failed, candidates: 0 })
    expect(await watermark()).toEqual(new Date('2024-02-28T02:52:39Z'))
    expect(await runLane(world.app, 'surfaces')).toMatchObject({ status: 'complete' })
  })

  it('reports a folder without a new grid for over a day by its newest grid, not as one that went back in time', async () => {
    world.clock.set(new Date('2024-02-28T03:00:00Z'))
    answer(['20240228-015000', '20240228-025239'])
    expect(await runLane(world.app, 'surfaces')).toMatchObject({ status: 'complete', candidates: 1 })
    world.clock.advance(25 * HOUR)
    expect(await runLane(world.app, 'surfaces')).toMatchObject({
      status: 'failed',
      failure_reason: expect.stringMatching(/: its newest grid is of 2024-02-28T02:52:39\.000Z\.$/),
    })
  })
})
