import { lastDayOf, monthAfter, monthsBetween } from '#domain/archive/coverage/coverage-months.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'
import { type SourceId, sourceById } from '#domain/archive/sources/index.ts'
import { present } from '#domain/kernel/present.ts'
import type { RecordSource } from '#domain/weather/sources.ts'
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
  return sum(unplaced.map(({ records }) => records))
}

/** Radar of a window, in the state of the place: a day counts where any moment of it is held. */
export interface StoredRadar {
  /** Days of the window. */
  of: number
  /** Those of which radar of the place is held, in part at least. */
  days: number
  /** Moments of the mosaic held in them; 0 where only the lists of single radars are. */
  moments: number
  /** Whether the mosaic reaches the place; null where no frame of the window is stored. */
  reaches: boolean | null
  /** Grids of the largest of 24 hours that lie in the window: each spans two dates, so that reports do not use them. */
  maxima: number
}

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
  radar_maxima: number
  unplaced_zones: UnplacedZones[]
  unplaced_running: number
}

export interface StoredDays {
  source: SourceId
  state: string
  days: number
  moments: number
}

export interface StoredMonth {
  source: SourceId
  state: string
  /** YYYY-MM */
  month: string
  preliminary: boolean
  compiled_on: string | null
}

const FINAL: SourceId = 'noaa_storm_events'
/** Either of them answers for the time after the final record. */
export const preliminarySources: SourceId[] = ['nws_lsr', 'noaa_spc_reports']
const SAMPLE: SourceId = 'sample'
/** The radar mosaic; the sample has that of its storm with it. */
const MOSAIC: SourceId[] = ['noaa_mesh', SAMPLE]
/** Holds no records: it is a help of the search, not searched itself. */
const ZONES: SourceId = 'nws_zones'

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

/**
 * What the archive holds of a window. Needed are the final record for every month up to its last one, and preliminary
 * reports for the months after that; radar and forecast zones are never needed.
 * @param sample the made-up sample answers, and stands in for the final record
 * @param reaches whether the radar mosaic reaches the place, where that is known
 */
export function coverageOf(
  read: StoredCoverage,
  window: Days,
  sample: boolean,
  running_into: RunningRecord[],
  reaches: boolean | null = null,
): WindowCoverage {
  const held = read.held.filter(({ source }) => (source === SAMPLE) === sample && source !== ZONES)
  const final = sample ? SAMPLE : FINAL
  const months = monthsBetween(window.start.slice(0, 7), window.end.slice(0, 7))
  const holds = new Set(held.map(({ source, state, month }) => `${source} ${state} ${month}`))
  const finalTo = (state: string) => (sample ? lastOf(held.filter((month) => month.state === state)) : (read.final_to[state] ?? null))
  /** How much of a month is held in every state: a month of reports no further than their feed was read. */
  const heldOf = (month: string): 'whole' | 'part' | 'none' => {
    const days = present([`${month}-01`, window.start].sort().at(-1))
    const through = read.states.map((state) => {
      const last = finalTo(state)
      const sources = last !== null && month <= last ? [final] : preliminarySources
      return latest(sources.flatMap((source) => (holds.has(`${source} ${state} ${month}`) ? [readTo(read, source, month)] : [])))
    })
    if (through.some((day) => day === null || day < days)) return 'none'
    return through.every((day) => present(day) >= present(earlier(lastDayOf(month), window.end))) ? 'whole' : 'part'
  }
  const missing = months.filter((month) => heldOf(month) === 'none')
  const in_part = months.filter((month) => heldOf(month) === 'part')
  const finals = months.filter((month) => read.states.length > 0 && read.states.every((state) => holds.has(`${final} ${state} ${month}`)))
  const horizons = Object.fromEntries(read.states.map((state) => [state, lastDay(finalTo(state))]))
  return {
    complete: read.states.length > 0 && missing.length + in_part.length === 0,
    provisional: read.states.length === 0 || Object.values(horizons).some((horizon) => horizon === null || window.end > horizon),
    sources: coveringSources([...held, ...daysOfPlace(read, sample)]),
    horizons,
    final_through: earlier(lastDay(finals.at(-1) ?? null), window.end),
    preliminary: preliminarySpan(read, held, horizons, window),
    missing: spansOf(missing),
    in_part: spansOf(in_part),
    final_in_part: false,
    unplaced_zones: sample ? [] : read.unplaced_zones,
    unplaced_running: sample ? 0 : read.unplaced_running,
    radar: radarOf(read, window, sample, reaches),
    sample,
    running_into,
  }
}

/** The last day of a month of which a source's records were read. */
function readTo({ read_through }: StoredCoverage, source: SourceId, month: string): string {
  return present(earlier(lastDayOf(month), read_through[source] ?? lastDayOf(month)))
}

/** What is held by the day of the place's own state: that of another says nothing about it. */
function daysOfPlace(
  { held_days, state }: StoredCoverage,
  sample: boolean,
): (StoredDays & Pick<StoredMonth, 'compiled_on' | 'preliminary'>)[] {
  return held_days
    .filter((days) => days.state === state && (days.source === SAMPLE) === sample)
    .map((days) => ({ ...days, compiled_on: null, preliminary: false }))
}

function radarOf(read: StoredCoverage, { start, end }: Days, sample: boolean, reaches: boolean | null): StoredRadar {
  const held = daysOfPlace(read, sample)
  const mosaic = held.filter(({ source }) => MOSAIC.includes(source))
  const lists = held.filter(({ source }) => source === 'nexrad_hail')
  const daysOf = (days: StoredDays[]) => sum(days.map(({ days }) => days))
  return {
    of: Math.round((Date.parse(end) - Date.parse(start)) / DAY_MS) + 1,
    // Where the mosaic does not reach, the lists of single radars are all that is held.
    days: reaches === false ? daysOf(lists) : sample ? daysOf(mosaic) : read.radar_days,
    moments: reaches === false ? 0 : sum(mosaic.map(({ moments }) => moments)),
    reaches,
    maxima: sample ? 0 : read.radar_maxima,
  }
}

const DAY_MS = 86_400_000
const sum = (numbers: number[]) => numbers.reduce((total, next) => total + next, 0)

/** What of a record its coverage has to admit to. */
type Cited = Pick<ArchiveRecord, 'source' | 'occurred_on' | 'preliminary' | 'compiled_on' | 'evidence_kind'>

/**
 * The coverage of what is cited. A selection of records marks no month as held, and yet its source holds some of the
 * window: it was searched, and of its months it cannot be said that no records are held. What is complete stays as it is.
 */
export function admitting(coverage: WindowCoverage, cited: Cited[]): WindowCoverage {
  const listed = new Set(coverage.sources.map(({ source }) => source))
  const unlisted = cited.filter(({ source }) => !listed.has(source))
  // Radar is never what a month is missing.
  const seen = cited.filter(({ evidence_kind }) => evidence_kind !== 'radar')
  const scanned = new Set(cited.filter(({ evidence_kind }) => evidence_kind === 'radar').map(({ occurred_on }) => occurred_on))
  const within = ({ from, to }: MonthSpan) => seen.filter(({ occurred_on }) => occurred_on >= from && occurred_on.slice(0, 7) <= to)
  return {
    ...coverage,
    sources: unlisted.length === 0 ? coverage.sources : [...coverage.sources, ...coveringSources(unlisted)].sort(byIdentifier),
    missing: coverage.missing.filter((span) => within(span).length === 0),
    in_part: [...coverage.in_part, ...coverage.missing.filter((span) => within(span).length > 0)].sort((one, other) =>
      one.from < other.from ? -1 : 1,
    ),
    final_in_part: coverage.missing.some((span) => within(span).some(({ preliminary }) => !preliminary)),
    radar: { ...coverage.radar, days: Math.max(coverage.radar.days, scanned.size) },
  }
}

/** The coverage of a place whose stations are used: they were searched, though they may stand in the next state. */
export function admittingStations(coverage: WindowCoverage, observations: number): WindowCoverage {
  if (observations === 0 || coverage.sources.some(({ source }) => source === 'asos')) return coverage
  const stations = coveringSources([{ source: 'asos', compiled_on: null, preliminary: false }])
  return { ...coverage, sources: [...coverage.sources, ...stations].sort(byIdentifier) }
}

function byIdentifier(one: CoveringSource, other: CoveringSource): number {
  return one.source < other.source ? -1 : 1
}

function lastOf(held: StoredMonth[]): string | null {
  return held.reduce<string | null>((last, { month }) => (last === null || month > last ? month : last), null)
}

function lastDay(month: string | null): string | null {
  return month && lastDayOf(month)
}

function earlier(day: string | null, limit: string): string | null {
  return day !== null && day > limit ? limit : day
}

function coveringSources(held: Pick<StoredMonth, 'source' | 'compiled_on' | 'preliminary'>[]): CoveringSource[] {
  const sources = [...new Set(held.map(({ source }) => source))].sort()
  return sources.map((source) => {
    const months = held.filter((month) => month.source === source)
    const compiled = months
      .map(({ compiled_on }) => compiled_on)
      .filter((day) => day !== null)
      .sort()
    return {
      source,
      label: sourceById(source)?.label ?? source,
      compiled_on: compiled[0] ?? null,
      preliminary: months.some(({ preliminary }) => preliminary),
    }
  })
}

/** From the day after the earliest horizon to the last day of reports held. */
function preliminarySpan(
  read: StoredCoverage,
  held: StoredMonth[],
  horizons: WindowCoverage['horizons'],
  window: Days,
): WindowCoverage['preliminary'] {
  const after = Object.values(horizons).reduce<string>(
    (first, horizon) => (horizon === null ? '' : horizon < first ? horizon : first),
    window.end,
  )
  const months = held.filter(({ source, month }) => preliminarySources.includes(source) && readTo(read, source, month) > after)
  const last = latest(months.map(({ source, month }) => readTo(read, source, month)))
  const first = months.reduce<string | null>((from, { month }) => (from === null || month < from ? month : from), null)
  if (last === null || first === null) return null
  const begins = present([`${first}-01`, window.start, dayAfter(after)].sort().at(-1))
  return begins > last ? null : { from: begins, to: present(earlier(last, window.end)) }
}

function latest(days: string[]): string | null {
  return [...days].sort().at(-1) ?? null
}

function dayAfter(day: string): string {
  if (day === '') return day
  const next = new Date(`${day}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}

/** Months in a row as one span. */
function spansOf(months: string[]): MonthSpan[] {
  const spans: MonthSpan[] = []
  for (const month of months) {
    const last = spans.at(-1)
    if (last && monthAfter(last.to) === month) last.to = month
    else spans.push({ from: month, to: month })
  }
  return spans
}
