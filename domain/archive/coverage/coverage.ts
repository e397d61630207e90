import { isCompiledEarly, lastDayOf, monthSpansOf, monthsBetween } from '#domain/archive/coverage/coverage-months.ts'
import { coveringSources } from '#domain/archive/coverage/covering-sources.ts'
import type { Days, StoredCoverage, StoredDays, StoredMonth } from '#domain/archive/coverage/stored-coverage.ts'
import type { EarlyMonths, RunningRecord, StoredRadar, WindowCoverage } from '#domain/archive/coverage/window-coverage.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { present } from '#domain/kernel/present.ts'
import {
  FINAL_SOURCE,
  isSample,
  mosaicSources,
  preliminarySources,
  SAMPLE_SOURCE,
  type SourceId,
  ZONE_SOURCE,
} from '#domain/weather/sources.ts'

/**
 * Returns what the archive has of a window. A complete window needs the final record for every month up to the record's
 * last month, and preliminary reports for the months after that. Radar and forecast zones are never needed.
 * @param sample the made-up sample is searched and stands in for the final record
 * @param reaches whether the radar mosaic reaches the place; null if unknown
 */
export function coverageOf(
  read: StoredCoverage,
  window: Days,
  sample: boolean,
  running_into: RunningRecord[],
  reaches: boolean | null = null,
): WindowCoverage {
  const stored = read.held.filter((month) => isSample(month) === sample && month.source !== ZONE_SOURCE)
  const final = sample ? SAMPLE_SOURCE : FINAL_SOURCE
  const months = monthsBetween(window.start.slice(0, 7), window.end.slice(0, 7))
  const storedKeys = new Set(stored.map(({ source, state, month }) => `${source} ${state} ${month}`))
  const finalTo = (state: string) =>
    sample ? lastMonthOf(stored.filter((month) => month.state === state)) : (read.final_to[state] ?? null)
  /** How much of a month is stored in every state. A month of reports counts up to the day to which its feed was read. */
  const completenessOf = (month: string): 'whole' | 'part' | 'none' => {
    const firstDay = present([`${month}-01`, window.start].sort().at(-1))
    const through = read.states.map((state) => {
      const last = finalTo(state)
      const sources = last !== null && month <= last ? [final] : preliminarySources
      return latest(sources.flatMap((source) => (storedKeys.has(`${source} ${state} ${month}`) ? [readTo(read, source, month)] : [])))
    })
    if (through.some((day) => day === null || day < firstDay)) return 'none'
    return through.every((day) => present(day) >= present(earlier(lastDayOf(month), window.end))) ? 'whole' : 'part'
  }
  const missing = months.filter((month) => completenessOf(month) === 'none')
  const in_part = months.filter((month) => completenessOf(month) === 'part')
  const finals = months.filter(
    (month) => read.states.length > 0 && read.states.every((state) => storedKeys.has(`${final} ${state} ${month}`)),
  )
  const horizons = Object.fromEntries(read.states.map((state) => [state, lastDay(finalTo(state))]))
  const beyond = sample ? {} : Object.fromEntries(Object.entries(read.final_to).map(([state, month]) => [state, lastDay(month)]))
  return {
    complete: read.states.length > 0 && missing.length + in_part.length === 0,
    provisional: read.states.length === 0 || Object.values(horizons).some((horizon) => horizon === null || window.end > horizon),
    sources: coveringSources([...stored, ...daysOfPlace(read, sample)]),
    horizons: { ...beyond, ...horizons },
    final_through: earlier(lastDay(finals.at(-1) ?? null), window.end),
    preliminary: preliminarySpan(read, stored, horizons, window),
    missing: monthSpansOf(missing),
    in_part: monthSpansOf(in_part),
    final_in_part: false,
    early: sample ? null : earlyMonths(stored),
    unplaced_zones: sample ? [] : read.unplaced_zones,
    unplaced_running: sample ? 0 : read.unplaced_running,
    radar: radarOf(read, window, sample, reaches),
    sample,
    running_into,
  }
}

function earlyMonths(stored: StoredMonth[]): EarlyMonths | null {
  const early = stored.filter(({ source, month, compiled_on }) => source === FINAL_SOURCE && isCompiledEarly(month, compiled_on))
  const months = early.map(({ month }) => month).sort()
  const [from, to] = [months[0], months.at(-1)]
  if (from === undefined || to === undefined) return null
  const has_preliminary = stored.some(({ source, month }) => preliminarySources.includes(source) && months.includes(month))
  return { from, to, has_preliminary, compiled_on: present(early.map(({ compiled_on }) => present(compiled_on)).sort()[0]) }
}

/** Returns the last day of a month up to which a source's records were read. */
function readTo({ read_through }: StoredCoverage, source: SourceId, month: string): string {
  return present(earlier(lastDayOf(month), read_through[source] ?? lastDayOf(month)))
}

/** Returns the sources stored by the day in the state of the place. Another state's days say nothing about the place. */
function daysOfPlace(
  { held_days, state }: StoredCoverage,
  sample: boolean,
): (StoredDays & Pick<StoredMonth, 'compiled_on' | 'preliminary'>)[] {
  return held_days
    .filter((days) => days.state === state && isSample(days) === sample)
    .map((days) => ({ ...days, compiled_on: null, preliminary: false }))
}

function radarOf(read: StoredCoverage, { start, end }: Days, sample: boolean, reaches: boolean | null): StoredRadar {
  const stored = daysOfPlace(read, sample)
  const mosaic = stored.filter(({ source }) => mosaicSources.includes(source))
  const lists = stored.filter(({ source }) => source === 'nexrad_hail')
  const daysOf = (days: StoredDays[]) => sum(days.map(({ days }) => days))
  return {
    of: Math.round((Date.parse(end) - Date.parse(start)) / DAY_MS) + 1,
    // Outside the mosaic's reach, only the lists of single radars count.
    days: reaches === false ? daysOf(lists) : sample ? daysOf(mosaic) : read.radar_days,
    moments: reaches === false ? 0 : sum(mosaic.map(({ moments }) => moments)),
    largest_only: reaches === false ? 0 : sum(mosaic.map(({ largest_only }) => largest_only)),
    reaches,
    maxima: sample ? 0 : read.radar_maxima,
  }
}

const sum = (numbers: number[]) => numbers.reduce((total, next) => total + next, 0)

function lastMonthOf(months: StoredMonth[]): string | null {
  return months.reduce<string | null>((last, { month }) => (last === null || month > last ? month : last), null)
}

function lastDay(month: string | null): string | null {
  return month && lastDayOf(month)
}

function earlier(day: string | null, limit: string): string | null {
  return day !== null && day > limit ? limit : day
}

/** Returns the span from the day after the earliest horizon to the last day of stored reports. */
function preliminarySpan(
  read: StoredCoverage,
  stored: StoredMonth[],
  horizons: WindowCoverage['horizons'],
  window: Days,
): WindowCoverage['preliminary'] {
  const after = Object.values(horizons).reduce<string>(
    (first, horizon) => (horizon === null ? '' : horizon < first ? horizon : first),
    window.end,
  )
  const months = stored.filter(({ source, month }) => preliminarySources.includes(source) && readTo(read, source, month) > after)
  const last = latest(months.map(({ source, month }) => readTo(read, source, month)))
  const first = months.reduce<string | null>((from, { month }) => (from === null || month < from ? month : from), null)
  if (last === null || first === null) return null
  const start = present([`${first}-01`, window.start, dayAfter(after)].sort().at(-1))
  return start > last ? null : { from: start, to: present(earlier(last, window.end)) }
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
