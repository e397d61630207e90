import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { withSource } from '#domain/archive/ingest/source-lock.ts'
import { nearbyObservations } from '#domain/archive/observations/nearby.ts'
import { dropOldObservations } from '#domain/archive/observations/years.ts'
import { clearVersions } from '#domain/archive/versions/clear-versions.ts'
import { newestRevisionTime } from '#domain/archive/versions/revision.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { dallas } from './dallas.ts'

const stations = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [-97.04, 32.9] },
      properties: { stationIdentifier: 'KDFW', name: 'Dallas' },
    },
  ],
})

let world: World
beforeEach(async () => {
  world = await openWorld()
  world.clock.set('2026-05-14T00:00:00Z')
  await read('stations.geojson', stations)
})

const read = (file_name: string, text: string) => ingest(world.app, 'observations', Readable.from([Buffer.from(text)]), { file_name })
/** A report with a gust at 'DDHHMM'. */
const metar = (moment: string, knots: number) => `METAR KDFW ${moment}Z 18020G${knots}KT 10SM CLR 30/20 A2992=\n`
const rows = async (text: string) => (await world.owner.query(text)).rows
const keeping = (observations_years: number) => ({ ...world.app, config: { ...world.app.config, observations_years } })
const gusts = async (start: string, end: string) =>
  (await nearbyObservations(world.app.pool, dallas, { start, end, today: '2026-05-14' } as never)).gusts

/** Reports from January 2020, the end of 2023 and May 2026. The one of 2020 replaces an earlier value. */
async function observe(): Promise<void> {
  await read('metar-2020-01.txt', metar('010653', 60))
  await read('metar-2020-01.txt', metar('010653', 70))
  await read('metar-2023-12.txt', metar('312353', 65))
  await read('metar-2026-05.txt', metar('132053', 62))
}

describe('earlier versions of observations', () => {
  it("are deleted when they expire, without touching rows at the same position of another year's partition", async () => {
    const day = 86_400_000
    await read('metar-2020-01.txt', metar('010653', 60))
    await read('metar-2023-12.txt', metar('312353', 60))
    await read('metar-2020-01.txt', metar('010653', 70))
    world.clock.advance(10 * day)
    await read('metar-2023-12.txt', metar('312353', 70))
    expect(await rows('SELECT count(DISTINCT ctid)::int AS spots, count(*)::int AS versions FROM observation_versions')).toEqual([
      { spots: 1, versions: 2 },
    ])
    expect(await clearVersions(world.app, 5)).toBe(1)
    expect(await rows('SELECT extract(year FROM observed_at)::int AS year FROM observation_versions')).toEqual([{ year: 2023 }])
    expect(await clearVersions(world.app, 5)).toBe(0)
  })
})

describe('observations of a year', () => {
  it('are stored in their own partitions, which the first import creates, and are read only from there', async () => {
    await observe()
    expect(await rows(`SELECT tableoid::regclass::text AS part, observed_at FROM observations ORDER BY observed_at`)).toEqual([
      { part: 'partitions.observations_2020', observed_at: new Date('2020-01-01T06:53:00Z') },
      { part: 'partitions.observations_2023', observed_at: new Date('2023-12-31T23:53:00Z') },
      { part: 'partitions.observations_2026', observed_at: new Date('2026-05-13T20:53:00Z') },
    ])
    expect(await rows(`SELECT tableoid::regclass::text AS part, wind_gust_mph FROM observation_versions`)).toEqual([
      { part: 'partitions.observation_versions_2020', wind_gust_mph: 69 },
    ])
    const plan = await rows(
      `EXPLAIN SELECT FROM observations WHERE station_id = ANY ('{KDFW}') AND observed_at >= '2023-03-01'::date::timestamp AT TIME ZONE 'America/Chicago'
          AND observed_at < '2023-12-31'::date::timestamp AT TIME ZONE 'America/Chicago'`,
    )
    expect(
      plan
        .map((row) => row['QUERY PLAN'])
        .join('\n')
        .match(/observations_\d{4}\b/g),
    ).toEqual(['observations_2023'])
  })

  it('can be read while an import that created a partition is running', async () => {
    await withSource(world.app, 'asos', async (client) => {
      await client.query('BEGIN')
      await client.query('SELECT add_observation_year(1987)')
      await world.app.pool.query("SET statement_timeout = '2s'")
      expect(await gusts('1987-01-01', '2026-05-13')).toEqual([])
      await client.query('ROLLBACK')
    })
  })

  it('before 1900 are rejected with a reason', async () => {
    const collection = {
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [-97.04, 32.9] },
      properties: {
        station: 'https://api.weather.gov/stations/KDFW',
        timestamp: '0219-05-13T20:53:00+00:00',
        windGust: { unitCode: 'wmoUnit:km_h-1', value: 100 },
      },
    }
    const read0 = await read('observations.json', JSON.stringify(collection))
    expect(read0).toMatchObject({ rejected: 1, rejections: [{ reason: 'observations are kept since 1900' }] })
  })
})

describe('the retained years of observations', () => {
  it('are all years unless a setting limits them', async () => {
    await observe()
    expect(await dropOldObservations(world.app)).toEqual([])
    expect(await rows('SELECT count(*)::int AS n FROM observations')).toEqual([{ n: 3 }])
  })

  it('are the given number before the current year; older data is dropped with its versions and days, and no report counts it', async () => {
    await observe()
    expect(await gusts('2020-01-01', '2026-05-13')).toHaveLength(3)
    const before = await newestRevisionTime(world.app.pool)
    expect(await dropOldObservations(keeping(3))).toContain(2020)
    const after = await newestRevisionTime(world.app.pool)
    // A report that is compiled meanwhile can detect that it read two archives.
    expect(Number(after)).toBeGreaterThan(Number(before))
    expect(await rows('SELECT DISTINCT extract(year FROM observed_at)::int AS year FROM observations ORDER BY 1')).toEqual([
      { year: 2023 },
      { year: 2026 },
    ])
    expect(await rows('SELECT year FROM observation_years WHERE year < 2023')).toEqual([])
    expect(await rows('SELECT FROM observation_versions')).toEqual([])
    expect(await rows("SELECT day::text FROM coverage_days WHERE source = 'asos' ORDER BY day")).toEqual([
      { day: '2023-12-31' },
      { day: '2026-05-13' },
    ])
    expect(await gusts('2020-01-01', '2026-05-13')).toHaveLength(2)
    expect(await dropOldObservations(keeping(3))).toEqual([])
    expect(await newestRevisionTime(world.app.pool)).toEqual(after)
  })

  it('are not dropped during an import of the source', async () => {
    await observe()
    await withSource(world.app, 'asos', async () => expect(await dropOldObservations(keeping(3))).toEqual([]))
    expect(await dropOldObservations(keeping(3))).toContain(2020)
  })

  it('limit what a file may bring: a file of other years is rejected by name', async () => {
    const both = ingest(keeping(3), 'observations', Readable.from([Buffer.from(metar('010553', 60))]), { file_name: 'metar-2022-12.txt' })
    await expect(both).rejects.toMatchObject({
      details: { errors: { file: [expect.stringContaining('observations are kept since 2023 (OBSERVATIONS_YEARS)')] } },
    })
    expect(await rows('SELECT FROM coverage_days')).toEqual([])
  })
})
