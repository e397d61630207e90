import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, describe, expect, it } from 'vitest'
import { recountDays } from '#domain/archive/coverage/recount-days.ts'
import { uncheckedYears } from '#domain/archive/coverage/unchecked-years.ts'
import { unplacedStates } from '#domain/archive/coverage/unplaced-zones.ts'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { frameOfCells } from '#domain/archive/radar/frame.ts'
import { deleteOldFrames, storeFrame } from '#domain/archive/radar/frames.ts'
import { gridCellAt } from '#domain/archive/radar/grid.ts'
import { archiveStatus } from '#domain/archive/status.ts'
import { ORDINARY } from '#domain/engines/pool.ts'
import { daysAt, daysBetween } from '#domain/geo/state-days.ts'
import { states } from '#domain/geo/states.ts'
import { reissueDurable } from '#domain/kernel/durable-jobs.ts'
import { refreshMaps } from '#domain/maps/pyramid.ts'
import { findReport } from '#domain/reports/find.ts'
import { requestReport } from '#domain/reports/request.ts'
import { DAY } from '#test/support/clock.ts'
import { aCaller, aTeam } from '#test/support/factories.ts'
import { severeWarning } from '#test/support/severe-warning.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { detailsText, importText } from '../files.ts'

const grids = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'mrms')
const present = existsSync(grids)
const skipped = present ? '' : ' (skipped: real records not present)'
const oneMoment = 'MRMS_MESH_00.50_20240228-025239.grib2'
const ofOneDay = 'MRMS_MESH_Max_1440min_00.50_20240228-100000.grib2'

let world: World
beforeEach(async () => {
  world = await openWorld()
  world.clock.set('2026-06-01T12:00:00Z')
})

const coveredDays = async (): Promise<string[]> =>
  (await world.app.pool.query('SELECT source, state, day, moments FROM coverage_days ORDER BY source, day, state')).rows.map((row) =>
    Object.values(row).join(' '),
  )

async function reportOn(address: string, window_start: string, window_end: string) {
  const caller = await aCaller(world, await aTeam(world))
  const { id } = (await requestReport(world.app, caller, { address, window_start, window_end, radius_miles: 5 }, null)).report
  await world.drain()
  return findReport(world.app, caller, id)
}

/** A storm warning as api.weather.gov sends it, without a polygon, for the counties of these codes. */
function alert(number: number, sent: string, ...codes: string[]): string {
  const stamp = (at: string) => at.replace(/[-:]/g, '').slice(2, 11).concat('00Z')
  const ends = new Date(Date.parse(sent) + 3_600_000).toISOString()
  const properties = {
    id: `urn:oid:2.49.0.1.840.0.${number}`,
    areaDesc: 'Somewhere',
    geocode: { UGC: codes },
    sent,
    onset: sent,
    expires: ends,
    ends,
    ...severeWarning,
    senderName: 'NWS',
    headline: null,
    instruction: null,
    parameters: { VTEC: [`/O.NEW.KEPZ.SV.W.${String(number).padStart(4, '0')}.${stamp(sent)}-${stamp(ends)}/`] },
  }
  return JSON.stringify({ type: 'FeatureCollection', features: [{ type: 'Feature', geometry: null, properties }] })
}
const readText = (slug: string, text: string, file_name: string) =>
  ingest(world.app, slug, Readable.from([Buffer.from(text)]), { file_name, quiet: true })
const readAlert = (...args: Parameters<typeof alert>) => readText('warnings', alert(...args), 'alerts.geojson')

const KELP = 'El Paso, TX 79901'
const stationAt = (id: string, longitude: number, latitude: number) => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [longitude, latitude] },
  properties: { stationIdentifier: id, name: id },
})
const listOf = (...stations: object[]) => JSON.stringify({ type: 'FeatureCollection', features: stations })

describe('warnings', () => {
  it('of another state are not searched for a place and do not change its fingerprint', async () => {
    await importText(world, detailsText({}), { quiet: true })
    const before = await reportOn(KELP, '2019-03-01', '2019-03-31')
    expect(before.coverage.sources_searched).toEqual(['noaa_storm_events'])
    // New Mexico is within five miles of El Paso, Arkansas is far away.
    await readAlert(1, '2019-03-24T21:00:00Z', 'NMC013')
    await readAlert(2, '2019-03-24T21:00:00Z', 'ARC119')
    expect(await reportOn(KELP, '2019-03-01', '2019-03-31')).toMatchObject({
      coverage: before.coverage,
      fingerprint: before.fingerprint,
    })
    await readAlert(3, '2019-03-24T21:00:00Z', 'TXC141')
    const after = await reportOn(KELP, '2019-03-01', '2019-03-31')
    expect(after.coverage.sources_searched).toEqual(['noaa_storm_events', 'nws_warnings'])
    expect((await reportOn(KELP, '2019-03-01', '2019-03-23')).coverage.sources_searched).toEqual(['noaa_storm_events'])
  })

  it('are held on the local day of each message, in the states that it names', async () => {
    await readAlert(1, '2026-05-29T03:30:00Z', 'NMC013', 'TXC141', 'ARC119')
    await readAlert(2, '2026-05-29T05:30:00Z', 'TXC113')
    expect(await coveredDays()).toEqual([
      'nws_warnings AR 2026-05-28 0',
      'nws_warnings NM 2026-05-28 0',
      'nws_warnings TX 2026-05-28 0',
      // At half past midnight in Dallas it is still the day before in El Paso.
      'nws_warnings TX 2026-05-29 0',
    ])
  })
})

describe('observations', () => {
  const metar = (station: string, stamp: string) => `METAR ${station} ${stamp}Z 18020G35KT 10SM CLR 30/20 A2992=\n`

  it('are held on the days on which stations of the state reported, not on every day of every file', async () => {
    await readText('observations', listOf(stationAt('KDFW', -97.04, 32.9), stationAt('KABQ', -106.6, 35.04)), 'stations.geojson')
    await readText('observations', metar('KDFW', '130353') + metar('KABQ', '152053'), 'metar-2026-05.txt')
    expect(await coveredDays()).toEqual(['asos TX 2026-05-12 0', 'asos NM 2026-05-15 0'])
  })

  it('of a station used for a place are searched even if it is in the next state', async () => {
    await readText('observations', listOf(stationAt('KDNA', -106.69, 31.88)), 'stations.geojson')
    await readText('observations', metar('KDNA', '152053'), 'metar-2026-05.txt')
    expect(await coveredDays()).toEqual(['asos NM 2026-05-15 0'])
    expect(await reportOn(KELP, '2026-05-15', '2026-05-15')).toMatchObject({
      observation_count: 1,
      coverage: { sources_searched: ['asos'] },
    })
    expect((await reportOn(KELP, '2026-05-14', '2026-05-14')).coverage.sources_searched).toEqual([])
  })
})

/** A frame with some hail around a point. */
const frameAt = (at: string, latitude: number, longitude: number) =>
  frameOfCells(new Date(at), [{ ...gridCellAt(latitude, longitude), size_mm: 30 }])
const dallas = [32.78, -96.8] as const

describe('radar', () => {
  it('is held for each state and moment that a frame covers', async () => {
    await storeFrame(world.app, 'noaa_mesh', frameAt('2026-05-28T23:00:00Z', ...dallas))
    await storeFrame(world.app, 'noaa_mesh', frameAt('2026-05-28T23:02:00Z', ...dallas))
    await storeFrame(world.app, 'noaa_mesh', frameAt('2026-05-28T23:02:00Z', ...dallas))
    await storeFrame(world.app, 'noaa_mesh', { ...frameAt('2026-05-28T23:04:00Z', ...dallas), product: 'mesh_max_1440min' })
    expect(await coveredDays()).toEqual(['noaa_mesh TX 2026-05-28 2'])
    const summary = async (address: string, from = '2026-05-01', to = '2026-05-31') => (await reportOn(address, from, to)).coverage.summary
    expect(await summary('Houston, TX 77002')).toContain(
      '; no radar coverage; 1 radar grid of the largest of 24 hours held that spans two dates.',
    )
    expect(await summary('Dallas, TX 75201')).toContain('; radar held for 1 of 31 days (2 moments); 1 radar grid')
    expect(await summary('Dallas, TX 75201', '2026-05-01', '2026-05-26')).toMatch(/; radar not held\. 0 sources/)
    expect(await summary('Omaha, NE 68102')).toContain('; radar not held;')
  })

  it("stays held through the day's maximum once its moments are deleted", async () => {
    for (const at of ['2026-05-27T20:00:00Z', '2026-05-28T20:00:00Z', '2026-05-28T22:00:00Z'])
      await storeFrame(world.app, 'noaa_mesh', frameAt(at, ...dallas))
    world.clock.set(new Date(Date.parse('2026-05-28T21:00:00Z') + 30 * DAY))
    await refreshMaps(world.app)
    // The day at the limit stays whole: its first moments are older than 30 days.
    expect(await deleteOldFrames(world.app, 30)).toBe(1)
    expect(await coveredDays()).toEqual(['noaa_mesh TX 2026-05-27 0', 'noaa_mesh TX 2026-05-28 2'])
    expect((await reportOn('Dallas, TX 75201', '2026-05-01', '2026-05-31')).coverage.summary).toContain(
      '; radar held for 2 of 31 days (2 moments; of 1 day the largest alone).',
    )
    await recountDays(world.app)
    expect(await coveredDays()).toEqual(['noaa_mesh TX 2026-05-27 0', 'noaa_mesh TX 2026-05-28 2'])
    await deleteSource(world.app, 'mesh')
    expect(await coveredDays()).toEqual([])
  })

  it('is listed by day in the status', async () => {
    for (const day of ['26', '27', '29']) await storeFrame(world.app, 'noaa_mesh', frameAt(`2026-05-${day}T20:00:00Z`, ...dallas))
    const { sources } = await archiveStatus(world.app)
    expect(sources).toMatchObject([
      {
        slug: 'mesh',
        states: [
          {
            state: 'TX',
            held: [],
            days: [
              { from: '2026-05-26', to: '2026-05-27', days: 2, moments: 2 },
              { from: '2026-05-29', to: '2026-05-29', days: 1, moments: 1 },
            ],
          },
        ],
      },
    ])
  })
})

describe.skipIf(!present)(`the agency's own grids${skipped}`, () => {
  const importGrid = (file_name: string) =>
    ingest(world.app, 'mesh', Readable.from([readFileSync(path.join(grids, file_name))]), { file_name })

  it('one two-minute frame counts as one day of twenty-nine, in each contiguous state', async () => {
    await importGrid(oneMoment)
    const days = await coveredDays()
    // At 02:52 UTC on the 28th it is still the 27th everywhere.
    expect(days.map((day) => day.replace(/ [A-Z]{2} /, ' '))).toEqual(Array(49).fill('noaa_mesh 2024-02-27 1'))
    const { coverage } = await reportOn('Dallas, TX 75201', '2024-02-01', '2024-02-29')
    expect(coverage.summary).toContain('; radar held for 1 of 29 days (1 moment).')
    expect(coverage.sources_searched).toContain('noaa_mesh')
    expect((await reportOn('Dallas, TX 75201', '2024-02-28', '2024-02-29')).coverage).toMatchObject({
      sources_searched: [],
      summary: expect.stringContaining('radar not held'),
    })
    expect((await reportOn('Anchorage, AK 99501', '2024-02-01', '2024-02-29')).coverage.sources_searched).toEqual([])
  })

  it('a 24-hour maximum that ends in the early morning is reported but counts as no day of radar', async () => {
    await importGrid(ofOneDay)
    const { coverage } = await reportOn('Dallas, TX 75201', '2024-02-27', '2024-02-27')
    expect(coverage.sources_searched).toEqual([])
    expect(coverage.summary).toContain('radar not held; 1 radar grid of the largest of 24 hours held that spans two dates.')
    expect((await reportOn('Dallas, TX 75201', '2024-02-29', '2024-02-29')).coverage.summary).not.toContain('24 hours')
    expect((await reportOn('Honolulu, HI 96813', '2024-02-27', '2024-02-27')).coverage.summary).not.toContain('24 hours')
  })
})

describe('an archive from when only months were recorded', () => {
  const migration = readFileSync(
    path.join('migrations', readdirSync('migrations').find((name) => name.endsWith('_coverage_days')) ?? '', 'migration.sql'),
    'utf8',
  )

  it('counts its days once, from what it holds', async () => {
    await storeFrame(world.app, 'noaa_mesh', frameAt('2026-05-28T23:00:00Z', ...dallas))
    await storeFrame(world.app, 'sample', frameAt('2026-05-20T23:00:00Z', ...dallas))
    await readAlert(1, '2026-05-29T03:30:00Z', 'NMC013')
    await readText('observations', listOf(stationAt('KDFW', -97.04, 32.9)), 'stations.geojson')
    await readText('observations', 'METAR KDFW 130353Z 18020G35KT 10SM CLR 30/20 A2992=\n', 'metar-2026-05.txt')
    const signed =
      '#ZTIME,LON,LAT,WSR_ID,CELL_ID,RANGE,AZIMUTH,SEVPROB,PROB,MAXSIZE\n2026-05-13T21:05:00Z,-96.8,32.8,KFWS,A1,40,20,80,100,1.75\n'
    await readText('radar-hail', signed, 'nx3hail_20260513.csv')
    const before = await coveredDays()
    expect(before).toEqual(['asos TX 2026-05-12 0', 'noaa_mesh TX 2026-05-28 1', 'nws_warnings NM 2026-05-28 0', 'sample TX 2026-05-20 1'])
    await world.app.pool.query('DELETE FROM coverage_days')
    await world.app.pool.query(`
      INSERT INTO coverage (source, state, month) SELECT source, state, '2026-05-01'
        FROM unnest('{noaa_mesh,nexrad_hail,nws_warnings,asos}'::text[]) source, unnest('{TX,NM}'::text[]) state`)
    await world.app.pool.query(
      `INSERT INTO monitoring_runs (lane, started_at, status) VALUES ('warnings', '2026-05-30T18:00:00Z', 'complete')`,
    )
    const [, staging = ''] = /(INSERT INTO lasting_jobs[^;]*;)/.exec(migration) ?? []
    expect((await world.app.pool.query(staging)).rowCount).toBe(1)
    await reissueDurable(world.app)
    await world.drain()
    const counted = await coveredDays()
    expect(counted.filter((day) => !day.includes('2026-05-30') && !day.includes('2026-05-31'))).toEqual(
      [...before, 'nexrad_hail NM 2026-05-13 0', 'nexrad_hail TX 2026-05-13 0'].sort(),
    )
    expect(counted.filter((day) => day.startsWith('nws_warnings') && / 2026-05-3[01] /.test(day))).toHaveLength(states.length)
    await recountDays(world.app)
    expect(await coveredDays()).toEqual(counted)
  })
})

describe('preliminary reports', () => {
  it('are held only as far as their feed was read', async () => {
    await world.app.pool.query("INSERT INTO coverage (source, state, month, preliminary) VALUES ('nws_lsr', 'TX', '2026-05-01', true)")
    const readTo = async (watermark: string) => {
      await world.app.pool.query(
        `INSERT INTO feed_states (url, source, watermark, checked_at) VALUES ('nws_lsr', 'nws_lsr', $1, $1)
         ON CONFLICT (url) DO UPDATE SET watermark = excluded.watermark`,
        [watermark],
      )
      return (await reportOn('Dallas, TX 75201', '2026-05-01', '2026-05-20')).coverage
    }
    expect(await readTo('2026-05-10T15:00:00Z')).toMatchObject({
      complete: false,
      summary: expect.stringContaining(
        'No final records; preliminary reports for 2026-05-01 to 2026-05-09; records of 2026-05 held in part;',
      ),
    })
    // Half past midnight in Dallas, an hour and a half after the feed was last read.
    world.clock.set(new Date('2026-05-20T05:30:00Z'))
    expect(await readTo('2026-05-20T04:00:00Z')).toMatchObject({
      complete: true,
      summary: expect.stringContaining('preliminary reports for 2026-05-01 to 2026-05-20;'),
    })
  })
})

describe('the status', () => {
  it('counts every record however long that takes, while an ordinary query times out sooner', async () => {
    const locking = await world.owner.connect()
    try {
      await locking.query('BEGIN')
      await locking.query('LOCK TABLE archive_records IN ACCESS EXCLUSIVE MODE')
      const reads: Promise<unknown>[] = [archiveStatus(world.app), uncheckedYears(world.app), unplacedStates(world.app)]
      // An open page asks again and again: waiting requests share one query and leave connections to others.
      for (let nth = 0; nth < 20; nth++) reads.push(archiveStatus(world.app))
      await pause(ORDINARY.lock + 500)
      const { rows } = await world.owner.query(
        "SELECT count(DISTINCT query)::int AS statements, count(*)::int AS readers FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE relation = 'archive_records'::regclass AND NOT granted",
      )
      expect(rows).toEqual([{ statements: 3, readers: 3 }])
      await locking.query('COMMIT')
      const [status, years, states] = await Promise.all(reads)
      expect([status, years, states]).toEqual([expect.objectContaining({ sources: [] }), [], []])
    } finally {
      locking.release(true)
    }
  })
})

describe('the days of a state', () => {
  it('follow its local time', () => {
    expect(daysAt(['TX'], new Date('2026-05-29T05:30:00Z'))).toEqual([
      { state: 'TX', day: '2026-05-29' },
      { state: 'TX', day: '2026-05-28' },
    ])
    expect(daysAt(['GU', 'HI'], new Date('2026-05-29T05:30:00Z')).map(({ day }) => day)).toEqual(['2026-05-29', '2026-05-28'])
    expect(daysBetween(['IA'], new Date('2026-05-28T04:00:00Z'), new Date('2026-05-30T06:00:00Z')).map(({ day }) => day)).toEqual([
      '2026-05-27',
      '2026-05-28',
      '2026-05-29',
      '2026-05-30',
    ])
    // Clocks went forward on 8 March: that day had 23 hours.
    expect(daysBetween(['NJ'], new Date('2026-03-08T04:30:00Z'), new Date('2026-03-09T16:00:00Z')).map(({ day }) => day)).toEqual([
      '2026-03-07',
      '2026-03-08',
      '2026-03-09',
    ])
  })
})
