import { HOUR_MS } from '../durations.ts'
import type { EvidenceRecord } from '../verify/evidence-shape.ts'
import { eventNamed, type Stated } from './faults.ts'
import { MPH_PER_KNOT } from './knots.ts'

/** UTC offsets of the time zones in text products, in hours. */
const OFFSETS: Record<string, number> = {
  AST: -4,
  ADT: -3,
  EST: -5,
  EDT: -4,
  CST: -6,
  CDT: -5,
  MST: -7,
  MDT: -6,
  PST: -8,
  PDT: -7,
  AKST: -9,
  AKDT: -8,
  HST: -10,
  SST: -11,
  CHST: 10,
  GST: 10,
  GMT: 0,
  UTC: 0,
}

/**
 * Reads a local storm report: two lines of a text product, or a feature of its GeoJSON transcription.
 * @param before the file up to it
 * @param record the report's record, which names the event; the row itself may run into the name of its place
 */
export function readLocalReport(row: string, before: string, record: EvidenceRecord): Stated | string {
  return row.startsWith('{') ? readFeature(row, record) : readLines(row, before, record)
}

function readLines(row: string, before: string, record: EvidenceRecord): Stated | string {
  const [first = '', second = ''] = row.split(/[\r\n]+/)
  const [, hhmm, half, words, latitude, north, longitude, east] =
    /^(\d{3,4}) ([AP]M) +(\S.*?) *(\d+\.\d+)([NS]) +(\d+\.\d+)([EW])\s*$/.exec(first) ?? []
  const [, month, day, year, rest = ''] = /^(\d\d)\/(\d\d)\/(\d{4})(.*)/.exec(second) ?? []
  if (!hhmm || !words || !year) return 'the lines are not a local storm report'
  const hours = (Number(hhmm.slice(0, -2)) % 12) + (half === 'PM' ? 12 : 0)
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), hours, Number(hhmm.slice(-2)))
  const zone = [...before.matchAll(/^\d{1,4} [AP]M ([A-Z]{3,4})\b/gm)].at(-1)?.[1]
  const offset = OFFSETS[zone ?? '']
  return {
    ...sizesOf(/^ +[MEU]?(\d*\.?\d+) +([A-Z]+)\b/i.exec(rest) ?? [], record),
    // Some products write the place directly after a shorter event.
    ...(words.length < EVENT_WIDTH || words[EVENT_WIDTH - 1] === ' '
      ? { event: words.slice(0, EVENT_WIDTH) }
      : { event: words, is_event_first: true }),
    moment: offset === undefined ? { at: local, is_sure: false } : { at: local - offset * HOUR_MS, is_sure: true },
    ...(/E?F\d/.test(rest) && { rating: /E?F\d/.exec(rest)?.[0] ?? '' }),
    points: [[Number(latitude) * (north === 'S' ? -1 : 1), Number(longitude) * (east === 'W' ? -1 : 1)]],
  }
}

/** Width of the event's column, the space behind it included. */
const EVENT_WIDTH = 17
const INCHES = /^(in|inch|inches)$/i
const KNOTS = /^(kt|kts|knots)$/i
/** The events whose speed is a wind's. That of a blizzard or a tropical storm is only in the report's description. */
const WIND_EVENT = /wi?nd|tstm|downburst/i

/** Inches mean hail size only for hail events; otherwise they are rain or snow. The event is the one that the report names, which the row must name too. */
function sizesOf([, size, unit = '']: readonly string[], record: EvidenceRecord): Pick<Stated, 'hail_in' | 'wind_mph'> {
  const event = eventNamed(record)
  const { wind_gust_mph, wind_speed_mph } = record.measurements
  const is_wind = WIND_EVENT.test(event) || (wind_gust_mph ?? wind_speed_mph) !== null
  if (KNOTS.test(unit)) return is_wind ? { wind_mph: Number(size) * MPH_PER_KNOT } : {}
  if (/^mph$/i.test(unit)) return is_wind ? { wind_mph: Number(size) } : {}
  return /hail/i.test(event) ? { hail_in: size === undefined || !INCHES.test(unit) ? null : Number(size) } : {}
}

function readFeature(row: string, record: EvidenceRecord): Stated | string {
  try {
    const { properties, geometry } = JSON.parse(row)
    const [longitude, latitude] = geometry.coordinates
    const { valid, typetext, magf, magnitude, unit } = properties
    const size = magf ?? (magnitude === '' || magnitude === null ? undefined : magnitude)
    return {
      ...sizesOf(size === undefined ? [] : ['', String(size), String(unit ?? '')], record),
      event: typetext,
      moment: { at: Date.parse(/Z$|[+-]\d\d:\d\d$/.test(valid) ? valid : `${valid}Z`), is_sure: true },
      ...(/^e?f$/i.test(unit ?? '') && { rating: `F${Number(size)}` }),
      points: [[latitude, longitude]],
    }
  } catch {
    return 'the bytes are not a GeoJSON feature'
  }
}
