import { spansBetween, trimmedSpan, withSpan } from '#domain/archive/files/span.ts'
import { localMoment } from '#domain/archive/local-moment.ts'
import type { StationValue } from '#domain/archive/sources/source.ts'
import { HOUR_MS } from '#domain/kernel/durations.ts'
import { tupleOf } from '#domain/kernel/present.ts'
import { MPH_PER_KNOT, MPH_PER_MPS } from '#domain/weather/units.ts'

/** What a collection of METAR reports holds. */
export interface ReadMetar {
  /** Reports of METAR and SPECI, those that could not be used too. */
  reports: number
  values: StationValue[]
  refused: { line: string; reason: string }[]
}

/** METAR KDFW 142353Z AUTO 17027G37KT ...; a collective says METAR once above them all. */
const REPORT = /^(?:METAR |SPECI )?(?:COR )?([A-Z][A-Z0-9]{3}) (\d{2})(\d{2})(\d{2})Z(?: |$)/
/** METAR KDFW 142353Z NIL: the station sent none. */
const NIL = /Z NIL(?: |$)/
/** KDFW 142353Z COR 17027G37KT ..., METAR COR KDFW 142353Z ...: it says anew what was sent before of the same moment. */
export const CORRECTED = /^(?:METAR |SPECI )?COR |^[^Z]*Z (?:COR|CC[A-Z])(?: |$)/
const WIND = / (?:\d{3}|VRB)(\d{2,3})(?:G(\d{2,3}))?(KTS?|MPS)(?= |$)/
/** PK WND 18049/2025: the hour's largest gust of an automated station. */
const PEAK_WIND = / PK WND \d{3}(\d{2,3})\/(\d{2})?(\d{2})(?= |$)/
/** Hundredths of an inch since the last hourly report; 0000 is a trace. */
const HOURLY_RAIN = / P(\d{4})(?= |$)/

/**
 * Reads METAR reports (FMH-1). They name the day alone: the month is the caller's to say.
 * @param file its bytes as latin1
 * @param month YYYY-MM
 */
export function readMetar(file: string, month: string): ReadMetar {
  const read: ReadMetar = { reports: 0, values: [], refused: [] }
  const corrections = new Map<string, StationValue>()
  for (const part of spansBetween(file, REPORT_END)) {
    const span = trimmedSpan(file, part)
    const report = wordsOf(file.slice(span.start, span.start + span.length))
    const [, station_id, day, hour, minute] = REPORT.exec(report) ?? []
    if (!station_id) continue
    read.reports += 1
    if (NIL.test(report)) continue
    const observed_at = momentOf(month, Number(day), Number(hour), Number(minute))
    if (!observed_at) read.refused.push({ line: report.slice(0, 60), reason: `the month ${month} has no such day or time` })
    else {
      const values = { station_id, observed_at, wind_gust_mph: gustOf(report, observed_at), precipitation_in: rainOf(report) }
      const isCorrected = CORRECTED.test(report)
      const value = withSpan<StationValue>(isCorrected ? { ...values, withdraws: 'all' } : values, span)
      read.values.push(value)
      if (isCorrected) corrections.set(momentKey(value), value)
    }
  }
  const stands = (value: StationValue) => (corrections.get(momentKey(value)) ?? value) === value
  return corrections.size === 0 ? read : { ...read, values: read.values.filter(stands) }
}

const momentKey = ({ station_id, observed_at }: StationValue) => `${station_id} ${observed_at.getTime()}`

/** A report ends at its equals sign, or where the next begins: its later lines are indented. What does not print is no letter. */
const REPORT_END = /=|\n(?=[^\x20-\x7e\n]*[!-~])/g

/** What prints of a report, on one line. */
function wordsOf(report: string): string {
  return report
    .replace(/[^\x20-\x7e\n]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

function momentOf(month: string, day: number, hour: number, minute: number): Date | null {
  const [year, number] = tupleOf(month.split('-').map(Number), 2)
  return localMoment({ year, month: number, day, hour, minute }, 0)
}

function gustOf(report: string, observed_at: Date): number | null {
  const [, , gust, unit] = WIND.exec(report) ?? []
  const stated = gust ? Number(gust) * (unit === 'MPS' ? MPH_PER_MPS : MPH_PER_KNOT) : 0
  const [, peak, hour] = PEAK_WIND.exec(report) ?? []
  // A peak of another hour is in that hour's report too.
  const ofThisHour =
    hour === undefined ||
    Number(hour) === observed_at.getUTCHours() ||
    Number(hour) === new Date(observed_at.getTime() - HOUR_MS).getUTCHours()
  const largest = Math.max(stated, peak && ofThisHour ? Number(peak) * MPH_PER_KNOT : 0)
  return largest > 0 ? Math.round(largest) : null
}

function rainOf(report: string): number | null {
  const [, hundredths] = HOURLY_RAIN.exec(report) ?? []
  return hundredths === undefined ? null : Number(hundredths) / 100
}
