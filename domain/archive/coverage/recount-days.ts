import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { markDays } from '#domain/archive/coverage/coverage-days.ts'
import { withSource } from '#domain/archive/ingest/source-lock.ts'
import { statesSeen } from '#domain/archive/radar/states-seen.ts'
import { pagesWithin } from '#domain/engines/cursor.ts'
import { countyAt } from '#domain/geo/counties.ts'
import { daysAt, type StateDay } from '#domain/geo/state-days.ts'
import { stateByFips, states } from '#domain/geo/states.ts'
import { timezoneAt } from '#domain/geo/zones.ts'
import { keysOf } from '#domain/kernel/keys-of.ts'
import type { DaySource, MosaicSource, SourceId } from '#domain/weather/sources.ts'

/**
 * Recounts the stored days from the stored data, for an archive that was filled when only months were recorded. A day that
 * can no longer be proved read is not stored. Repeatable.
 */
export async function recountDays({ pool }: Pick<App, 'pool'>): Promise<void> {
  for (const source of keysOf(recounts))
    await withSource({ pool }, source, async (client) => {
      await client.query('BEGIN')
      await recounts[source](client, source)
      await client.query('COMMIT')
    })
}

const recounts: Record<DaySource | MosaicSource, (client: pg.ClientBase, source: SourceId) => Promise<void>> = {
  noaa_mesh: countFrames,
  sample: countFrames,
  nexrad_hail: countSignatures,
  nws_warnings: countWarnings,
  asos: countObservations,
}

const everyState = states.map(({ code }) => code)

/** Counts the moments of each day. The count includes moments that were already counted when they arrived. */
async function countFrames(client: pg.ClientBase, source: SourceId): Promise<void> {
  const moments = new Map<string, StateDay & { moments: number }>()
  const frames = `SELECT valid_at, coverage FROM radar_frames WHERE source = '${source}' AND product = 'mesh'`
  for await (const page of pagesWithin<{ valid_at: Date; coverage: Buffer }>(client, frames, []))
    for (const { valid_at, coverage } of page)
      for (const { state, day } of daysAt(statesSeen(coverage), valid_at)) {
        const key = `${state} ${day}`
        moments.set(key, { state, day, moments: (moments.get(key)?.moments ?? 0) + 1 })
      }
  const stateDays = [...moments.values()]
  await client.query(REPLACE_DAYS, [
    source,
    stateDays.map(({ state }) => state),
    stateDays.map(({ day }) => day),
    stateDays.map((one) => one.moments),
  ])
}

/** A day that stays keeps the revision from which it is known. A day whose largest estimate is kept stays, with 0 moments. */
const REPLACE_DAYS = `
  WITH counted AS MATERIALIZED (SELECT * FROM unnest($2::text[], $3::date[], $4::int[]) AS counted (state, day, moments)),
       gone AS (DELETE FROM coverage_days d WHERE source = $1 AND largest_since IS NULL AND NOT EXISTS (SELECT FROM counted c WHERE c.state = d.state AND c.day = d.day)),
       emptied AS (UPDATE coverage_days d SET moments = 0 WHERE source = $1 AND NOT EXISTS (SELECT FROM counted c WHERE c.state = d.state AND c.day = d.day))
  INSERT INTO coverage_days (source, state, day, moments) SELECT $1, * FROM counted
  ON CONFLICT (source, state, day) DO UPDATE SET moments = excluded.moments`

/**
 * Counts the days of the source's months that have any signature. The feed requests the whole country day by day, and hail
 * has a signature nearly daily.
 */
async function countSignatures(client: pg.ClientBase, source: SourceId): Promise<void> {
  const { rows } = await client.query<StateDay>(
    `SELECT h.state, seen.day FROM (SELECT DISTINCT occurred_on AS day FROM archive_records WHERE source = $1 AND withdrawn_at IS NULL) seen
       JOIN coverage h ON h.source = $1 AND h.month = date_trunc('month', seen.day)`,
    [source],
  )
  await markDays(client, source, rows)
}

/** Counts, for each warning, the states of its counties, and for each complete run of the lane, every state. */
async function countWarnings(client: pg.ClientBase, source: SourceId): Promise<void> {
  const coveredHours = await client.query<{ at: Date; states: string[] | null }>(
    `SELECT DISTINCT date_trunc('hour', issued_at) AS at, ARRAY(SELECT DISTINCT left(fips, 2) FROM unnest(county_fips) fips) AS states FROM warnings
      UNION
     SELECT DISTINCT date_trunc('hour', started_at), NULL::text[] FROM monitoring_runs WHERE lane = 'warnings' AND status = 'complete'`,
  )
  const codes = (numbers: string[]) => numbers.flatMap((fips) => stateByFips(fips)?.code ?? [])
  const days = coveredHours.rows.flatMap(({ at, states: numbers }) => daysAt(numbers ? codes(numbers) : everyState, at))
  await markDays(client, source, days)
}

/** Counts local days by the clock of each station. */
async function countObservations(client: pg.ClientBase, source: SourceId): Promise<void> {
  const { rows } = await client.query<{ id: string; latitude: number; longitude: number }>('SELECT id, latitude, longitude FROM stations')
  const stations = rows.flatMap(({ id, latitude, longitude }) => {
    const state = countyAt(latitude, longitude)?.state
    return state ? [{ id, state, timezone: timezoneAt(latitude, longitude) }] : []
  })
  const observed = await client.query<StateDay>(
    `SELECT DISTINCT s.state, (o.observed_at AT TIME ZONE s.timezone)::date AS day
       FROM unnest($1::text[], $2::text[], $3::text[]) AS s (id, state, timezone) JOIN observations o ON o.station_id = s.id`,
    [stations.map(({ id }) => id), stations.map(({ state }) => state), stations.map(({ timezone }) => timezone)],
  )
  await markDays(client, source, observed.rows)
}
