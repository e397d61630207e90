import type { App } from '#domain/app.ts'
import { AIRPORT_ID } from '#domain/archive/observations/airport-id.ts'
import { STATION_REACH_MILES } from '#domain/archive/observations/nearby.ts'
import { OBSERVATIONS_URL, observations } from '#domain/archive/sources/observations.ts'
import type { DueStation } from '#domain/archive/sources/source.ts'
import { cellCentre, cellsWithin } from '#domain/geo/cells.ts'
import { statesWithinRadius } from '#domain/geo/counties.ts'

/** Stations requested in one pass: an hour has room for more, but the agency might object. */
const STATIONS_MAX = 300

/**
 * Miles from the centre of a watched cell within which its places may use a station: the reach from a place, and the farthest
 * that a place lies from the centre, which is half the diagonal of a cell at the equator.
 */
const REACH_MILES = STATION_REACH_MILES + 12.3

/** Returns the codes of the states around the watched places, whose station lists are read. */
export async function statesAroundWatched(app: Pick<App, 'pool'>): Promise<string[]> {
  const states = new Set(
    (await watchedCentres(app)).flatMap(({ latitude, longitude }) => statesWithinRadius(latitude, longitude, REACH_MILES)),
  )
  return [...states].sort()
}

/**
 * Returns the known stations around the watched places that are due for a request, and records that they are requested.
 * Those not requested for the longest time come first, whatever they returned, so that stations that never observe or that
 * fail do not delay the others.
 */
export async function stationsToQuery(app: Pick<App, 'pool' | 'clock'>): Promise<DueStation[]> {
  const centres = await watchedCentres(app)
  const cells = new Set(centres.flatMap(({ latitude, longitude }) => cellsWithin(latitude, longitude, REACH_MILES)))
  const { rows } = await app.pool.query<DueStation>(STATIONS_TO_QUERY, [
    [...cells],
    STATIONS_MAX,
    OBSERVATIONS_URL,
    observations.id,
    app.clock.now(),
  ])
  return rows
}

/** Random among equals, so that failing stations are not requested in a row, which would look like an outage of the service. */
const STATIONS_TO_QUERY = `
  WITH turn AS MATERIALIZED (
         SELECT s.id, s.url FROM (SELECT id, replace($3, '{id}', id) AS url FROM stations WHERE cell = ANY($1::int[]) AND id ~ '${AIRPORT_ID}') s
           LEFT JOIN feed_states f ON f.url = s.url
          ORDER BY f.checked_at NULLS FIRST, random() LIMIT $2),
       noted AS (
         INSERT INTO feed_states (url, source, checked_at) SELECT url, $4, $5 FROM turn
         ON CONFLICT (url) DO UPDATE SET checked_at = excluded.checked_at)
  SELECT turn.id, o.heard_at FROM turn
    LEFT JOIN LATERAL (SELECT observed_at AS heard_at FROM observations WHERE station_id = turn.id ORDER BY observed_at DESC LIMIT 1) o ON true`

async function watchedCentres({ pool }: Pick<App, 'pool'>): Promise<{ latitude: number; longitude: number }[]> {
  const { rows } = await pool.query<{ cell: number }>('SELECT DISTINCT cell FROM watch_cells')
  return rows.map(({ cell }) => cellCentre(cell))
}
