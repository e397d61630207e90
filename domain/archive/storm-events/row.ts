import type { State } from '#domain/geo/states.ts'

/** A row of Storm Events as text, from any kind of file. Missing texts are empty. */
export interface EventRow {
  event_id: string
  begin: LocalTime
  /** Null if the row gives none. */
  end: LocalTime | null
  zone: string
  /** Null for the sea and the Great Lakes. */
  state: State | null
  /** C county, Z forecast zone, M marine zone. */
  area_type: string
  area_number: string
  area_name: string
  event_type: string
  source: string
  magnitude: string
  magnitude_type: string
  rating: string
  begin_latitude: string
  begin_longitude: string
  end_latitude: string
  end_longitude: string
  /** Miles of a tornado's path. */
  path_length: string
  /** Yards: of its greatest width, before 1994 of its mean. */
  path_width: string
  event_narrative: string
  episode_narrative: string
}

/** Local time by the clock of the row's zone: standard time, but for some rows of the 1990s. */
export interface LocalTime {
  year: number
  month: number
  day: number
  /** Hours and minutes without padding. */
  hhmm: number
}
