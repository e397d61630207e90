import type { RecordType } from '#domain/archive/families.ts'
import type { RecordSource } from '#domain/archive/record.ts'
import type { SourceId } from '#domain/archive/sources/index.ts'

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
  /** Last day of the window with final records in every state; null where the window has none. */
  final_through: string | null
  /** The days of the window after the final record for which preliminary reports are held. */
  preliminary: { from: string; to: string } | null
  /** Months of the window never imported, as spans: YYYY-MM, both included. */
  missing: MonthSpan[]
  /** False where no table of forecast zones is held: zone records are kept, and not cited. */
  zones_searched: boolean
  /** True where a radar source holds some of the window. */
  radar_held: boolean
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
