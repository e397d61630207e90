import type pg from 'pg'
import type { RecordType } from '#domain/archive/families.ts'
import { lastDayOf, monthAfter, monthsBetween } from '#domain/archive/months.ts'
import type { ArchiveRecord, RecordSource } from '#domain/archive/record.ts'
import { type SourceId, sourceById } from '#domain/archive/sources/index.ts'

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
  /** Such spans of which somebody's records are cited all the same: from an export, or a single file of a feed. */
  in_part: MonthSpan[]
  /** True where final records are among those. */
  final_in_part: boolean
  /** False where no table of forecast zones is held: zone records are kept, and not cited. */
  zones_searched: boolean
  /** True where a radar source holds some of the window. */
  radar_held: boolean
  /** Whether the radar mosaic reaches the place; null or absent where no frame of the window is held to tell. */
  radar_reaches?: boolean | null
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

/** The days asked for, YYYY-MM-DD, both included. */
export interface Days {
  start: string
  end: string
}

/** What is held of a window, as the coverage table has it. */
export interface HeldMonths {
  states: string[]
  /** Months of the window in the circle's states, by source. */
  held: HeldMonth[]
  /** State -> last month of which the final record is held, in the window or not: YYYY-MM. */
  final_to: Record<string, string>
  zones_searched: boolean
}

export interface HeldMonth {
  source: SourceId
  state: string
  /** YYYY-MM */
  month: string
  preliminary: boolean
  compiled_on: string | null
}

const READ = {
  name: 'held-months',
  text: `
    SELECT coalesce((
             SELECT jsonb_agg(jsonb_build_object('source', source, 'state', state, 'month', to_char(month, 'YYYY-MM'), 'preliminary', preliminary, 'compiled_on', compiled_on))
               FROM coverage WHERE state = ANY($1) AND month BETWEEN $2::date AND $3::date), '[]') AS held,
           coalesce((
             SELECT jsonb_object_agg(state, month)
               FROM (SELECT state, to_char(max(month), 'YYYY-MM') AS month FROM coverage WHERE source = $4 AND state = ANY($1) GROUP BY state) final), '{}') AS final_to,
           EXISTS (SELECT FROM zone_counties) AS zones_searched`,
}

/** Reads what is held of a window in the states that its circle meets. */
export async function readHeldMonths(pool: Pick<pg.ClientBase, 'query'>, states: string[], window: Days): Promise<HeldMonths> {
  const { rows } = await pool.query<Omit<HeldMonths, 'states'>>({
    ...READ,
    values: [states, `${window.start.slice(0, 7)}-01`, window.end, FINAL],
  })
  return { states, ...(rows[0] as Omit<HeldMonths, 'states'>) }
}

const FINAL: SourceId = 'noaa_storm_events'
/** Either of them answers for the time after the final record. */
const PRELIMINARY: SourceId[] = ['nws_lsr', 'noaa_spc_reports']
const SAMPLE: SourceId = 'sample'
/** The sample has the radar of its storm with it. */
const RADAR: SourceId[] = ['noaa_mesh', 'nexrad_hail', SAMPLE]
/** Holds no records: it is a help of the search, not searched itself. */
const ZONES: SourceId = 'nws_zones'

/**
 * Sources whose months are not held by anything real: the sample is made up, and the others have no records of their own,
 * only context. The made-up records of a month go when any other source holds it, in reports and exposures alike.
 */
export const NOTHING_REAL: readonly SourceId[] = [SAMPLE, ZONES, 'asos', 'nws_warnings']

/** Whether the made-up sample may answer for a window: only where no real source holds any of it. */
export function sampleAnswers({ held }: HeldMonths): boolean {
  return held.some(({ source }) => source === SAMPLE) && held.every(({ source }) => NOTHING_REAL.includes(source))
}

/**
 * What the archive holds of a window. Needed are the final record for every month up to its last one, and preliminary
 * reports for the months after that; radar and forecast zones are never needed.
 * @param sample the made-up sample answers, and stands in for the final record
 */
export function coverageOf(read: HeldMonths, window: Days, sample: boolean, running_into: RunningRecord[]): WindowCoverage {
  const held = read.held.filter(({ source }) => (source === SAMPLE) === sample && source !== ZONES)
  const final = sample ? SAMPLE : FINAL
  const months = monthsBetween(window.start.slice(0, 7), window.end.slice(0, 7))
  const holds = new Set(held.map(({ source, state, month }) => `${source} ${state} ${month}`))
  const finalTo = (state: string) => (sample ? lastOf(held.filter((month) => month.state === state)) : (read.final_to[state] ?? null))
  const isHeld = (month: string) =>
    read.states.every((state) => {
      const last = finalTo(state)
      return last !== null && month <= last
        ? holds.has(`${final} ${state} ${month}`)
        : PRELIMINARY.some((source) => holds.has(`${source} ${state} ${month}`))
    })
  const missing = months.filter((month) => !isHeld(month))
  const finals = months.filter((month) => read.states.length > 0 && read.states.every((state) => holds.has(`${final} ${state} ${month}`)))
  const horizons = Object.fromEntries(read.states.map((state) => [state, lastDay(finalTo(state))]))
  return {
    complete: read.states.length > 0 && missing.length === 0,
    provisional: read.states.length === 0 || Object.values(horizons).some((horizon) => horizon === null || window.end > horizon),
    sources: coveringSources(held),
    horizons,
    final_through: earlier(lastDay(finals.at(-1) ?? null), window.end),
    preliminary: preliminarySpan(held, horizons, window),
    missing: spansOf(missing),
    in_part: [],
    final_in_part: false,
    zones_searched: read.zones_searched,
    radar_held: held.some(({ source }) => RADAR.includes(source)),
    sample,
    running_into,
  }
}

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
  const within = ({ from, to }: MonthSpan) => seen.filter(({ occurred_on }) => occurred_on >= from && occurred_on.slice(0, 7) <= to)
  return {
    ...coverage,
    sources: unlisted.length === 0 ? coverage.sources : [...coverage.sources, ...coveringSources(unlisted)].sort(byIdentifier),
    missing: coverage.missing.filter((span) => within(span).length === 0),
    in_part: coverage.missing.filter((span) => within(span).length > 0),
    final_in_part: coverage.missing.some((span) => within(span).some(({ preliminary }) => !preliminary)),
    radar_held: coverage.radar_held || unlisted.some(({ source }) => RADAR.includes(source)),
  }
}

function byIdentifier(one: CoveringSource, other: CoveringSource): number {
  return one.source < other.source ? -1 : 1
}

function lastOf(held: HeldMonth[]): string | null {
  return held.reduce<string | null>((last, { month }) => (last === null || month > last ? month : last), null)
}

function lastDay(month: string | null): string | null {
  return month && lastDayOf(month)
}

function earlier(day: string | null, limit: string): string | null {
  return day !== null && day > limit ? limit : day
}

function coveringSources(held: Pick<HeldMonth, 'source' | 'compiled_on' | 'preliminary'>[]): CoveringSource[] {
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

/** From the day after the earliest horizon to the last month of reports held. */
function preliminarySpan(held: HeldMonth[], horizons: WindowCoverage['horizons'], window: Days): WindowCoverage['preliminary'] {
  const after = Object.values(horizons).reduce<string>(
    (first, horizon) => (horizon === null ? '' : horizon < first ? horizon : first),
    window.end,
  )
  const months = held.filter(({ source, month }) => PRELIMINARY.includes(source) && lastDayOf(month) > after)
  const last = lastOf(months)
  const first = months.reduce<string | null>((from, { month }) => (from === null || month < from ? month : from), null)
  if (last === null || first === null) return null
  const begins = [`${first}-01`, window.start, dayAfter(after)].sort().at(-1) as string
  return { from: begins, to: earlier(lastDayOf(last), window.end) as string }
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
