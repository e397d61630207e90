import { Readable } from 'node:stream'
import { beforeEach, expect, it } from 'vitest'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { openWorld, type World } from '#test/support/world.ts'

/** Stations. Each has `HELD` hours of 2024. */
const STATIONS = 100
const HELD = 2_000
/** Hours of each station that a file restates. */
const RESTATED = 100

let world: World
beforeEach(async () => {
  world = await openWorld()
  await world.owner.query(
    `INSERT INTO stations (id, latitude, longitude, cell) SELECT 'K' || lpad(n::text, 3, '0'), 32.9, -97, 0 FROM generate_series(1, $1) AS n`,
    [STATIONS],
  )
  await world.owner.query('SELECT add_observation_year(2024)')
  await world.owner.query(
    `INSERT INTO observations (station_id, observed_at, wind_gust_mph)
     SELECT id, '2024-01-01T00:53Z'::timestamptz + interval '1 hour' * n, 20 FROM stations, generate_series(0, $1 - 1) AS n`,
    [HELD],
  )
  await world.owner.query('VACUUM ANALYZE observations')
})

/** Returns a file with a report at the given minute of each of the first hours of January. */
function fileOf(minute: number, knots: number): string {
  const lines = []
  for (let hour = 0; hour < RESTATED; hour++) {
    const moment = [1 + Math.floor(hour / 24), hour % 24, minute].map((part) => String(part).padStart(2, '0')).join('')
    for (let station = 1; station <= STATIONS; station++)
      lines.push(`METAR K${String(station).padStart(3, '0')} ${moment}Z 18020G${knots}KT 10SM CLR 30/20 A2992=`)
  }
  return lines.join('\n')
}

/** Returns the number of observation rows that the database has read so far. */
async function read(): Promise<number> {
  const { rows } = await world.owner.query<{ read: number }>(
    `SELECT pg_stat_clear_snapshot(), sum(pg_stat_get_tuples_returned(c.oid) + pg_stat_get_tuples_fetched(c.oid))::int AS read
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'partitions' AND c.relname LIKE 'observations_2%'`,
  )
  return rows[0]?.read ?? 0
}

it('a file that restates stored hours at other minutes reads only those hours', async () => {
  const before = await read()
  const summary = await ingest(world.app, 'observations', Readable.from([Buffer.from(fileOf(20, 40))]), { file_name: 'metar-2024-01.txt' })
  expect(summary).toMatchObject({ inserted: 0, updated: STATIONS * RESTATED, rejected: 0 })
  // The import's session closes at its end and then reports its counts.
  await waitUntil(async () => (await read()) > before)
  // Each row is read once to find it and once to delete it.
  expect((await read()) - before).toBeLessThan(3 * STATIONS * RESTATED)
  const { rows } = await world.owner.query(
    `SELECT count(*)::int AS hours, count(*) FILTER (WHERE wind_gust_mph > 40)::int AS restated,
            (SELECT sum(hours)::int FROM observation_months) AS counted, (SELECT count(*)::int FROM observation_versions) AS before
       FROM observations`,
  )
  const restated = STATIONS * RESTATED
  expect(rows).toEqual([{ hours: STATIONS * HELD, restated, counted: STATIONS * HELD, before: restated }])
})
