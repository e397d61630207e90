import { DAY_MS, MINUTE_MS } from '../durations.ts'
import type { EvidenceRecord } from '../verify/evidence-shape.ts'

/** Differences in words; empty if there are none. */
export type Faults = string[]

/** Values of a row. Missing values are not compared. */
export interface Stated {
  /** The agency's name of the event. */
  event: string
  /** Other words may follow the event's name, because its column runs into the next. */
  is_event_first?: boolean
  /** The id in the agency's URL of the record. */
  id?: string
  /** UTC; only the day if the time zone of the row is uncertain. */
  moment: { at: number; is_sure: boolean } | null
  hail_in?: number | null
  /** Miles an hour. */
  wind_mph?: number | null
  rating?: string
  /** Degrees; a path has two. */
  points: [latitude: number, longitude: number][]
}

/** Compares a record of a report with its row. */
export function faultsOf(record: EvidenceRecord, stated: Stated): Faults {
  return [...eventFaults(record, stated), ...momentFaults(record, stated), ...sizeFaults(record, stated), ...placeFaults(record, stated)]
}

/** The agency's name of the event: the type, unless the description contains another: "Source type: Debris Flow." */
export const eventNamed = ({ type, description }: EvidenceRecord) => /Source type: (.+?)\.(?: |$)/.exec(description)?.[1] ?? type

function eventFaults(record: EvidenceRecord, { event, is_event_first, id }: Stated): Faults {
  const { type, provenance } = record
  const [reportWords, rowWords] = [wordsOf(eventNamed(record)), wordsOf(event)]
  const is_type = is_event_first ? `${rowWords} `.startsWith(`${reportWords} `) : rowWords === reportWords
  const cited = /[?&]id=(.+)$/.exec(provenance.citation_url)?.[1]
  return [
    ...(is_type ? [] : [`the row states ${event}, but the report states ${type}`]),
    ...(id === undefined || cited === undefined || cited === id
      ? []
      : [`the row states the event id ${id}, but the report cites ${provenance.citation_url}`]),
  ]
}

const wordsOf = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

function momentFaults({ begins_at, occurred_on }: EvidenceRecord, { moment }: Stated): Faults {
  if (moment === null) return []
  const reportTime = moment.is_sure ? Date.parse(begins_at) : Date.parse(occurred_on)
  const apart = Math.abs(reportTime - moment.at)
  const is_same = moment.is_sure ? apart < MINUTE_MS : apart < 2 * DAY_MS
  return is_same
    ? []
    : [`the row states ${new Date(moment.at).toISOString()}, but the report states ${moment.is_sure ? begins_at : occurred_on}`]
}

/** Tolerances: half of the rounding step of a report, plus the error of a second rounding. */
const HAIL_TOLERANCE_IN = 0.0051
const WIND_TOLERANCE_MPH = 0.51

function sizeFaults({ measurements }: EvidenceRecord, { hail_in, wind_mph, rating }: Stated): Faults {
  const { hail_size_in, wind_gust_mph, wind_speed_mph, tornado_ef_scale } = measurements
  return [
    ...sizeFault('hail of', 'in', hail_size_in, hail_in, HAIL_TOLERANCE_IN),
    ...sizeFault('a wind of', 'mph', wind_gust_mph ?? wind_speed_mph, wind_mph, WIND_TOLERANCE_MPH),
    ...ratingFault(tornado_ef_scale, rating),
  ]
}

/** A size of 0 means unknown. */
function sizeFault(what: string, unit: string, reportValue: string | null, stated: number | null | undefined, tolerance: number): Faults {
  if (stated === undefined) return reportValue === null ? [] : [`the row states no such size, but the report states ${reportValue} ${unit}`]
  const [reportSize, rowSize] = [Number(reportValue ?? 0), stated ?? 0]
  return Math.abs(reportSize - rowSize) <= tolerance
    ? []
    : [`the row states ${what} ${Number(rowSize.toFixed(2))} ${unit}, but the report states ${reportValue ?? 'none'}`]
}

function ratingFault(reportValue: string | null, rating: string | undefined): Faults {
  if (rating === undefined && reportValue === null) return []
  const stated = /([0-5])$/.exec(rating ?? '')?.[1] ?? null
  return (reportValue === null ? null : String(Number(reportValue))) === stated
    ? []
    : [`the row states the rating ${rating || 'none'}, but the report states ${reportValue ?? 'none'}`]
}

/** Half of the last of five decimals. */
const TOLERANCE_DEGREES = 0.000_006

/** A county or zone has no point. If a row has two points, a report shows one of them. */
function placeFaults({ location: { latitude, longitude } }: EvidenceRecord, { points }: Stated): Faults {
  if (latitude === null || longitude === null) return []
  const near = (one: number, reportValue: string) => Math.abs(one - Number(reportValue)) < TOLERANCE_DEGREES
  return points.some(([north, east]) => near(north, latitude) && near(east, longitude))
    ? []
    : [
        `the row states ${points.map((point) => point.join(', ')).join(' and ') || 'no point'}, but the report states ${latitude}, ${longitude}`,
      ]
}
