import { cleanText } from '#domain/archive/files/text.ts'
import { localMoment } from '#domain/archive/local-moment.ts'
import { readClock, readProduct, type TextProduct } from '#domain/archive/products/product.ts'
import { UNKNOWN_RATING } from '#domain/archive/tornado-rating.ts'
import { messageOf } from '#domain/kernel/fault.ts'
import { valueAt } from '#domain/kernel/keys-of.ts'
import { present } from '#domain/kernel/present.ts'
import { typeOfLocalReport } from '#domain/weather/source-names.ts'
import { MPH_PER_KNOT } from '#domain/weather/units.ts'

/** One report of a local storm report product, as the product states it. */
export interface StormReport {
  /** The report's first line, by which a rejection names it. */
  row: string
  /** Valid time, UTC. The product states it in its own time zone. */
  at: Date
  /** As written: "TSTM WND GST", "Hail". */
  type_text: string
  magnitude: StormMagnitude | null
  /** "EFU", "FU": the rating of a tornado whose strength could not be determined; null for any other. */
  unknown_rating: string | null
  /** "2 ENE THORNTON" */
  city: string
  county: string
  /** Null if the product omits it. */
  state: string | null
  latitude: number
  longitude: number
  /** Who reported: "TRAINED SPOTTER". */
  reporter: string
  remark: string
}

export interface StormMagnitude {
  qualifier: 'measured' | 'estimated' | 'unknown'
  value: number
  unit: 'in' | 'mph' | 'mi' | 'ft' | 'acre' | 'f_scale'
}

export interface StormReportProduct {
  product: TextProduct
  reports: StormReport[]
  /** For each report, the lines of the product's text that contain it, from 0. */
  lines: Lines[]
  /** Unusable reports, by their first line. */
  refused: { line: string; reason: string }[]
}

export interface Lines {
  first: number
  last: number
}

/** Maximum characters of each of a report's first two lines; the columns end before the eightieth. */
const LINE_MAX = 250
/** "0301 PM     HAIL             1 NW FOREST CITY AIRPOR 43.24N 93.64W" */
const FIRST_LINE = /^(\d{4}) ([AP]M) {3,}(\S.*?) *(\d{1,2}\.\d+)([NS]) +(\d{1,3}\.\d+)([EW])\s*$/
const STARTS = /^\d{4} [AP]M {3,}\S/
/** Width of the event's column. Some products write the place directly after a shorter event. */
const EVENT_WIDTH = 17
/** "07/22/2013  E1.00 INCH       HANCOCK            IA   EMERGENCY MNGR  ": county and state may be missing, or be one column off. */
const SECOND_LINE = /^(\d{2})\/(\d{2})\/(\d{4}) {2}(.{17})(.*?)(?:\s*\b([A-Z]{2}))? {2,}(\S.*)?$/

/**
 * Reads a local storm report product: fixed columns, two lines for each report, its remark indented below.
 * @throws Error if the head of the product cannot be read.
 */
export function readStormReports(raw: string): StormReportProduct {
  const product = readProduct(raw)
  const read: StormReportProduct = { product, reports: [], lines: [], refused: [] }
  for (const { first, lines } of blocksOf(product.text)) {
    try {
      read.reports.push(readReport(lines, product))
      read.lines.push({ first, last: first + lines.findLastIndex((line) => line.trim() !== '') })
    } catch (fault) {
      read.refused.push({ line: present(lines[0]).trimEnd(), reason: messageOf(fault) })
    }
  }
  return read
}

/** Returns each report's lines, from its time to the line before the next report or the end of the list. */
function blocksOf(text: string): { first: number; lines: string[] }[] {
  const blocks: { first: number; lines: string[] }[] = []
  for (const [number, line] of text.split('\n').entries()) {
    if (STARTS.test(line)) blocks.push({ first: number, lines: [line] })
    else if (/^(&&|\$\$)/.test(line)) break
    else blocks.at(-1)?.lines.push(line)
  }
  return blocks
}

function readReport([first = '', second = '', ...rest]: string[], { offset_hours }: TextProduct): StormReport {
  if (first.length > LINE_MAX || second.length > LINE_MAX) throw new Error(`a line of it is longer than ${LINE_MAX} characters`)
  const [, clock, half, what, latitude, northSouth, longitude, eastWest] = FIRST_LINE.exec(first) ?? []
  if (!clock) throw new Error('its first line is not time, event, place and point')
  const [, month, day, year, magnitude, county, state, reporter] = SECOND_LINE.exec(second.padEnd(55)) ?? []
  if (!month) throw new Error('its second line is not date, magnitude, county and source')
  const date = { year: Number(year), month: Number(month), day: Number(day) }
  const time = readClock(clock, present(half))
  const at = time && localMoment({ ...date, ...time }, offset_hours)
  if (!at) throw new Error('its day or time does not exist')
  const { type_text, city } = splitEvent(present(what))
  return {
    row: first.trimEnd(),
    at,
    type_text,
    magnitude: readMagnitude(present(magnitude).trim()),
    unknown_rating: UNKNOWN_RATING.exec(present(magnitude).trim())?.[0].toUpperCase() ?? null,
    city,
    county: present(county).trim(),
    state: state ?? null,
    latitude: Number(latitude) * (northSouth === 'S' ? -1 : 1),
    longitude: Number(longitude) * (eastWest === 'W' ? -1 : 1),
    reporter: (reporter ?? '').trim(),
    remark: cleanText(rest.map((line) => line.trim()).join('\n'))
      .trim()
      .replace(/\n+/g, ' '),
  }
}

/** The event fills its column, or ends where a known event ends. */
function splitEvent(text: string): { type_text: string; city: string } {
  const words = text.trimEnd().split(' ')
  const inColumn = text[EVENT_WIDTH - 1] === ' ' || text.length < EVENT_WIDTH
  for (let count = words.length - 1; !inColumn && count > 0; count--) {
    const type_text = words.slice(0, count).join(' ')
    if (typeOfLocalReport(type_text).known) return { type_text, city: words.slice(count).join(' ') }
  }
  return { type_text: text.slice(0, EVENT_WIDTH).trim(), city: text.slice(EVENT_WIDTH).trim() }
}

const qualifiers: Readonly<Record<string, 'measured' | 'estimated' | 'unknown'>> = { M: 'measured', E: 'estimated', U: 'unknown' }
/** The spellings of units that offices use, and the transcription of their products. */
const units: Record<string, StormMagnitude['unit']> = {
  IN: 'in',
  INCH: 'in',
  INCHES: 'in',
  MPH: 'mph',
  MI: 'mi',
  MILE: 'mi',
  MILES: 'mi',
  FT: 'ft',
  FOOT: 'ft',
  FEET: 'ft',
  ACRE: 'acre',
  ACRES: 'acre',
}
/** Used in reports at sea. */
const KNOTS = /^(KT|KTS|KNOTS)$/i

/** Returns a value with its unit, knots converted to miles an hour; null if the unit is not known. */
export function inUnit(value: number, word: string): Pick<StormMagnitude, 'value' | 'unit'> | null {
  if (KNOTS.test(word)) return { value: Math.round(value * MPH_PER_KNOT), unit: 'mph' }
  const unit = valueAt(units, word.toUpperCase())
  return unit ? { value, unit } : null
}

/** Reads "E1.75 INCH", "M63 MPH", "F1". A trace, zero of unknown origin, and a tornado of unknown strength (EFU) have no magnitude. */
function readMagnitude(text: string): StormMagnitude | null {
  if (text === '' || /^[MEU]?\s*T(RACE)?\s/i.test(text) || UNKNOWN_RATING.test(text)) return null
  const [, rating] = /^E?F(\d)$/i.exec(text) ?? []
  if (rating) return { qualifier: 'estimated', value: Number(rating), unit: 'f_scale' }
  const [, mark, digits, word] = /^([MEU])?\s*(-?\d*\.?\d+)\s+([A-Z]+)$/i.exec(text) ?? []
  if (!digits) throw new Error(`its magnitude "${text}" is not a number with a unit`)
  const stated = inUnit(Number(digits), present(word))
  if (!stated) throw new Error(`its unit "${word}" is not known`)
  const qualifier = present(qualifiers[mark?.toUpperCase() ?? 'U'])
  return stated.value === 0 && qualifier === 'unknown' ? null : { qualifier, ...stated }
}
