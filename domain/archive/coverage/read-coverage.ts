import type pg from 'pg'
import type { App } from '#domain/app.ts'
import type { Days, StoredCoverage, StoredDays } from '#domain/archive/coverage/stored-coverage.ts'
import { DAY_MARGIN_HOURS } from '#domain/archive/radar/day-hours.ts'
import { coverageCellAt } from '#domain/archive/radar/frame-coverage.ts'
import { statesSeen } from '#domain/archive/radar/states-seen.ts'
import { RUNNING_DAYS_MAX } from '#domain/archive/search/find-running.ts'
import { FEED_CURRENT_HOURS } from '#domain/archive/sources/feed.ts'
import { type ArchiveTables, asOfStatement } from '#domain/archive/versions/tables-at.ts'
import { countyAt } from '#domain/geo/counties.ts'
import { daysAt } from '#domain/geo/state-days.ts'
import { present } from '#domain/kernel/present.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { daySources, FINAL_SOURCE, preliminarySources, radarSources, SAMPLE_SOURCE, sourcesInSql } from '#domain/weather/sources.ts'

/** Reads what is stored of a window in the states that the circle around a place meets. */
export async function readStoredCoverage(
  { pool, clock }: Pick<App, 'pool' | 'clock'>,
  place: LocatedPlace,
  states: string[],
  window: Days,
  as_of: Date | null = null,
): Promise<StoredCoverage> {
  const state = countyAt(place.latitude, place.longitude)?.state ?? place.state
  const { rows } = await pool.query<Omit<StoredCoverage, 'states' | 'state'>>(
    READ(as_of, [states, window.start, window.end, place.timezone, daySources, state, as_of ?? clock.now()]),
  )
  const read = present(rows[0])
  const held_days = as_of === null ? read.held_days : await withoutLaterMoments(pool, read.held_days, window, as_of)
  const in_grid = coverageCellAt(place.latitude, place.longitude) !== null
  return { ...read, held_days, states, state, radar_maxima: in_grid ? read.radar_maxima : 0 }
}

/** Counts, by state and type, the zone records of the window whose zones are not in the zone table. */
const unplacedSql = ({ records, zone_counties }: ArchiveTables) => `
  SELECT state, sum(records)::int AS records, jsonb_agg(jsonb_build_object('type', type, 'records', records) ORDER BY records DESC, type) AS types
    FROM (SELECT r.state, r.type, count(*)::int AS records FROM ${records} r
           WHERE r.precision = 'zone' AND r.withdrawn_at IS NULL AND r.state = ANY($1) AND r.occurred_on BETWEEN $2::date AND $3::date
             AND NOT EXISTS (SELECT FROM ${zone_counties} z WHERE z.zone = r.zone)
           GROUP BY r.state, r.type) by_type
   GROUP BY state`

/** Counts those that began before the window and had not ended, as `findRunning` does for places. */
const unplacedRunning = ({ records, zone_counties }: ArchiveTables) => `
  SELECT count(*)::int FROM ${records} r
   WHERE r.precision = 'zone' AND r.withdrawn_at IS NULL AND r.state = ANY($1) AND r.occurred_on BETWEEN $2::date - ${RUNNING_DAYS_MAX} AND $2::date - 1
     AND r.ends_at > $2::date::timestamp AT TIME ZONE $4 AND NOT EXISTS (SELECT FROM ${zone_counties} z WHERE z.zone = r.zone)`

/** Counts grids of the largest of 24 hours that overlap the window and end more than DAY_MARGIN_HOURS from local midnight of the place. */
const radarMaxima = ({ radar_frames }: ArchiveTables) => `
  SELECT count(*)::int FROM ${radar_frames} f
   WHERE source = 'noaa_mesh' AND product = 'mesh_max_1440min'
     AND (valid_at AT TIME ZONE $4)::time > interval '${DAY_MARGIN_HOURS} hours' AND (valid_at AT TIME ZONE $4)::time < time '24:00' - interval '${DAY_MARGIN_HOURS} hours'
     AND valid_at > $2::date::timestamp AT TIME ZONE $4 AND valid_at < ($3::date + 2)::timestamp AT TIME ZONE $4`

/** SQL: the last month that has the final record, by state, for the states of an array. */
const finalTo = ({ coverage }: ArchiveTables, states: string) => `
  SELECT jsonb_object_agg(state, to_char(month, 'YYYY-MM'))
    FROM (SELECT state, (SELECT max(month) FROM ${coverage} c WHERE source = '${FINAL_SOURCE}' AND c.state = requested.state) AS month
            FROM unnest(${states}::text[]) AS requested (state)) final WHERE month IS NOT NULL`

const FINAL_TO = asOfStatement('final-to', (tables) => `SELECT coalesce((${finalTo(tables, '$1')}), '{}') AS final_to`)

/** Returns the last month that has the final record, by state: YYYY-MM. States without one are missing. */
export async function readFinalTo(
  pool: Pick<pg.ClientBase, 'query'>,
  states: string[],
  as_of: Date | null = null,
): Promise<StoredCoverage['final_to']> {
  if (states.length === 0) return {}
  const { rows } = await pool.query<Pick<StoredCoverage, 'final_to'>>(FINAL_TO(as_of, [states]))
  return present(rows[0]).final_to
}

const MONTH = `jsonb_build_object('source', source, 'state', state, 'month', to_char(month, 'YYYY-MM'), 'preliminary', preliminary, 'compiled_on', compiled_on)`

/** A day counts as read to its end while its feed is current. The day on which reading stopped does not count. */
const READ = asOfStatement(
  'held-of-window',
  (tables) => `
    SELECT coalesce((
             SELECT jsonb_agg(${MONTH}) FROM ${tables.coverage} c
              WHERE state = ANY($1) AND month BETWEEN date_trunc('month', $2::date) AND $3::date AND source <> ALL($5)), '[]') AS held,
           coalesce((${finalTo(tables, '$1')}), '{}') AS final_to,
           coalesce((
             SELECT jsonb_object_agg(url, (heard_to AT TIME ZONE $4)::date - (heard_to < $7)::int)
               FROM (SELECT url, watermark + interval '${FEED_CURRENT_HOURS} hours' AS heard_to FROM ${tables.feed_states} f
                      WHERE url IN ${sourcesInSql(preliminarySources)} AND watermark IS NOT NULL) heard), '{}') AS read_through,
           coalesce((
             SELECT jsonb_agg(to_jsonb(by_source)) FROM (
               SELECT source, state, count(*)::int AS days, sum(moments)::int AS moments,
                      (count(*) FILTER (WHERE moments <= 0 AND largest_since IS NOT NULL))::int AS largest_only FROM ${tables.coverage_days} d
                WHERE source = ANY($5::text[] || '${SAMPLE_SOURCE}'::text) AND state = ANY($1) AND day BETWEEN $2::date AND $3::date
                GROUP BY source, state) by_source), '[]') AS held_days,
           (SELECT count(DISTINCT day)::int FROM ${tables.coverage_days} d
             WHERE source IN ${sourcesInSql(radarSources)} AND state = $6 AND day BETWEEN $2::date AND $3::date) AS radar_days,
           coalesce((
             SELECT jsonb_agg(to_jsonb(unplaced) || jsonb_build_object('table_held', EXISTS (
                      SELECT FROM ${tables.zone_counties} z WHERE z.zone BETWEEN state || 'Z000' AND state || 'Z999')) ORDER BY state)
               FROM (${unplacedSql(tables)}) unplaced), '[]') AS unplaced_zones,
           (${unplacedRunning(tables)}) AS unplaced_running,
           (${radarMaxima(tables)}) AS radar_maxima`,
)

/** Selects the frames stored after a point in time, of days that were already stored in part then. */
const LATER_FRAMES = `
  SELECT f.source, f.valid_at, f.coverage FROM radar_frames f JOIN archive_revisions k ON k.id = f.revision
   WHERE f.product = 'mesh' AND k.known_at > $1 AND f.valid_at >= $2::date - 1 AND f.valid_at < $3::date + 2`
const KNOWN_DAYS = asOfStatement(
  'held-of-window.days',
  ({ coverage_days }) => `SELECT source, state, day FROM ${coverage_days} d WHERE day BETWEEN $1::date AND $2::date AND moments > 0`,
)

/** Returns the stored days as of a point in time. A day counts its moments as they arrive, so later moments are subtracted. */
async function withoutLaterMoments(
  pool: Pick<pg.ClientBase, 'query'>,
  stored: StoredDays[],
  { start, end }: Days,
  as_of: Date,
): Promise<StoredDays[]> {
  const later = await pool.query<{ source: string; valid_at: Date; coverage: Buffer }>(LATER_FRAMES, [as_of, start, end])
  if (later.rows.length === 0) return stored
  const { rows } = await pool.query<{ source: string; state: string; day: string }>(KNOWN_DAYS(as_of, [start, end]))
  const known = new Set(rows.map(({ source, state, day }) => `${source} ${state} ${day}`))
  const laterCounts = new Map<string, number>()
  for (const { source, valid_at, coverage } of later.rows)
    for (const { state, day } of daysAt(statesSeen(coverage), valid_at))
      if (known.has(`${source} ${state} ${day}`)) laterCounts.set(`${source} ${state}`, (laterCounts.get(`${source} ${state}`) ?? 0) + 1)
  return stored.map((days) => ({ ...days, moments: days.moments - (laterCounts.get(`${days.source} ${days.state}`) ?? 0) }))
}
