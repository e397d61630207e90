import type pg from 'pg'
import { copyRows } from '#domain/archive/ingest/copy-rows.ts'
import { addYears } from '#domain/archive/observations/years.ts'
import type { Rejection, StationFact, StationValue } from '#domain/archive/sources/source.ts'
import { REVISION } from '#domain/archive/versions/revision.ts'
import { cellOf } from '#domain/geo/cells.ts'
import { countyAt } from '#domain/geo/counties.ts'
import type { StateDay } from '#domain/geo/state-days.ts'
import { localDate, timezoneAt } from '#domain/geo/zones.ts'
import { present } from '#domain/kernel/present.ts'

export interface UpsertedObservations {
  /** Stations and hours together. */
  inserted: number
  updated: number
  unchanged: number
  /** Local days of states in which the values were observed. */
  days: StateDay[]
  /** Values of stations whose position is not known. */
  rejections: Rejection[]
}

/**
 * Upserts stations, and one observation for each station and clock hour: its largest gust, at that gust's time, and its
 * largest precipitation. Stored and arrived values are compared together, so repeats and the order of files do not matter. A
 * withdrawn stored value gives way to the largest value that arrives with the withdrawal. A smaller value that it had
 * replaced returns when its own file is read again.
 */
export async function upsertObservations(
  client: pg.ClientBase,
  stations: StationFact[],
  values: StationValue[],
): Promise<UpsertedObservations> {
  const placed = await upsertStations(client, stations)
  const { rows } = await client.query<Pick<StationFact, 'id' | 'latitude' | 'longitude'>>(
    'SELECT id, latitude, longitude FROM stations WHERE id = ANY($1)',
    [[...new Set(values.map((value) => value.station_id))]],
  )
  const known = new Set(rows.map(({ id }) => id))
  const usable = values.filter(({ station_id }) => known.has(station_id))
  const days = daysObserved(rows, usable)
  const rejections = values
    .filter(({ station_id }) => !known.has(station_id))
    .map(({ station_id, observed_at }) => ({
      row: `${station_id} ${observed_at.toISOString()}`,
      reason: 'the place of the station is not known: import the list of stations first',
      source_key: null,
    }))
  if (usable.length === 0) return { ...placed, days, rejections }
  await addYears(
    client,
    usable.map(({ observed_at }) => observed_at),
  )
  await client.query(
    'CREATE TEMP TABLE IF NOT EXISTS incoming_values (station_id text, observed_at timestamptz, wind_gust_mph float8, precipitation_in float8, withdraws text, file_id int, span_start bigint, span_length int); TRUNCATE incoming_values',
  )
  await copyRows(
    client,
    'incoming_values',
    ['station_id', 'observed_at', 'wind_gust_mph', 'precipitation_in', 'withdraws', 'file_id', 'span_start', 'span_length'],
    usable.map((value) => [
      value.station_id,
      value.observed_at,
      value.wind_gust_mph,
      value.precipitation_in,
      value.withdraws ?? null,
      value.file_id ?? null,
      value.span_start ?? null,
      value.span_length ?? null,
    ]),
  )
  const merged = await client.query<{ hours: number; inserted: number; updated: number }>(MERGE)
  const { hours, inserted, updated } = present(merged.rows[0])
  return {
    inserted: placed.inserted + inserted,
    updated: placed.updated + updated,
    unchanged: placed.unchanged + hours - inserted - updated + (usable.length - hours),
    days,
    rejections,
  }
}

/** Returns the local days by the clock of each station. A station at sea is in no state. */
function daysObserved(stations: Pick<StationFact, 'id' | 'latitude' | 'longitude'>[], values: StationValue[]): StateDay[] {
  const places = new Map(
    stations.flatMap(({ id, latitude, longitude }) => {
      const state = countyAt(latitude, longitude)?.state
      return state ? [[id, { state, timezone: timezoneAt(latitude, longitude) }]] : []
    }),
  )
  const days = values.flatMap(({ station_id, observed_at }) => {
    const place = places.get(station_id)
    return place ? [{ state: place.state, day: localDate(observed_at, place.timezone) }] : []
  })
  return [...new Map(days.map((one) => [`${one.state} ${one.day}`, one])).values()]
}

async function upsertStations(
  client: pg.ClientBase,
  stations: StationFact[],
): Promise<Pick<UpsertedObservations, 'inserted' | 'updated' | 'unchanged'>> {
  const each = [...new Map(stations.map((station) => [station.id, station])).values()]
  if (each.length === 0) return { inserted: 0, updated: 0, unchanged: 0 }
  const { rows } = await client.query<{ added: boolean }>(
    `WITH coming AS MATERIALIZED (
       SELECT * FROM unnest($1::text[], $2::text[], $3::float8[], $4::float8[], $5::int[]) AS coming (id, name, latitude, longitude, cell)
     ), kept AS (
       INSERT INTO station_versions (station_id, latitude, longitude, cell, from_revision, until_revision)
       SELECT s.id, s.latitude, s.longitude, s.cell, s.revision, ${REVISION} FROM stations s JOIN coming c USING (id)
        WHERE (s.latitude, s.longitude) <> (c.latitude, c.longitude) AND s.revision <> ${REVISION} ON CONFLICT DO NOTHING
     )
     INSERT INTO stations AS s (id, name, latitude, longitude, cell) SELECT * FROM coming
     ON CONFLICT (id) DO UPDATE
        SET name = coalesce(excluded.name, s.name), latitude = excluded.latitude, longitude = excluded.longitude, cell = excluded.cell,
            revision = CASE WHEN (s.latitude, s.longitude) <> (excluded.latitude, excluded.longitude) THEN excluded.revision ELSE s.revision END
      WHERE (s.latitude, s.longitude, s.name) IS DISTINCT FROM (excluded.latitude, excluded.longitude, coalesce(excluded.name, s.name))
     RETURNING xmax = 0 AS added`,
    [
      each.map(({ id }) => id),
      each.map(({ name }) => name),
      each.map(({ latitude }) => latitude),
      each.map(({ longitude }) => longitude),
      each.map(({ latitude, longitude }) => cellOf(latitude, longitude)),
    ],
  )
  const inserted = rows.filter(({ added }) => added).length
  return { inserted, updated: rows.length - inserted, unchanged: stations.length - rows.length }
}

/**
 * Stored hours are read one by one, by the key: a join by station would compare each with everything the station ever
 * reported. Replaced rows are deleted by ctid (and by key, since each year's partition may have a row at that ctid);
 * otherwise a file's rows would be looked up among all observations. Nobody moves them meanwhile, because every writer
 * holds the source's lock. For a corrected time only corrections count, and the newest one wins.
 */
const MERGE = `
  WITH hours AS (SELECT DISTINCT station_id, date_trunc('hour', observed_at) AS hour FROM incoming_values),
  held AS MATERIALIZED (
    SELECT h.station_id, h.hour, o.lies_at, o.observed_at, o.wind_gust_mph, o.precipitation_in, o.file_id, o.span_start, o.span_length, o.revision
      FROM hours h, LATERAL (
             SELECT o.ctid AS lies_at, o.* FROM observations o WHERE o.station_id = h.station_id AND o.observed_at >= h.hour AND o.observed_at < h.hour + interval '1 hour' OFFSET 0) o
  ), withdrawn AS MATERIALIZED (
    SELECT station_id, observed_at, bool_or(withdraws = 'all') AS entirely FROM incoming_values WHERE withdraws IS NOT NULL GROUP BY station_id, observed_at
  ), corrected AS MATERIALIZED (
    SELECT station_id, observed_at FROM withdrawn WHERE entirely
     UNION SELECT station_id, observed_at FROM incoming_values JOIN observation_corrections USING (station_id, observed_at)
  ), remembered AS (
    INSERT INTO observation_corrections (station_id, observed_at) SELECT station_id, observed_at FROM corrected ON CONFLICT DO NOTHING
  ), every_value AS (
    SELECT station_id, hour, observed_at, CASE WHEN w.station_id IS NULL THEN wind_gust_mph END AS wind_gust_mph, precipitation_in, file_id, span_start, span_length, false AS arrives
      FROM held LEFT JOIN withdrawn w USING (station_id, observed_at) WHERE w.entirely IS NOT TRUE
     UNION ALL
    SELECT station_id, date_trunc('hour', observed_at), observed_at, wind_gust_mph, precipitation_in, file_id, span_start, span_length, true
      FROM incoming_values i LEFT JOIN corrected c USING (station_id, observed_at) WHERE c.station_id IS NULL OR i.withdraws = 'all'
  ), best AS MATERIALIZED (
    SELECT DISTINCT ON (station_id, hour) station_id, hour, observed_at, wind_gust_mph, max(precipitation_in) OVER (PARTITION BY station_id, hour) AS precipitation_in,
           file_id, span_start, span_length
      FROM every_value ORDER BY station_id, hour, wind_gust_mph DESC NULLS LAST, observed_at DESC, arrives DESC
  ), changed AS MATERIALIZED (
    SELECT b.*, h.station_id IS NOT NULL AS was_held FROM best b LEFT JOIN held h USING (station_id, hour)
     WHERE (b.observed_at, b.wind_gust_mph, b.precipitation_in) IS DISTINCT FROM (h.observed_at, h.wind_gust_mph, h.precipitation_in)
  ), kept AS (
    INSERT INTO observation_versions
      (station_id, observed_at, wind_gust_mph, precipitation_in, file_id, span_start, span_length, from_revision, until_revision)
    SELECT h.station_id, h.observed_at, h.wind_gust_mph, h.precipitation_in, h.file_id, h.span_start, h.span_length, h.revision, ${REVISION}
      FROM changed JOIN held h USING (station_id, hour) WHERE h.revision <> ${REVISION} ON CONFLICT DO NOTHING
  ), replaced AS MATERIALIZED (
    SELECT h.station_id, h.observed_at, h.lies_at FROM changed c JOIN held h USING (station_id, hour) WHERE h.observed_at <> c.observed_at
  ), gone AS (
    DELETE FROM observations o USING replaced r
     WHERE o.ctid = ANY (ARRAY(SELECT lies_at FROM replaced)) AND (o.station_id, o.observed_at) = (r.station_id, r.observed_at)
  ), written AS (
    INSERT INTO observations (station_id, observed_at, wind_gust_mph, precipitation_in, file_id, span_start, span_length)
    SELECT station_id, observed_at, wind_gust_mph, precipitation_in, file_id, span_start, span_length FROM changed
    ON CONFLICT (station_id, observed_at) DO UPDATE SET wind_gust_mph = excluded.wind_gust_mph, precipitation_in = excluded.precipitation_in,
      file_id = excluded.file_id, span_start = excluded.span_start, span_length = excluded.span_length, revision = excluded.revision
  )
  SELECT (SELECT count(*) FROM hours)::int AS hours, count(*) FILTER (WHERE NOT was_held)::int AS inserted, count(*) FILTER (WHERE was_held)::int AS updated
    FROM changed`
