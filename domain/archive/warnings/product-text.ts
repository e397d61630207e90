import type { Polygon, Position } from 'geojson'
import { readProduct, type TextProduct } from '#domain/archive/products/product.ts'
import { warningPage } from '#domain/archive/warnings/citation.ts'
import { areasOf, expandCodes } from '#domain/archive/warnings/ugc.ts'
import { endsWarning, findVtec, type Vtec, warningKey } from '#domain/archive/warnings/vtec.ts'
import { readThreats, type WarningMessage } from '#domain/archive/warnings/warning.ts'

/** Names of the warnings that products carry without their agency's event name beside the code. */
const EVENTS: Record<string, string> = {
  'SV.W': 'Severe Thunderstorm Warning',
  'TO.W': 'Tornado Warning',
  'FF.W': 'Flash Flood Warning',
  'FA.W': 'Flood Warning',
  'FL.W': 'Flood Warning',
  'EW.W': 'Extreme Wind Warning',
  'SQ.W': 'Snow Squall Warning',
  'DS.W': 'Dust Storm Warning',
  'MA.W': 'Special Marine Warning',
}

/** Offices whose longitudes count east: Guam's and those of its neighbours. */
const EASTERN_OFFICES = ['PGUM']

/**
 * The warnings that a text product is about, one for each of its event codes. Products without a code (before
 * 2005) and those whose code is a test yield a message like any other; who watches decides (isWatched).
 * @throws Error where the head of the product cannot be read.
 */
export function readWarningProduct(raw: string): WarningMessage[] {
  const product = readProduct(raw)
  return product.text.split(/^\$\$/m).flatMap((segment) => findVtec(segment).map((vtec) => messageOf(product, segment, vtec)))
}

function messageOf(product: TextProduct, segment: string, vtec: Vtec): WarningMessage {
  const year = (vtec.begins_at ?? product.sent_at).getUTCFullYear()
  const geometry = readPolygon(segment, vtec.office)
  const event = EVENTS[`${vtec.phenomenon}.${vtec.significance}`] ?? `${vtec.phenomenon}.${vtec.significance}`
  return {
    source_key: warningKey(vtec, year),
    action: vtec.action,
    identifier: `${product.product_id}/${warningKey(vtec, year)}`,
    event,
    headline: readHeadline(segment),
    status: vtec.class === 'O' ? 'actual' : 'test',
    message_type: messageTypeOf(vtec),
    severity: 'unknown',
    certainty: 'unknown',
    urgency: 'unknown',
    sent_at: product.sent_at,
    issued_at: vtec.begins_at ?? product.sent_at,
    onset_at: vtec.begins_at,
    expires_at: readExpiry(segment, product.sent_at) ?? vtec.ends_at,
    ends_at: vtec.ends_at,
    office: { id: vtec.office, name: product.office_name ? `NWS ${product.office_name}` : `NWS ${vtec.office}` },
    vtec: vtec.text,
    phenomenon: vtec.phenomenon,
    significance: vtec.significance,
    tracking_number: vtec.tracking_number,
    threats: readThreats(tagsOf(segment)),
    area: readArea(segment),
    instruction: null,
    geometry,
    geometry_basis: geometry ? 'storm' : 'zone',
    ...areasOf(expandCodes(codeLine(segment))),
    citation_url: warningPage(vtec, year),
  }
}

function messageTypeOf({ action }: Vtec): string {
  if (action === 'NEW') return 'alert'
  return endsWarning(action) ? 'cancel' : 'update'
}

/** LAT...LON pairs in hundredths of degrees, without signs. */
function readPolygon(segment: string, office: string): Polygon | null {
  const [, digits] = /^LAT\.\.\.LON((?:\s+\d{3,5})+)/m.exec(segment) ?? []
  if (!digits) return null
  const numbers = digits.trim().split(/\s+/).map(Number)
  const ring: Position[] = []
  for (let i = 0; i + 1 < numbers.length; i += 2) ring.push([longitude(numbers[i + 1] as number, office), (numbers[i] as number) / 100])
  const [first, last] = [ring[0], ring.at(-1)]
  if (!first || !last || ring.length < 3) return null
  if (first[0] !== last[0] || first[1] !== last[1]) ring.push([...first])
  return { type: 'Polygon', coordinates: [ring] }
}

function longitude(hundredths: number, office: string): number {
  if (EASTERN_OFFICES.includes(office)) return hundredths / 100
  // The western Aleutians are written past 180 degrees west.
  return hundredths > 18_000 ? (36_000 - hundredths) / 100 : -hundredths / 100
}

/** "GUC100-110-120-250015-": codes, wrapped over lines, ended by the day and time at which the segment expires. */
function codeLine(segment: string): string {
  return /^[A-Z]{2}[CZ]\d{3}[0-9A-Z>\n-]*-\d{6}-/m.exec(segment)?.[0].replace(/\n/g, '') ?? ''
}

function readExpiry(segment: string, sent_at: Date): Date | null {
  const [, day, hour, minute] = /-(\d{2})(\d{2})(\d{2})-$/.exec(codeLine(segment)) ?? []
  if (!day) return null
  const at = new Date(Date.UTC(sent_at.getUTCFullYear(), sent_at.getUTCMonth(), Number(day), Number(hour), Number(minute)))
  if (at < sent_at && Number(day) < sent_at.getUTCDate()) at.setUTCMonth(at.getUTCMonth() + 1)
  return at
}

function tagsOf(segment: string) {
  const tag = (name: string) => new RegExp(`^${name}\\.\\.\\.(.+?)\\s*$`, 'm').exec(segment)?.[1]
  return {
    hail_size: tag('MAX HAIL SIZE') ?? tag('HAIL'),
    hail_basis: tag('HAIL THREAT'),
    gust: tag('MAX WIND GUST') ?? tag('WIND')?.match(/\d+ ?MPH/)?.[0],
    wind_basis: tag('WIND THREAT'),
    tornado: tag('TORNADO'),
    flash_flood: tag('FLASH FLOOD'),
    damage: tag('THUNDERSTORM DAMAGE THREAT') ?? tag('TORNADO DAMAGE THREAT') ?? tag('FLASH FLOOD DAMAGE THREAT'),
  }
}

function readHeadline(segment: string): string | null {
  const [, words] = /^\.\.\.([\s\S]+?)\.\.\.\s*$/m.exec(segment) ?? []
  return words ? words.replace(/\s+/g, ' ').trim() : null
}

/** The line of county names under the code: "Hardin IA-Marshall IA-". */
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
