import { spansBetween, trimmedSpan, withSpan } from '#domain/archive/files/span.ts'
import { localMoment } from '#domain/archive/local-moment.ts'
import type { StationValue } from '#domain/archive/sources/source.ts'
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
/** PK WND 18049/2025: the largest gust of an automated station since its last hourly report. */
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
      const { gust_mph, peak_mph, rain_in } = measuredIn(report, observed_at)
      const values = { station_id, observed_at, wind_gust_mph: larger(gust_mph, peak_mph), precipitation_in: rain_in }
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

/** What a report states; null for what it does not. */
export interface Measured {
  /** Of the minutes before it was made. */
  gust_mph: number | null
  /** Of the hour before it was made. */
  peak_mph: number | null
  rain_in: number | null
}

/**
 * What one report states, that the service gives beside its own reading of it; null where it is none of that station and moment.
 * @param raw ASCII
 */
export function readReport(raw: string, station_id: string, observed_at: Date): Measured | null {
  const report = wordsOf(raw)
  const [, id, ...sent] = REPORT.exec(report) ?? []
  const moment = observed_at.toISOString().slice('YYYY-MM-'.length, 'YYYY-MM-DDTHH:MM'.length).replace(/\D/g, '')
  return id === station_id && sent.join('') === moment ? measuredIn(report, observed_at) : null
}

function measuredIn(report: string, observed_at: Date): Measured {
  return { gust_mph: gustOf(report), peak_mph: peakOf(report, observed_at), rain_in: rainOf(report) }
}

/** The larger of two; null where there is neither. */
export function larger(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other)
}

function gustOf(report: string): number | null {
  const [, , gust, unit] = WIND.exec(report) ?? []
  return gust ? Math.round(Number(gust) * (unit === 'MPS' ? MPH_PER_MPS : MPH_PER_KNOT)) || null : null
}

/** An older one is in the report of its own hour too, and one that is yet to come is mistaken. */
const PEAK_MINUTES_MAX = 60

function peakOf(report: string, observed_at: Date): number | null {
  const [, knots, hour, minute] = PEAK_WIND.exec(report) ?? []
  if (!knots || Number(hour ?? 0) > 23 || Number(minute) > 59) return null
  const made = observed_at.getUTCHours() * 60 + observed_at.getUTCMinutes()
  // Without an hour it is the last such minute.
  const age = hour === undefined ? (made - Number(minute) + 60) % 60 : (made - Number(hour) * 60 - Number(minute) + 1440) % 1440
  return age <= PEAK_MINUTES_MAX ? Math.round(Number(knots) * MPH_PER_KNOT) || null : null
}

function rainOf(report: string): number | null {
  const [, hundredths] = HOURLY_RAIN.exec(report) ?? []
  return hundredths === undefined ? null : Number(hundredths) / 100
}
