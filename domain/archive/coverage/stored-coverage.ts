import type { UnplacedZones } from '#domain/archive/coverage/window-coverage.ts'
import { isSample, type SourceId, unrealSources } from '#domain/weather/sources.ts'

/** The requested days, YYYY-MM-DD, both included. */
export interface Days {
  start: string
  end: string
}

/** What the archive has of a window. */
export interface StoredCoverage {
  /** Every state that the circle meets. */
  states: string[]
  /** The state of the place itself; null at sea and abroad. */
  state: string | null
  /** Months of the window in the circle's states, by source. */
  held: StoredMonth[]
  /**
   * State -> last month that has the final record, inside the window or not: YYYY-MM. Contains the circle's states and those under which
   * records of the circle are filed.
   */
  final_to: Record<string, string>
  /** Source -> the local day up to which its feed was read, YYYY-MM-DD. A current month is stored up to that day only. */
  read_through: Partial<Record<SourceId, string>>
  /** Days of the window by source and state, for the sources that are stored by the day. */
  held_days: StoredDays[]
  /** Days of the window that have any real radar in the state of the place. */
  radar_days: number
  /** Grids of the largest of 24 hours whose 24 hours match no day of the place. */
  radar_maxima: number
  unplaced_zones: UnplacedZones[]
  unplaced_running: number
}

export interface StoredDays {
  source: SourceId
  state: string
  days: number
  moments: number
  /** The days that have only their largest estimate, and no moments. */
  largest_only: number
}

export interface StoredMonth {
  source: SourceId
  state: string
  /** YYYY-MM */
  month: string
  preliminary: boolean
  compiled_on: string | null
}

/** Whether the made-up sample may stand in for a window: only if no real source has any of it. */
export function canUseSample({ held, held_days, unplaced_zones }: StoredCoverage): boolean {
  const hasNoRealData = [...held, ...held_days].every(({ source }) => unrealSources.includes(source)) && unplaced_zones.length === 0
  return hasNoRealData && held.some(isSample)
}
