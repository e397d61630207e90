import type { App } from '#domain/app.ts'
import type { WindowCoverage } from '#domain/archive/coverage.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import type { LocatedPlace } from '#domain/places/place.ts'

export interface SearchWindow {
  /** YYYY-MM-DD, both included; a record is in when its own local date is. */
  start: string
  end: string
  radius_miles: number
}

/** All that the archive has to say about one place's window, before supersession and relevance. */
export interface Evidence {
  /** occurred_on, begins_at and id descending. */
  records: NearbyRecord[]
  observations: ObservationNearby[]
  coverage: WindowCoverage
}

/** An hourly value of a station within 25 miles. */
export interface ObservationNearby {
  station_id: string
  observed_at: Date
  wind_gust_mph: number | null
  precipitation_in: number | null
  latitude: number
  longitude: number
  distance_miles: number
}

/** Everything within reach of a place in a window, with what the archive holds of it. */
export async function searchArchive(_app: Pick<App, 'pool'>, _place: LocatedPlace, _window: SearchWindow): Promise<Evidence> {
  throw new Error('not built')
}
