import type pg from 'pg'
import type { ObservationNearby, SearchWindow } from '#domain/archive/search.ts'
import { cellsWithin } from '#domain/geo/cells.ts'
import { distanceMiles } from '#domain/geo/measure.ts'
import type { LocatedPlace } from '#domain/places/place.ts'

/** Beyond it a station says nothing of the place. */
const STATION_REACH_MILES = 25

const STATIONS = { name: 'stations-near', text: 'SELECT id, latitude, longitude FROM stations WHERE cell = ANY($1::int[])' }
const VALUES = {
  name: 'observations-of',
  text: `SELECT station_id, observed_at, wind_gust_mph, precipitation_in FROM observations
          WHERE station_id = ANY($1) AND observed_at >= $2::date::timestamp AT TIME ZONE $4 AND observed_at < ($3::date + 1)::timestamp AT TIME ZONE $4
          ORDER BY observed_at DESC, station_id`,
}

/** Hourly values of the stations around a place, on the window's days in the place's own zone. */
export async function observationsNear(
  pool: Pick<pg.ClientBase, 'query'>,
  place: LocatedPlace,
  window: SearchWindow,
): Promise<ObservationNearby[]> {
  const { latitude, longitude, timezone } = place
  const near = await pool.query<{ id: string; latitude: number; longitude: number }>({
    ...STATIONS,
    values: [cellsWithin(latitude, longitude, STATION_REACH_MILES)],
  })
  const stations = new Map(
    near.rows
      .map((station) => ({ ...station, distance_miles: distanceMiles(latitude, longitude, station.latitude, station.longitude) }))
      .filter(({ distance_miles }) => distance_miles <= STATION_REACH_MILES)
      .map((station) => [station.id, station]),
  )
  if (stations.size === 0) return []
  type Value = Pick<ObservationNearby, 'station_id' | 'observed_at' | 'wind_gust_mph' | 'precipitation_in'>
  const { rows } = await pool.query<Value>({ ...VALUES, values: [[...stations.keys()], window.start, window.end, timezone] })
  return rows.map((value) => {
    const { latitude, longitude, distance_miles } = stations.get(value.station_id) as {
      latitude: number
      longitude: number
      distance_miles: number
    }
    return { ...value, latitude, longitude, distance_miles }
  })
}
