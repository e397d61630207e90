import { spansBetween, trimmedSpan, withSpan } from '#domain/archive/files/span.ts'
import { localMoment } from '#domain/archive/local-moment.ts'
import type { StationValue } from '#domain/archive/sources/source.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { present, tupleOf } from '#domain/kernel/present.ts'
import { MPH_PER_KNOT, MPH_PER_MPS } from '#domain/weather/units.ts'

/** The contents of a collection of METAR reports. */
export interface ReadMetar {
  /** METAR and SPECI reports, including unusable ones. */
  reports: number
  values: StationValue[]
  refused: { line: string; reason: string }[]
}

/** METAR KDFW 142353Z AUTO 17027G37KT ...; a collective states METAR once above all of its reports. */
const REPORT = /^(?:METAR |SPECI )?(?:COR )?([A-Z][A-Z0-9]{3}) (\d{2})(\d{2})(\d{2})Z(?: |$)/
/** SAUS70 KWBC 010030: heads a bulletin of reports, with the day and time at which it was sent. */
const HEADING = /^[A-Z]{4}(?:\d{2})? [A-Z]{4} (\d{2})(\d{2})(\d{2})(?: |$)/
/** METAR KDFW 142353Z NIL: the station sent no report. */
const NIL = /Z NIL(?: |$)/
/** KDFW 142353Z COR 17027G37KT ..., METAR COR KDFW 142353Z ...: replaces the report sent before for the same time. */
export const CORRECTED = /^(?:METAR |SPECI )?COR |^[^Z]*Z (?:COR|CC[A-Z])(?: |$)/
const WIND = / (?:\d{3}|VRB)(\d{2,3})(?:G(\d{2,3}))?(KTS?|MPS)(?= |$)/
/** PK WND 18049/2025: the largest gust of an automated station since its last hourly report. */
const PEAK_WIND = / PK WND \d{3}(\d{2,3})\/(\d{2})?(\d{2})(?= |$)/
/** Hundredths of an inch since the last hourly report; 0000 is a trace. */
const HOURLY_RAIN = / P(\d{4})(?= |$)/

/**
 * Reads METAR reports (FMH-1). They state only the day, so the caller supplies the month. The bulletins at its turn have
 * reports of the evening before: a report under a heading is in the month that is next to it.
 * @param file its bytes as latin1
 * @param month YYYY-MM
 */
export function readMetar(file: string, month: string): ReadMetar {
  const read: ReadMetar = { reports: 0, values: [], refused: [] }
  const corrections = new Map<string, StationValue>()
  let sent: Clock | null = null
  for (const part of spansBetween(file, REPORT_END)) {
    const span = trimmedSpan(file, part)
    const report = wordsOf(file.slice(span.start, span.start + span.length))
    const heading = HEADING.exec(report)
    if (heading) sent = clockOf(heading.slice(1))
    const [, station_id, ...stated] = REPORT.exec(report) ?? []
    if (!station_id) continue
    read.reports += 1
    if (NIL.test(report)) continue
    const observed_at = momentOf(month, clockOf(stated), sent)
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

/**
 * A report ends at its equals sign or where the next one begins: its continuation lines are indented. Unprintable
 * characters do not begin a report.
 */
const REPORT_END = /=|\n(?=[^\x20-\x7e\n]*[!-~])/g

/** Returns the printable characters of a report on one line. */
function wordsOf(report: string): string {
  return report
    .replace(/[^\x20-\x7e\n]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

/** A day of some month, with its time in UTC. */
interface Clock {
  day: number
  hour: number
  minute: number
}

function clockOf(stated: string[]): Clock {
  const [day, hour, minute] = tupleOf(stated.map(Number), 3)
  return { day, hour, minute }
}

/** Reports that arrive late are sent within a day or two. */
const SENT_WITHIN_MS = 2 * DAY_MS

/**
 * Returns when a report was made: under a heading, the moment nearest to it. The heading is in the file's month, or in the
 * one after if only that is near: a file of July may end with the first bulletin of August.
 * @param sent the heading; null if the file has none before the report
 */
function momentOf(month: string, report: Clock, sent: Clock | null): Date | null {
  let found = { at: inMonth(month, 0, report), apart: SENT_WITHIN_MS }
  for (const of_heading of sent ? [0, 1] : []) {
    const sent_at = inMonth(month, of_heading, present(sent))
    for (const shift of [-1, 0, 1]) {
      const at = inMonth(month, of_heading + shift, report)
      const apart = at && sent_at ? Math.abs(at.getTime() - sent_at.getTime()) : SENT_WITHIN_MS
      if (apart < found.apart) found = { at, apart }
    }
  }
  return found.at
}

function inMonth(month: string, shift: number, { day, hour, minute }: Clock): Date | null {
  const [year, number] = tupleOf(month.split('-').map(Number), 2)
  const first = new Date(Date.UTC(year, number - 1 + shift))
  return localMoment({ year: first.getUTCFullYear(), month: first.getUTCMonth() + 1, day, hour, minute }, 0)
}

/** The values that a report states; null for those it does not state. */
export interface Measured {
  /** Within the minutes before the report. */
  gust_mph: number | null
  /** Within the hour before the report. */
  peak_mph: number | null
  rain_in: number | null
}

/**
 * Reads the raw report that the service supplies beside its own values. Returns null if it is not a report of that station
 * and time.
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

/** Returns the larger of two; null if both are null. */
export function larger(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.max(one, other)
}

function gustOf(report: string): number | null {
  const [, , gust, unit] = WIND.exec(report) ?? []
  return gust ? Math.round(Number(gust) * (unit === 'MPS' ? MPH_PER_MPS : MPH_PER_KNOT)) || null : null
}

/** An older peak is also in the report of its own hour, and one in the future is a mistake. */
const PEAK_MINUTES_MAX = 60

function peakOf(report: string, observed_at: Date): number | null {
  const [, knots, hour, minute] = PEAK_WIND.exec(report) ?? []
  if (!knots || Number(hour ?? 0) > 23 || Number(minute) > 59) return null
  const made = observed_at.getUTCHours() * 60 + observed_at.getUTCMinutes()
  // Without an hour it is the most recent time with that minute.
  const age = hour === undefined ? (made - Number(minute) + 60) % 60 : (made - Number(hour) * 60 - Number(minute) + 1440) % 1440
  return age <= PEAK_MINUTES_MAX ? Math.round(Number(knots) * MPH_PER_KNOT) || null : null
}

function rainOf(report: string): number | null {
  const [, hundredths] = HOURLY_RAIN.exec(report) ?? []
  return hundredths === undefined ? null : Number(hundredths) / 100
}
