import type pg from 'pg'
import { AIRPORT_ID } from '#domain/archive/observations/airport-id.ts'
import type { SearchWindow } from '#domain/archive/record.ts'
import { type ArchiveTables, asOfStatement } from '#domain/archive/versions/tables-at.ts'
import { cellsWithin } from '#domain/geo/cells.ts'
import { distanceMiles } from '#domain/geo/measure.ts'
import { present } from '#domain/kernel/present.ts'
import type { LocatedPlace } from '#domain/places/place.ts'

/** What the stations around a place observed in a window. */
export interface StationEvidence {
  /** Number of hourly values of gust and precipitation. */
  count: number
  /** Severe gusts, newest first: the only values that records are compared with. */
  gusts: StationGust[]
}

/** A severe hourly gust at a station within reach. */
export interface StationGust {
  station_id: string
  observed_at: Date
  wind_gust_mph: number
  latitude: number
  longitude: number
  distance_miles: number
}

export const NO_OBSERVATIONS: Readonly<StationEvidence> = { count: 0, gusts: [] }

/** mph: a station's gust below the severe threshold does not support a report of severe wind. */
export const STATION_GUST_MPH = 58
/** Beyond this distance a station says nothing about the place. */
export const STATION_REACH_MILES = 25

/** Archives of earlier versions also contain volunteer stations. */
const STATIONS = asOfStatement(
  'stations-near',
  ({ stations }) => `SELECT id, latitude, longitude FROM ${stations} s WHERE cell = ANY($1::int[]) AND id ~ '${AIRPORT_ID}'`,
)
/** Selects the hours of some stations on a window's days, which begin at midnight in the place's own time zone. */
const hours = ({ observations }: ArchiveTables) => `FROM ${observations} o
          WHERE station_id = ANY($1) AND observed_at >= $2::date::timestamp AT TIME ZONE $4 AND observed_at < ($3::date + 1)::timestamp AT TIME ZONE $4`
/** Whole months (UTC) have stored counts of hours. The hours before the first and after the last whole month are counted here. */
const COUNT = {
  name: 'observations-count',
  text: `
    WITH requested AS (SELECT $2::date::timestamp AT TIME ZONE $4 AT TIME ZONE 'UTC' AS begins, ($3::date + 1)::timestamp AT TIME ZONE $4 AT TIME ZONE 'UTC' AS ends),
         months AS (
           SELECT begins, ends, first, greatest(date_trunc('month', ends), first) AS last
             FROM requested, LATERAL (SELECT least(ends, date_trunc('month', begins - interval '1 microsecond') + interval '1 month') AS first) AS whole)
    SELECT ((SELECT coalesce(sum(hours), 0) FROM observation_months
              WHERE station_id = ANY($1) AND month >= (SELECT first FROM months) AND month < (SELECT last FROM months))
          + (SELECT count(*) FROM observations
              WHERE station_id = ANY($1) AND observed_at >= (SELECT begins AT TIME ZONE 'UTC' FROM months) AND observed_at < (SELECT first AT TIME ZONE 'UTC' FROM months))
          + (SELECT count(*) FROM observations
              WHERE station_id = ANY($1) AND observed_at >= (SELECT last AT TIME ZONE 'UTC' FROM months) AND observed_at < (SELECT ends AT TIME ZONE 'UTC' FROM months))
           )::int AS count`,
}
const COUNT_THEN = asOfStatement('observations-count', (tables) => `SELECT count(*)::int AS count ${hours(tables)}`)
const GUSTS = asOfStatement(
  'observations-gusts',
  (tables) =>
    `SELECT station_id, observed_at, wind_gust_mph ${hours(tables)} AND wind_gust_mph >= ${STATION_GUST_MPH} ORDER BY observed_at DESC, station_id`,
)

/**
 * Returns the hourly values of the stations around a place. Twenty years of ten stations are two million, so only severe
 * gusts are listed. Apart from those, values are only counted, by the month.
 */
export async function nearbyObservations(
  pool: Pick<pg.ClientBase, 'query'>,
  place: LocatedPlace,
  window: SearchWindow,
  as_of: Date | null = null,
): Promise<StationEvidence> {
  const { latitude, longitude, timezone } = place
  const near = await pool.query<{ id: string; latitude: number; longitude: number }>(
    STATIONS(as_of, [cellsWithin(latitude, longitude, STATION_REACH_MILES)]),
  )
  const stations = new Map(
    near.rows
      .map(({ id, ...at }) => ({ station_id: id, ...at, distance_miles: distanceMiles(latitude, longitude, at.latitude, at.longitude) }))
      .filter(({ distance_miles }) => distance_miles <= STATION_REACH_MILES)
      .map((station) => [station.station_id, station]),
  )
  if (stations.size === 0) return NO_OBSERVATIONS
  const values = [[...stations.keys()], window.start, window.end, timezone]
  const counted = await pool.query<{ count: number }>(as_of === null ? { ...COUNT, values } : COUNT_THEN(as_of, values))
  const severe = await pool.query<Pick<StationGust, 'station_id' | 'observed_at' | 'wind_gust_mph'>>(GUSTS(as_of, values))
  const placed = (station_id: string) => present(stations.get(station_id))
  return { count: counted.rows[0]?.count ?? 0, gusts: severe.rows.map((gust) => ({ ...placed(gust.station_id), ...gust })) }
}
