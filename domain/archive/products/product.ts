import { type ByteSpan, PRODUCT_LINE_END, spansBetween } from '#domain/archive/files/span.ts'
import { localMoment } from '#domain/archive/local-moment.ts'
import { offsetOfClockZone } from '#domain/archive/products/clock-zones.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { tupleOf } from '#domain/kernel/present.ts'

/** The head of an NWS text product. */
export interface TextProduct {
  /** The archive's name of the product: 202009090029-KPSR-WUUS55-SVRPSR. */
  product_id: string
  /** Four letters of the sending office: KPSR. */
  office: string
  /** Product and office as broadcast: SVRPSR. */
  awips: string
  /** The transmission time of the header line, UTC. */
  sent_at: Date
  /** Mark of a corrected or amended product, CCA or AAB; null for any other, including products sent again unchanged (RRA). */
  correction: string | null
  /** Offset of the product's own date line, hours from UTC, daylight saving included. */
  offset_hours: number
  /** City and state of the office as the product names it. */
  office_name: string | null
  text: string
}

const HEADER = /^([A-Z]{4}\d{2}) ([A-Z]{4}) (\d{2})(\d{2})(\d{2})(?: ([A-Z]{3}))?\s*$/m
const AWIPS = /^([A-Z0-9]{4,6})\s*$/m
/** An office whose area has two time zones may add the time of the other, in brackets or between slashes. */
const DATE_LINE =
  /^(\d{1,4}) (AM|PM) ([A-Z]{3,4})(?: (?:\([^)\n]*\)|\/[^/\n]*\/))?,? [A-Z]{3},? ([A-Z]{3}) +(\d{1,2}),? ((?:19|20)\d{2})(?: ?\/[^/\n]*\/)?\s*$/im
const OFFICE_LINE = /^NATIONAL WEATHER SERVICE (?!MESONET)(.*\S)/im
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

/**
 * Reads the head of a text product.
 * @throws Error naming the line that is missing or unreadable.
 */
export function readProduct(raw: string): TextProduct {
  // Lines as transmitted end with two carriage returns.
  const text = raw.replace(PRODUCT_LINE_END, '\n')
  const header = HEADER.exec(text)
  if (!header) throw new Error('the header line (such as NWUS53 KDMX 232354) is missing')
  const [line, heading, office, day, hour, minute] = tupleOf(header, 6)
  const rest = text.slice(header.index + line.length)
  const awips = AWIPS.exec(rest)?.[1] ?? heading
  const dated = readDateLine(rest)
  const sent_at = transmissionTime(dated.at, Number(day), Number(hour), Number(minute))
  if (!sent_at) throw new Error('the header line has no valid time')
  return {
    product_id: productId(sent_at, office, heading, awips),
    office,
    awips,
    sent_at,
    correction: correctionOf(header[6]),
    offset_hours: dated.offset_hours,
    office_name: OFFICE_LINE.exec(rest)?.[1] ?? null,
    text,
  }
}

/** Reads the product's own date line, "653 PM CDT TUE JUL 23 2013". */
function readDateLine(text: string): { at: Date; offset_hours: number } {
  const found = DATE_LINE.exec(text)
  if (!found) throw new Error('the date line (such as 653 PM CDT TUE JUL 23 2013) is missing')
  const [, clock, half, zone, month, day, year] = tupleOf(found, 7)
  const offset_hours = offsetOfClockZone(zone)
  if (offset_hours === null) throw new Error(`the time zone ${zone} is not known`)
  const date = { year: Number(year), month: MONTHS.indexOf(month.toUpperCase()) + 1, day: Number(day) }
  const time = readClock(clock, half)
  const at = time && localMoment({ ...date, ...time }, offset_hours)
  if (!at) throw new Error('the date line has no valid date and time')
  return { at, offset_hours }
}

/** Start and end marks of a transmission, which separate the products of a collection. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const TRANSMISSION_MARKS = /[\u0001\u0003]/g
const HEADERS = new RegExp(HEADER, 'gm')

/**
 * Returns the spans of the products in a file: one, or a collection, whose products are separated by the marks of their
 * transmission or, in joined files that have none, begin at their header lines. @param file its bytes as latin1
 */
export function productSpans(file: string): ByteSpan[] {
  return spansBetween(file, TRANSMISSION_MARKS)
    .flatMap((span) => splitAtHeaders(file, span))
    .filter(({ start, length }) => file.slice(start, start + length).trim() !== '')
}

/** Text before the first header belongs to its product. */
function splitAtHeaders(file: string, { start, length }: ByteSpan): ByteSpan[] {
  const [, ...further] = [...file.slice(start, start + length).matchAll(HEADERS)].map(({ index }) => index)
  return [0, ...further].map((at, nth) => ({ start: start + at, length: (further[nth] ?? length) - at }))
}

/** Reads "653" and "PM" as hour and minute of the day; null for an hour above 12. The hour after midnight may be written 12 or 0. */
export function readClock(digits: string, half: string): { hour: number; minute: number } | null {
  const padded = digits.padStart(4, '0')
  const shown = Number(padded.slice(0, 2))
  if (shown > 12) return null
  return { hour: (shown % 12) + (half.toUpperCase() === 'PM' ? 12 : 0), minute: Number(padded.slice(2)) }
}

/** Returns the archive's name of a product. */
export function productId(sent_at: Date, office: string, heading: string, awips: string): string {
  return `${stamp(sent_at)}-${office}-${heading}-${awips}`
}

/**
 * Returns the mark if it is one of a correction (CCA, CCB ...) or an amendment (AAA ...); null for any other (WMO Manual on
 * the Global Telecommunication System, BBB).
 */
export function correctionOf(mark: string | undefined): string | null {
  return mark && /^[AC]/.test(mark) ? mark : null
}

/**
 * Returns the transmission time. The header has only a day of the month and a time, so the day nearest to the product's own
 * date is meant. If that is more than two days away, one of the lines is wrong, and the product's own date is used. Null
 * for a day or time that no month has.
 */
export function transmissionTime(near: Date, day: number, hour: number, minute: number): Date | null {
  for (const shift of [0, -1, 1, -2, 2]) {
    const at = new Date(near.getTime() + shift * DAY_MS)
    if (at.getUTCDate() === day) return localMoment({ year: at.getUTCFullYear(), month: at.getUTCMonth() + 1, day, hour, minute }, 0)
  }
  return localMoment({ ...LONG_MONTH, day, hour, minute }, 0) && near
}

/** A month that has every possible day. */
const LONG_MONTH = { year: 2000, month: 1 }

function stamp(at: Date): string {
  return at.toISOString().replace(/\D/g, '').slice(0, 12)
}
