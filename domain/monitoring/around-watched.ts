import type { App } from '#domain/app.ts'
import { STATION_REACH_MILES } from '#domain/archive/observations/nearby.ts'
import { cellCentre, cellsWithin } from '#domain/geo/cells.ts'
import { statesMeeting } from '#domain/geo/counties.ts'

/** Stations asked in one pass: an hour has room for more, the agency's patience may not. */
const STATIONS_MAX = 300

/** The states and the known stations around the watched places: those of which observations are fetched. */
export async function aroundWatched({ pool, log }: Pick<App, 'pool' | 'log'>): Promise<{ states: string[]; stations: string[] }> {
  const { rows } = await pool.query<{ cell: number }>('SELECT DISTINCT cell FROM watch_cells')
  const centres = rows.map(({ cell }) => cellCentre(cell))
  const states = new Set(centres.flatMap(({ latitude, longitude }) => statesMeeting(latitude, longitude, STATION_REACH_MILES)))
  const cells = new Set(centres.flatMap(({ latitude, longitude }) => cellsWithin(latitude, longitude, STATION_REACH_MILES)))
  const near = await pool.query<{ id: string }>(
    `SELECT s.id FROM stations s
       LEFT JOIN LATERAL (SELECT observed_at AS last FROM observations WHERE station_id = s.id ORDER BY observed_at DESC LIMIT 1) o ON true
      WHERE s.cell = ANY($1::int[]) ORDER BY o.last NULLS FIRST, s.id LIMIT $2`,
    [[...cells], STATIONS_MAX],
  )
  if (near.rows.length === STATIONS_MAX)
    log.warn({ stations: STATIONS_MAX }, 'more stations lie around the watched places than one pass asks; the longest unasked come first')
  return { states: [...states].sort(), stations: near.rows.map(({ id }) => id) }
}
