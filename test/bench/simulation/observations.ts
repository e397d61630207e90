import { performance } from 'node:perf_hooks'
import { Readable } from 'node:stream'
import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { nearbyObservations } from '#domain/archive/observations/nearby.ts'
import { dropOldObservations } from '#domain/archive/observations/years.ts'
import { statesAroundWatched, stationsToQuery } from '#domain/monitoring/around-watched.ts'
import { percentile } from '../frame.ts'
import { vacuum } from '../vacuum.ts'
import { type Spread, spreadOf, timeAround } from './measure.ts'

/** Measurements for a number of station hours; times are p50 and p95, in milliseconds. */
export interface ObservationStep {
  observations: number
  bytes_each: number
  /** The hours that stations within 25 miles reported in 5 years, and their number. */
  counted_25_5: Spread
  of_25_5: Spread
  /** Import of stations that begin to report in a year of which others are stored. */
  import_rows_a_second: number
  /** Import of hours that are already stored, each at another minute. */
  restated_rows_a_second: number
  /** Finding which stations the monitoring reads next. */
  around_watched_ms: number
  /** Dropping a year of them, and the number of hours dropped. */
  dropped_ms: number
  dropped: number
}

/** Stored years, and the first of them: the windows of a report are in the middle. */
const YEARS = 10
const FIRST = 2015
/** Hours of a year: each station reports every one of them at the largest size. */
const HOURS = 8760
/** The part of the largest size that the first one has: each hour that this number divides. */
const THINNED = 50
/** Degrees around a learned record within which a station is located. */
const SPREAD = 0.4
/** Reports of an imported file, and number of files: the median counts, without the first. */
const IMPORTED = 10_000
const IMPORTS = 5
/** The year of the files, in the middle of the stored years. */
const IMPORTED_YEAR = 2020
/** Prefixes of the ids of stations without data, and of stations with data. */
const [STARTING, REPORTING] = ['P', 'K']
const STARTING_STATIONS = 100

/**
 * Makes enough stations for the observations of so many years, where storms were recorded, in an order of their
 * own, and some that do not report yet.
 */
export async function addStations(pool: pg.Pool, observations: number): Promise<number> {
  const reporting = Math.round(observations / YEARS / HOURS)
  const { rowCount } = await pool.query(
    `INSERT INTO stations (id, latitude, longitude, cell)
     SELECT CASE WHEN nth > $3 THEN '${STARTING}' ELSE '${REPORTING}' END || lpad(upper(to_hex(nth)), 3, '0'), latitude, longitude, floor((latitude + 90) * 4)::int * 1440 + floor((longitude + 180) * 4)::int
       FROM (SELECT *, row_number() OVER () AS nth
               FROM (SELECT latitude + (random() - 0.5) * 2 * $2::float8 AS latitude, longitude + (random() - 0.5) * 2 * $2::float8 AS longitude
                       FROM learned_records WHERE latitude BETWEEN 25 AND 49 AND precision <> 'area' ORDER BY random() LIMIT $1) AS places) AS numbered`,
    [reporting + STARTING_STATIONS, SPREAD, reporting],
  )
  return (rowCount ?? 0) - STARTING_STATIONS
}

/**
 * Lets each station report: a part of the hours, spread over all years, or the rest. A gust in one hour of six, a
 * severe one in one of ten thousand. It is written without the triggers, one of which counts the months: they are
 * counted once afterwards, as the migration counts them.
 */
export async function addObservations(pool: pg.Pool, part: 'first' | 'others'): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query("SET session_replication_role = 'replica'; SET synchronous_commit = off; SET timezone = 'UTC'")
    for (let year = FIRST; year < FIRST + YEARS; year++) {
      await client.query('SELECT add_observation_year($1)', [year])
      await client.query(
        `INSERT INTO observations (station_id, observed_at, wind_gust_mph)
         SELECT id, hour + interval '53 minutes', CASE WHEN h % 10007 = 0 THEN 58 + h % 20 WHEN h % 6 = 0 THEN 20 + h % 30 END
           FROM (SELECT id, n, make_timestamptz($1, 1, 1, 0, 0, 0, 'UTC') + interval '1 hour' * n AS hour, abs(hashtext(id || n)) AS h
                   FROM stations, generate_series(0, ${HOURS - 1}) AS n WHERE id LIKE '${REPORTING}%' AND (n % ${THINNED} = 0) = $2) AS reported`,
        [year, part === 'first'],
      )
    }
    await client.query(
      `TRUNCATE observation_months;
       INSERT INTO observation_months SELECT station_id, date_trunc('month', observed_at)::date, count(*) FROM observations GROUP BY 1, 2`,
    )
  } finally {
    client.release(true)
  }
  await vacuum(pool, 'observations')
  await vacuum(pool, 'observation_months')
  // Everything is on the disk before anything is measured.
  await pool.query('CHECKPOINT')
}

/**
 * Reads, imports, and drops the first year.
 * @param month of the files of stations that begin to report
 * @param restating the minute and the gusts of files that repeat stored hours
 */
export async function measureObservations(app: App, pool: pg.Pool, month: number, restating: ReportValues): Promise<ObservationStep> {
  const { rows } = await pool.query<{ observations: number; bytes: string }>(
    `SELECT sum(hours)::int AS observations, (SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = 'observations'::regclass) AS bytes
       FROM observation_months`,
  )
  const { observations = 0, bytes = 0 } = rows[0] ?? {}
  const counts: number[] = []
  const counted_25_5 = await timeAround(app, [FIRST, FIRST + YEARS], 5, async (place, window) =>
    counts.push((await nearbyObservations(app.pool, place, { ...window, radius_miles: 25 })).count),
  )
  const import_rows_a_second = await timeMetar(app, month)
  const restated_rows_a_second = await timeRestated(app, restating)
  const around_watched_ms = await timed(async () => [await statesAroundWatched(app), await stationsToQuery(app)])
  const kept = { ...app, config: { ...app.config, observations_years: app.clock.now().getUTCFullYear() - FIRST - 1 } }
  const expired = await pool.query<{ hours: number }>(
    'SELECT sum(hours)::int AS hours FROM observation_months WHERE month < make_date($1, 1, 1)',
    [FIRST + 1],
  )
  return {
    observations,
    bytes_each: Number(bytes) / observations,
    counted_25_5,
    of_25_5: spreadOf(counts),
    import_rows_a_second,
    restated_rows_a_second,
    around_watched_ms,
    dropped: expired.rows[0]?.hours ?? 0,
    dropped_ms: await timed(() => dropOldObservations(kept)),
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** The values of each report in a file, besides its hour. */
interface ReportValues {
  minute: number
  knots: number
}

/**
 * Reports a second by the service's own import, for stations that begin to report.
 * @param month of the year, for which none of their data were read before
 */
export const timeMetar = (app: App, month: number): Promise<number> =>
  timeFiles(app, STARTING, { minute: 53, knots: 20 }, (nth) => ({
    month,
    hours: Array.from({ length: IMPORTED / STARTING_STATIONS }, (_, hour) => nth * 5 * 24 + hour),
  }))

/** The same for hours that are stored at every size, one month for each file, at another minute and with a stronger gust. */
const timeRestated = (app: App, values: ReportValues): Promise<number> =>
  timeFiles(app, REPORTING, values, (nth) => {
    const month = 5 + nth
    const first = (Date.UTC(IMPORTED_YEAR, month - 1) - Date.UTC(IMPORTED_YEAR, 0)) / HOUR_MS
    return { month, hours: Array.from({ length: 28 * 24 }, (_, hour) => hour).filter((hour) => (first + hour) % THINNED === 0) }
  })

const HOUR_MS = 3_600_000

/** A file's hours are counted from the first of its month. */
type FileHours = (nth: number) => { month: number; hours: number[] }

async function timeFiles(app: App, stations: string, { minute, knots }: ReportValues, hoursOf: FileHours): Promise<number> {
  const { rows } = await app.pool.query<{ id: string }>('SELECT id FROM stations WHERE id LIKE $1 ORDER BY id', [`${stations}%`])
  const rates: number[] = []
  for (let nth = 0; nth < IMPORTS; nth++) {
    const { month, hours } = hoursOf(nth)
    const reports = hours
      .flatMap((hour) =>
        rows.map(({ id }) => {
          const moment = [1 + Math.floor(hour / 24), hour % 24, minute].map(twoDigits).join('')
          return `METAR ${id} ${moment}Z 18010G${knots}KT 10SM CLR 30/20 A2992=\n`
        }),
      )
      .slice(0, IMPORTED)
    const took = await timed(() =>
      ingest(app, 'observations', Readable.from([Buffer.from(reports.join(''))]), {
        file_name: `metar-${IMPORTED_YEAR}-${twoDigits(month)}.txt`,
      }),
    )
    rates.push(reports.length / (took / 1000))
  }
  return percentile(rates.slice(1), 50)
}

const twoDigits = (part: number): string => String(part).padStart(2, '0')
