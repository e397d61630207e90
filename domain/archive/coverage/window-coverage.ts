import type { RecordSource, SourceId } from '#domain/weather/sources.ts'
import type { RecordType } from '#domain/weather/types.ts'

/** What the archive has of one place's window: everything that a report must state. */
export interface WindowCoverage {
  /** Everything needed is stored. */
  complete: boolean
  /** Part of the window is after the end of the final record. */
  provisional: boolean
  /** The sources that have some of the window, by identifier, including sources that found nothing. */
  sources: CoveringSource[]
  /**
   * State -> the last day that the final record covers there, or null if it covers none. Contains every state that the circle meets, and
   * those beyond it under which a preliminary record of the circle is filed.
   */
  horizons: Record<string, string | null>
  /** Last day of the window with final records in every state; null if there is none. */
  final_through: string | null
  /** The days of the window after the final record that have preliminary reports. */
  preliminary: { from: string; to: string } | null
  /** Months of the window that were never imported, as spans: YYYY-MM, both included. */
  missing: MonthSpan[]
  /** Spans stored in part: months whose feed of reports was read only to a day within them, or that are not stored but have a cited record. */
  in_part: MonthSpan[]
  /** True if final records are among those. */
  final_in_part: boolean
  /** Final months that were compiled before every office must have reported; null if there are none. */
  early: EarlyMonths | null
  /**
   * Forecast-zone records of the window whose zones are not in the zone table: stored, but neither cited nor searched.
   * Empty if there are none.
   */
  unplaced_zones: UnplacedZones[]
  /** Forecast-zone records that began before the window, continued into it, and have no place. */
  unplaced_running: number
  radar: StoredRadar
  /** True if the made-up sample stands in for the window: never authoritative. */
  sample: boolean
  /** Records that began before the window and continued into it: not cited, but named. */
  running_into: RunningRecord[]
}

export interface CoveringSource {
  source: SourceId
  label: string
  /** Compile date of the oldest file used for the window, YYYY-MM-DD. */
  compiled_on: string | null
  /** Compile date of the newest, if it is another. */
  compiled_to?: string
  /** True if records of a file without a compile date are cited beside those of the dated files. */
  undated?: boolean
  preliminary: boolean
}

/** From the first to the last of such months, YYYY-MM. */
export interface EarlyMonths extends MonthSpan {
  /** Compile date of the oldest of their files, YYYY-MM-DD. */
  compiled_on: string
  /** True if there are preliminary reports of these months: they are not used beside final ones. */
  has_preliminary: boolean
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

/** Forecast-zone records of one state and window whose zones are not in the zone table. */
export interface UnplacedZones {
  /** Two-letter code. */
  state: string
  records: number
  /** Most records first. */
  types: { type: RecordType; records: number }[]
  /** True if a zone table of the state is stored but lacks these zones: they are retired or new. */
  table_held: boolean
}

/** Returns how many forecast-zone records could not be placed, in all states together. */
export function unplacedRecords(unplaced: UnplacedZones[]): number {
  return unplaced.reduce((total, { records }) => total + records, 0)
}

/** Radar of a window, in the state of the place. A day counts if any moment of it is stored. */
export interface StoredRadar {
  /** Total days of the window. */
  of: number
  /** Days that have radar of the place, at least in part. */
  days: number
  /** Moments of the mosaic stored for these days; 0 if only the lists of single radars are stored. */
  moments: number
  /** The days that have only their largest estimate: the moments were deleted or never arrived. */
  largest_only: number
  /** Whether the mosaic reaches the place; null if nothing in the window shows it. */
  reaches: boolean | null
  /** Grids of the largest of 24 hours in the window that span two dates. Records cited from them have a caveat. */
  maxima: number
}
