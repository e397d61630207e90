import { Readable } from 'node:stream'
import { beforeEach, describe, expect, it } from 'vitest'
import { deleteSource } from '#domain/archive/ingest/delete-source.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { nearbyObservations } from '#domain/archive/observations/nearby.ts'
import { dropOldObservations } from '#domain/archive/observations/years.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { seededRandom } from '#test/support/random.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
beforeEach(async () => {
  world = await openWorld()
  await world.owner.query(
    `INSERT INTO stations (id, latitude, longitude, cell) SELECT id, 32.9, longitude, (floor((32.9 + 90) * 4) * 1440 + floor((longitude + 180) * 4))::int
       FROM (VALUES ('KDFW', -97.0), ('KDAL', -96.85), ('KFAR', -95.0)) AS s (id, longitude)`,
  )
})

const near = (start: string, end: string, timezone: string, as_of: Date | null = null) =>
  nearbyObservations(
    world.app.pool,
    { latitude: 32.9, longitude: -97, timezone } as LocatedPlace,
    { start, end, radius_miles: 25 } as never,
    as_of,
  )

/** Hours of two stations within reach and one beyond, 7 hours apart, over more than two years. */
async function observe(): Promise<void> {
  await world.owner.query('SELECT add_observation_year(year) FROM generate_series(2019, 2022) AS year')
  await world.owner.query(
    `INSERT INTO observations (station_id, observed_at, wind_gust_mph)
     SELECT id, hour + interval '1 minute' * (n % 60), CASE WHEN n % 40 = 0 THEN 50 + n % 30 END
       FROM unnest('{KDFW,KDAL,KFAR}'::text[]) AS id,
            LATERAL (SELECT hour, row_number() OVER () AS n FROM generate_series('2019-11-20T00:00Z'::timestamptz, '2022-03-10T00:00Z', '7 hours') AS hour) hours`,
  )
}

describe('the hours that stations around a place reported', () => {
  it('have the same count from monthly totals as one by one, for any days and time zone', async () => {
    await observe()
    const random = seededRandom(7)
    const randomInteger = (below: number) => Math.floor(random() * below)
    const day = (n: number) => new Date(Date.UTC(2019, 10, 1) + n * 86_400_000).toISOString().slice(0, 10)
    const windows = Array.from({ length: 60 }, () => {
      const [start, length] = [randomInteger(860), randomInteger(5) === 0 ? randomInteger(3) : randomInteger(500)]
      return [day(start), day(start + length)] as const
    })
    const edges = [
      ['2020-01-01', '2020-01-31'],
      ['2020-01-01', '2020-12-31'],
      ['2020-02-29', '2020-02-29'],
      ['2019-12-31', '2020-01-01'],
      ['2018-01-01', '2018-12-31'],
    ] as const
    const found = []
    for (const [start, end] of [...windows, ...edges])
      for (const timezone of ['America/Chicago', 'Pacific/Guam', 'UTC']) {
        const { rows } = await world.owner.query(
          `SELECT count(*)::int AS count, count(*) FILTER (WHERE wind_gust_mph >= 58)::int AS gusts FROM observations
            WHERE station_id <> 'KFAR' AND (observed_at AT TIME ZONE $3)::date BETWEEN $1 AND $2`,
          [start, end, timezone],
        )
        const { count, gusts } = await near(start, end, timezone)
        found.push(count)
        expect({ start, end, timezone, count, gusts: gusts.length }).toEqual({ start, end, timezone, ...rows[0] })
      }
    expect(Math.max(...found)).toBeGreaterThan(1000)
    expect(Math.min(...found)).toBe(0)
  })

  it('are counted once when an import states an hour again, at another minute or unchanged', async () => {
    const read = (line: string) => ingest(world.app, 'observations', Readable.from([Buffer.from(line)]), { file_name: 'metar-2020-01.txt' })
    const metar = (moment: string, knots: number) => `METAR KDFW ${moment}Z 18020G${knots}KT 10SM CLR 30/20 A2992=\n`
    await read(metar('310553', 40) + metar('311753', 60))
    await read(metar('310525', 55) + metar('311753', 60))
    expect(await near('2020-01-01', '2020-01-31', 'America/Chicago')).toMatchObject({
      count: 2,
      gusts: [{ wind_gust_mph: 69 }, { wind_gust_mph: 63 }],
    })
    expect(await months()).toEqual([{ station_id: 'KDFW', month: '2020-01-01', hours: 2 }])
    expect((await near('2020-01-01', '2020-01-31', 'America/Chicago', world.clock.now())).count).toBe(2)
  })

  it('come from airports only: stored stations of volunteers are ignored', async () => {
    await world.owner.query(
      `INSERT INTO stations (id, latitude, longitude, cell) SELECT 'C1234', latitude, longitude, cell FROM stations WHERE id = 'KDFW'`,
    )
    await world.owner.query('SELECT add_observation_year(2020)')
    await world.owner.query(
      `INSERT INTO observations (station_id, observed_at, wind_gust_mph) VALUES ('KDFW', '2020-01-31T05:53Z', 60), ('C1234', '2020-01-31T05:53Z', 99)`,
    )
    for (const as_of of [null, world.clock.now()])
      expect(await near('2020-01-01', '2020-01-31', 'America/Chicago', as_of)).toMatchObject({
        count: 1,
        gusts: [{ station_id: 'KDFW', wind_gust_mph: 60 }],
      })
  })

  it('leave the counts with their years and with their source', async () => {
    await observe()
    world.clock.set('2023-06-01T00:00:00Z')
    await dropOldObservations({ ...world.app, config: { ...world.app.config, observations_years: 2 } })
    expect((await months())[0]).toMatchObject({ month: '2021-01-01' })
    expect((await near('2019-01-01', '2020-12-31', 'UTC')).count).toBe(0)
    await deleteSource(world.app, 'observations')
    expect((await near('2021-01-01', '2022-12-31', 'UTC')).count).toBe(0)
    expect((await months()).filter(({ hours }) => hours !== 0)).toEqual([])
  })
})

const months = async (): Promise<{ station_id: string; month: string; hours: number }[]> =>
  (await world.owner.query('SELECT station_id, month::text, hours FROM observation_months ORDER BY month, station_id')).rows
