import type { UnplacedZones } from '#domain/archive/coverage/window-coverage.ts'
import type { SourceId } from '#domain/archive/sources/index.ts'
import { preliminarySources } from '#domain/weather/sources.ts'

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

export const FINAL: SourceId = 'noaa_storm_events'
/** Either of them answers for the time after the final record. */
export const PRELIMINARY: readonly SourceId[] = preliminarySources
export const SAMPLE: SourceId = 'sample'
/** The radar mosaic; the sample has that of its storm with it. */
export const MOSAIC: SourceId[] = ['noaa_mesh', SAMPLE]
/** Holds no records: it is a help of the search, not searched itself. */
export const ZONES: SourceId = 'nws_zones'

/**
 * Sources whose months are not held by anything real: the sample is made up, and the others have no records of their own,
 * only context. The made-up records of a month go when any other source holds it, in reports and exposures alike.
 */
export const NO_REAL_COVERAGE: readonly SourceId[] = [SAMPLE, ZONES, 'asos', 'nws_warnings']

/** Whether the made-up sample may answer for a window: only where no real source holds any of it. */
export function sampleAnswers({ held, held_days, unplaced_zones }: StoredCoverage): boolean {
  const nothingReal = [...held, ...held_days].every(({ source }) => NO_REAL_COVERAGE.includes(source)) && unplaced_zones.length === 0
  return nothingReal && held.some(({ source }) => source === SAMPLE)
}
