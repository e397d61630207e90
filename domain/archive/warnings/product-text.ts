import type { Position } from 'geojson'
import { type ByteSpan, spansBetween, trimmedSpan } from '#domain/archive/files/span.ts'
import { cleanText } from '#domain/archive/files/text.ts'
import { localMoment } from '#domain/archive/local-moment.ts'
import type { TextProduct } from '#domain/archive/products/product.ts'
import { productPage } from '#domain/archive/warnings/citation.ts'
import { firstArea, messageKey } from '#domain/archive/warnings/message-key.ts'
import { areasOf, expandCodes } from '#domain/archive/warnings/ugc.ts'
import { endsWarning, findVtec, type Vtec, warningKey, yearOf } from '#domain/archive/warnings/vtec.ts'
import { readThreats, type WarningMessage } from '#domain/archive/warnings/warning.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { present, tupleOf } from '#domain/kernel/present.ts'
import { warningPhenomenon } from '#domain/weather/warning-phenomena.ts'

/** Offices whose longitudes count east: Guam and its neighbours. */
const EASTERN_OFFICES = ['PGUM']

/**
 * Ends a segment, at the start of a line, ignoring control characters. A mark before a polygon is premature: ending the
 * segment there would extend the warning to whole counties, more than its office stated.
 */
const SEGMENT_END = /^\$\$(?!\s*LAT\.\.\.LON)/im
const SEGMENT_END_AS_SENT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is passed over
  /(?<![^\r\n])[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*\$\$(?![\s\u0000-\u001f\u007f]*LAT\.\.\.LON)/gi

/**
 * Returns the spans of the segments of a product, one for each that `readWarningProduct` reads. @param raw the product's
 * bytes as latin1
 */
export function segmentSpans(raw: string): ByteSpan[] {
  return spansBetween(raw, SEGMENT_END_AS_SENT).map((span) => trimmedSpan(raw, span))
}

/**
 * Returns the warnings of a text product: for each segment, one message for each event code. A test code yields a message
 * like any other; the caller filters (isWatched).
 * @throws Error if no segment has an event code. Without one, a warning cannot be distinguished from others of its office,
 *   nor matched with later messages. Offices have written codes since 2005.
 */
export function readWarningProduct(product: TextProduct): WarningMessage[][] {
  const messages = cleanText(product.text)
    .split(SEGMENT_END)
    .map((segment) => messagesOf(product, segment))
  if (messages.every((of) => of.length === 0))
    throw new Error(`${product.product_id} has no event code (VTEC): warnings from before 2005 are not read`)
  return messages
}

function messagesOf(product: TextProduct, segment: string): WarningMessage[] {
  const events = findVtec(segment)
  if (events.length === 0) return []
  const fields = readSegment(segment, product.sent_at)
  return events.map((vtec) => messageOf(product, fields, vtec))
}

/** Reads what a segment states for all of its events, once. */
function readSegment(segment: string, sent_at: Date) {
  const line = codeLine(segment)
  const codes = expandCodes(line)
  return {
    first_area: firstArea(codes),
    areas: areasOf(codes),
    expires_at: readExpiry(line, sent_at),
    headline: readHeadline(segment),
    threats: readThreats(tagsOf(segment)),
    area: readArea(segment),
    corners: readCorners(segment),
  }
}

function messageOf(product: TextProduct, segment: ReturnType<typeof readSegment>, vtec: Vtec): WarningMessage {
  const { sent_at, correction } = product
  const source_key = warningKey(vtec, yearOf(vtec, sent_at))
  const event = (vtec.significance === 'W' && warningPhenomenon(vtec.phenomenon)?.warning) || `${vtec.phenomenon}.${vtec.significance}`
  return {
    source_key,
    message_key: messageKey(product.product_id, correction, vtec, segment.first_area),
    action: vtec.action,
    identifier: `${product.product_id}/${source_key}`,
    event,
    headline: segment.headline,
    status: vtec.class === 'O' ? 'actual' : 'test',
    message_type: messageTypeOf(vtec),
    severity: 'unknown',
    certainty: 'unknown',
    urgency: 'unknown',
    sent_at,
    correction,
    begins_at: vtec.begins_at,
    issued_at: vtec.begins_at ?? sent_at,
    onset_at: vtec.begins_at,
    expires_at: segment.expires_at ?? vtec.ends_at,
    ends_at: vtec.ends_at,
    office: { id: vtec.office, name: product.office_name ? `NWS ${cleanText(product.office_name)}` : `NWS ${vtec.office}` },
    vtec: vtec.text,
    phenomenon: vtec.phenomenon,
    significance: vtec.significance,
    tracking_number: vtec.tracking_number,
    threats: segment.threats,
    area: segment.area,
    instruction: null,
    ...polygonOf(segment.corners, vtec.office),
    ...segment.areas,
    citation_url: productPage(product.product_id),
  }
}

function messageTypeOf({ action }: Vtec): string {
  if (action === 'NEW') return 'alert'
  return endsWarning(action) ? 'cancel' : 'update'
}

type StatedPolygon = Pick<WarningMessage, 'geometry' | 'polygon_fault'>

/**
 * The line that begins with LAT...LON, or Lat...Lon, and the following lines that are indented or have only digits: some
 * archives keep no indents.
 */
const LAT_LON = /^[ \t]*LAT\.\.\.LON(.*(?:\n(?:[ \t]+.*|\d[\d \t]*$))*)/gim

/**
 * Reads LAT...LON pairs in hundredths of degrees, without signs. Returns null if there are none, or a clause that states
 * why they are not a polygon.
 */
function readCorners(segment: string): [latitude: number, longitude: number][] | string | null {
  const [list, another] = [...segment.matchAll(LAT_LON)]
  if (!list) return null
  if (another) return 'is stated twice'
  const words = present(list[1]).trim().split(/\s+/)
  const invalidWord = words.find((word) => !/^\d{3,5}$/.test(word))
  if (invalidWord !== undefined) return `has "${invalidWord.slice(0, 20)}", which is not a coordinate`
  if (words.length % 2 === 1) return 'has a latitude without a longitude'
  const pairs: [number, number][] = []
  for (let i = 0; i < words.length; i += 2) pairs.push([Number(words[i]), Number(words[i + 1])])
  return pairs
}

/** A damaged list gives no polygon, never a part of one. */
function polygonOf(corners: ReturnType<typeof readCorners>, office: string): StatedPolygon {
  if (corners === null) return { geometry: null, polygon_fault: null }
  if (typeof corners === 'string') return faultyPolygon(corners)
  const ring: Position[] = corners.map(([north, west]) => [longitude(west, office), north / 100])
  if (ring.some(([lon, lat]) => Math.abs(present(lon)) > 180 || present(lat) > 90)) return faultyPolygon('leaves the globe')
  const [first, last] = [present(ring[0]), present(ring.at(-1))]
  if (first[0] !== last[0] || first[1] !== last[1]) ring.push([...first])
  return { geometry: { type: 'Polygon', coordinates: [ring] }, polygon_fault: null }
}

const faultyPolygon = (polygon_fault: string): StatedPolygon => ({ geometry: null, polygon_fault })

function longitude(hundredths: number, office: string): number {
  if (EASTERN_OFFICES.includes(office)) return hundredths / 100
  // The western Aleutians are written as more than 180 degrees west.
  return hundredths > 18_000 ? (36_000 - hundredths) / 100 : -hundredths / 100
}

/** Returns the code line, "GUC100-110-120-250015-": codes, wrapped over lines, ended by the day and time at which the segment expires. */
function codeLine(segment: string): string {
  // Takes all code lines together before searching for their end, so that no line is tried twice.
  for (const [lines] of segment.matchAll(/^[A-Z]{2}[CZ]\d{3}[0-9A-Z>\n-]*/gm)) {
    const [line] = /^[\s\S]*-\d{6}-/.exec(lines) ?? []
    if (line) return line.replace(/\n/g, '')
  }
  return ''
}

/** A message sent late may have expired before it was sent, by less than this. */
const SENT_LATE_MS = DAY_MS

/** Returns the moment with that day and time nearest to the sending; null if no month around it has such a day, or it was long past. */
function readExpiry(line: string, sent_at: Date): Date | null {
  const [, ...parts] = /-(\d{2})(\d{2})(\d{2})-$/.exec(line) ?? []
  if (parts.length === 0) return null
  const [day, hour, minute] = tupleOf(parts.map(Number), 3)
  const moments = [-1, 0, 1].flatMap((months) => {
    const of = new Date(Date.UTC(sent_at.getUTCFullYear(), sent_at.getUTCMonth() + months))
    return localMoment({ year: of.getUTCFullYear(), month: of.getUTCMonth() + 1, day, hour, minute }, 0) ?? []
  })
  const away = (at: Date) => Math.abs(at.getTime() - sent_at.getTime())
  const nearest = moments.toSorted((one, other) => away(one) - away(other))[0]
  return nearest && nearest.getTime() > sent_at.getTime() - SENT_LATE_MS ? nearest : null
}

/** Match "60MPH" and "<.75IN", each with the mark that makes it a bound. */
const GUST = /(?:[<>] ?)?(?<!\d)\d+ ?MPH/
const SIZE = /(?:[<>] ?)?(?<![\d.])\d*(?:\.\d+)? ?IN(?![A-Z])/

/** The first products with tags had gust and size in one tag: "WIND...HAIL 60MPH 1.00IN". */
function tagsOf(segment: string) {
  const tag = (name: string) => new RegExp(`^${name}\\.\\.\\.(.*\\S)`, 'm').exec(segment)?.[1]
  return {
    hail_size: tag('MAX HAIL SIZE') ?? tag('HAIL') ?? tag('WIND')?.match(SIZE)?.[0],
    hail_basis: tag('HAIL THREAT'),
    gust: tag('MAX WIND GUST') ?? tag('WIND')?.match(GUST)?.[0],
    wind_basis: tag('WIND THREAT'),
    tornado: tag('TORNADO'),
    flash_flood: tag('FLASH FLOOD'),
    damage: tag('THUNDERSTORM DAMAGE THREAT') ?? tag('TORNADO DAMAGE THREAT') ?? tag('FLASH FLOOD DAMAGE THREAT'),
  }
}

/** Returns the text from the first line that begins with dots to the next line that ends with them. If none does, there is no headline. */
function readHeadline(segment: string): string | null {
  const start = segment.search(/^\.\.\./m)
  const [, words] = (start >= 0 && /([\s\S]+?)\.\.\.\s*$/my.exec(segment.slice(start + '...'.length))) || []
  return words ? words.replace(/\s+/g, ' ').trim() : null
}

/** Returns the county names from the line under the code: "Hardin IA-Marshall IA-". */
function readArea(segment: string): string | null {
  const [, names] = /^\/[OTEX]\.[^\n]+\n((?:[A-Z][A-Za-z .'/]+ [A-Z]{2}-\s*)+)$/m.exec(segment) ?? []
  if (!names) return null
  return names
    .replace(/\n/g, '')
    .split('-')
    .filter(Boolean)
    .map((name) => name.trim().replace(/ ([A-Z]{2})$/, ', $1'))
    .join('; ')
}
