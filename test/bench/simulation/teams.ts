import { performance } from 'node:perf_hooks'
import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { detect } from '#domain/exposures/detect.ts'
import { MAY_REACH } from '#domain/exposures/may-reach.ts'
import { REACHED } from '#domain/exposures/touched-days.ts'
import { createDetectionPeer, detectedByPeer } from '../detection-peer.ts'
import { vacuum } from '../vacuum.ts'
import { dropPeer, type Spread, spreadOf } from './measure.ts'

/** Measurements of storm days with a number of watched properties. */
export interface StormStep {
  /** Records of the archive. */
  records: number
  properties: number
  /** Finding which properties the records of a day reach: p50 and p95 in milliseconds, and the time for a thousand matches. */
  joined: Spread
  joined_a_thousand: number
  /** The same days by PostGIS; null without it. */
  joined_by_postgis: Spread | null
  /** Days that were processed; null if none was. */
  worked: WorkedDays | null
}

export interface WorkedDays {
  days: number
  /** For a day: median and slowest, and exposures written a second over all of them. */
  seconds: [median: number, slowest: number]
  exposures: number
  exposures_a_second: number
}

/** Degrees around a learned record within which properties are located. */
const SPREAD = 0.4
/** Miles: the watch radii. */
const WATCH_RADIUS_MILES = 1
/** Largest number of degrees in a mile in the lower states, north and east: the cells that a watch reaches are in this box. */
const MILE_NORTH = 1 / 69
const MILE_EAST = 1 / 44

/** Makes teams on the largest plan up to the given number. */
export async function addTeams(pool: pg.Pool, teams: number): Promise<void> {
  await pool.query(
    `INSERT INTO teams (id, name, plan, period_started_at, renews_at, renewal_day)
     SELECT gen_random_uuid(), 'Team ' || n, 'enterprise', now(), now() + interval '1 month', 1
       FROM generate_series((SELECT count(*) FROM teams) + 1, $1::int) AS n`,
    [teams],
  )
}

/**
 * Adds watched properties, shared among the teams, up to the given number: each near a place where storms were
 * recorded, with its row and the cells that its watch reaches, as the service writes them.
 */
export async function addProperties(pool: pg.Pool, properties: number): Promise<void> {
  await pool.query(
    `WITH places AS MATERIALIZED (
            SELECT row_number() OVER () - 1 AS nth, latitude, longitude FROM learned_records WHERE latitude BETWEEN 24 AND 50 AND precision <> 'area'),
          teams AS MATERIALIZED (SELECT row_number() OVER (ORDER BY id) - 1 AS nth, id FROM teams),
          numbered AS MATERIALIZED (
            SELECT n, floor(random() * (SELECT count(*) FROM places))::bigint AS near, n % (SELECT count(*) FROM teams) AS owner,
                   (random() - 0.5) * 2 * $2::float8 AS north, (random() - 0.5) * 2 * $2::float8 AS east
              FROM generate_series((SELECT count(*) FROM properties) + 1, $1::int) AS n),
          added AS (
            INSERT INTO properties (id, team_id, query, query_key, address_key, latitude, longitude, precision, located, watch_radius_miles, tags)
            SELECT gen_random_uuid(), t.id, n || ' Main Street', n || ' main street', n || ' main street', p.latitude + north, p.longitude + east,
                   'point', true, $3::float8, '{}'
              FROM numbered JOIN places p ON p.nth = near JOIN teams t ON t.nth = owner
            RETURNING id, team_id, latitude, longitude)
     INSERT INTO watch_cells (subject_id, cell, team_id, subject, latitude, longitude, radius_miles)
     SELECT DISTINCT a.id, row * 1440 + col, a.team_id, 'property', a.latitude, a.longitude, $3::float8
       FROM added a,
            generate_series(floor((a.latitude - $4::float8 + 90) * 4)::int, floor((a.latitude + $4::float8 + 90) * 4)::int) AS row,
            generate_series(floor((a.longitude - $5::float8 + 180) * 4)::int, floor((a.longitude + $5::float8 + 180) * 4)::int) AS col`,
    [properties, SPREAD, WATCH_RADIUS_MILES, MILE_NORTH * WATCH_RADIUS_MILES, MILE_EAST * WATCH_RADIUS_MILES],
  )
  await vacuum(pool, 'properties')
  await vacuum(pool, 'watch_cells')
}

/** A day, YYYY-MM-DD, with the cells that its records touched. */
export interface StormDay {
  day: string
  cells: number[]
}

/** The busiest days of the archive, busiest first. */
export async function busiestDays(pool: pg.Pool, days: number): Promise<StormDay[]> {
  const { rows } = await pool.query<StormDay>(
    `SELECT occurred_on::text AS day, array_agg(DISTINCT cell) AS cells FROM record_cells GROUP BY occurred_on ORDER BY count(*) DESC LIMIT $1`,
    [days],
  )
  return rows
}

/** Finds the watched places that the records of a storm day reach. Returns milliseconds, and the number of matches. */
export async function joinDay(pool: pg.Pool, { day, cells }: StormDay): Promise<{ ms: number; times: number }> {
  const startedAt = performance.now()
  await pool.query({ name: 'join-day', text: `SELECT count(*) FROM (${REACHED}) reached`, values: [cells, day, day] })
  const ms = performance.now() - startedAt
  const { rows } = await pool.query<{ times: number }>(
    `SELECT count(*)::int AS times FROM record_cells c JOIN watch_cells w ON w.cell = c.cell WHERE c.cell = ANY ($1::int[]) AND c.occurred_on = $2::date AND ${MAY_REACH}`,
    [cells, day],
  )
  return { ms, times: rows[0]?.times ?? 0 }
}

/**
 * Finds the same by PostGIS, from tables of the watched properties and of these days' records alone, which are
 * dropped afterwards. p50 and p95 in milliseconds.
 */
export async function joinDaysByPostgis(pool: pg.Pool, days: readonly StormDay[]): Promise<Spread> {
  await createDetectionPeer(
    pool,
    days.map(({ day }) => day),
  )
  try {
    const times: number[] = []
    for (const { day } of days) {
      const startedAt = performance.now()
      const text = `SELECT count(*) FROM (${detectedByPeer(WATCH_RADIUS_MILES)} WHERE r.occurred_on = $1::date) reached`
      await pool.query({ name: 'join-day-by-postgis', text, values: [day] })
      times.push(performance.now() - startedAt)
    }
    return spreadOf(times)
  } finally {
    await dropPeer(pool)
  }
}

/** Processes a storm day as after an import: exposures of all watched places are written. Returns seconds, and the rows written. */
export async function workThrough(app: App, { day, cells }: StormDay): Promise<{ seconds: number; written: number }> {
  const startedAt = performance.now()
  const { written } = await detect(app, { cells, from: day, to: day, quiet: true })
  return { seconds: (performance.now() - startedAt) / 1000, written }
}
