import type { UnplacedZones } from '#domain/archive/coverage/window-coverage.ts'
import { isSample, type SourceId, unrealSources } from '#domain/weather/sources.ts'

/** The days asked for, YYYY-MM-DD, both included. */
export interface Days {
  start: string
  end: string
}

/** What is held of a window, as the archive has it. */
export interface StoredCoverage {
  /** Every state that the circle meets. */
  states: string[]
  /** That of the place itself; null at sea and abroad. */
  state: string | null
  /** Months of the window in the circle's states, by source. */
  held: StoredMonth[]
  /** State -> last month of which the final record is held, in the window or not: YYYY-MM. */
  final_to: Record<string, string>
  /** Source -> the local day up to which its feed was read, YYYY-MM-DD: a month that goes on is held no further. */
  read_through: Partial<Record<SourceId, string>>
  /** Days of the window by source and state, of the sources that are held by the day. */
  held_days: StoredDays[]
  /** Days of the window of which any real radar is held in the state of the place. */
  radar_days: number
  /** Grids of the largest of 24 hours whose hours are those of no day of the place. */
  radar_maxima: number
  unplaced_zones: UnplacedZones[]
  unplaced_running: number
}

export interface StoredDays {
  source: SourceId
  state: string
  days: number
  moments: number
  /** Of the days those of which no moment is held any more, and the largest of the day is. */
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

/** Whether the made-up sample may answer for a window: only where no real source holds any of it. */
export function sampleAnswers({ held, held_days, unplaced_zones }: StoredCoverage): boolean {
  const nothingReal = [...held, ...held_days].every(({ source }) => unrealSources.includes(source)) && unplaced_zones.length === 0
  return nothingReal && held.some(isSample)
}
