import type { RecordSource, SourceId } from '#domain/weather/sources.ts'
import type { RecordType } from '#domain/weather/types.ts'

/** What the archive holds of one place's window: everything that a report must admit to. */
export interface WindowCoverage {
  /** All that is needed is held. */
  complete: boolean
  /** Part of the window lies after what the final record covers. */
  provisional: boolean
  /** The sources that hold some of the window, by identifier; those that found nothing too. */
  sources: CoveringSource[]
  /** State -> the last day that the final record covers there, null where it covers none: every state that the circle meets. */
  horizons: Record<string, string | null>
  /** Last day of the window of which final records are held in every state; null where there is none. */
  final_through: string | null
  /** The days of the window after the final record for which preliminary reports are held. */
  preliminary: { from: string; to: string } | null
  /** Months of the window never imported, as spans: YYYY-MM, both included. */
  missing: MonthSpan[]
  /** Spans that are held in part: of reports whose feed was read up to a day of them, or of which no month is held and a record cited. */
  in_part: MonthSpan[]
  /** True where final records are among those. */
  final_in_part: boolean
  /** Forecast-zone records of the window that no zone table places: kept, not cited, and so not searched. Empty where there are none. */
  unplaced_zones: UnplacedZones[]
  /** Forecast-zone records that began before the window, were still going on in it, and are not placed. */
  unplaced_running: number
  radar: StoredRadar
  /** True where the made-up sample answers for the window: never authoritative. */
  sample: boolean
  /** Records that began before the window and were still going on in it: not cited, but named. */
  running_into: RunningRecord[]
}

export interface CoveringSource {
  source: SourceId
  label: string
  /** Compile date of the oldest file used for the window, YYYY-MM-DD. */
  compiled_on: string | null
  preliminary: boolean
}

export interface MonthSpan {
  from: string
  to: string
}

export interface RunningRecord {
  id: number
  source: RecordSource
  type: RecordType
  occurred_on: string
  ends_at: Date
}

/** Forecast-zone records of one state and window whose zones the zone table does not name. */
export interface UnplacedZones {
  /** Two-letter code. */
  state: string
  records: number
  /** Most records first. */
  types: { type: RecordType; records: number }[]
  /** A zone table of the state is held, which does not name these zones: retired or new ones. */
  table_held: boolean
}

/** How many forecast-zone records could not be placed, in all states together. */
export function unplacedRecords(unplaced: UnplacedZones[]): number {
  return unplaced.reduce((total, { records }) => total + records, 0)
}

/** Radar of a window, in the state of the place: a day counts where any moment of it is held. */
export interface StoredRadar {
  /** Days of the window. */
  of: number
  /** Those of which radar of the place is held, in part at least. */
  days: number
  /** Moments of the mosaic held in them; 0 where only the lists of single radars are. */
  moments: number
  /** Of the days those of which the moments are gone or never came, and the largest of the day is kept. */
  largest_only: number
  /** Whether the mosaic reaches the place; null where nothing of the window says so. */
  reaches: boolean | null
  /** Grids of the largest of 24 hours of the window that span two dates: what is cited of them has a caveat. */
  maxima: number
}
