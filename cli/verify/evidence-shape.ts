export const SCHEMA = 'weather-report/1'

/** A number in the evidence: a string with fixed decimals. */
export type Decimal = string

export interface EvidenceRecord {
  type: string
  family: string
  severity: string
  occurred_on: string
  begins_at: string
  ends_at: string | null
  measurements: {
    wind_speed_mph: Decimal | null
    wind_gust_mph: Decimal | null
    hail_size_in: Decimal | null
    tornado_ef_scale: Decimal | null
  }
  location: { latitude: Decimal | null; longitude: Decimal | null; county: string | null; state: string | null; precision: string }
  relevance: { relevance: string; distance_miles: Decimal | null; bearing: string | null }
  provenance: { source: string; evidence_kind: string; is_observed: boolean; qualifier: string | null; citation_url: string }
  description: string
}

/** The evidence of a report, schema `weather-report/1`. */
export interface Evidence {
  schema: string
  place: { latitude: Decimal; longitude: Decimal }
  window: { start: string; end: string; radius_miles: Decimal }
  coverage: { complete: boolean; provisional: boolean; sources_searched: string[] }
  records: EvidenceRecord[]
}

/** Whether a value has the shape of a report's evidence: all of its keys and no others, so that no part of it is left unchecked. */
export function isEvidence(value: unknown): value is Evidence {
  return hasShape(value, EVIDENCE)
}

/** A test of one value, the shape of an object, or for a list the shape of its members. */
type Shape = ((value: unknown) => boolean) | { [key: string]: Shape } | readonly [Shape]

const text = (value: unknown) => typeof value === 'string'
const flag = (value: unknown) => typeof value === 'boolean'
const matching = (pattern: RegExp) => (value: unknown) => typeof value === 'string' && pattern.test(value)
const orNull = (test: (value: unknown) => boolean) => (value: unknown) => value === null || test(value)
const decimal = matching(/^-?\d{1,9}\.\d{2}$/)
const degrees = matching(/^-?\d{1,3}\.\d{5}$/)
const day = matching(/^\d{4}-\d{2}-\d{2}$/)
const moment = matching(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/)

const RECORD: Shape = {
  type: text,
  family: text,
  severity: text,
  occurred_on: day,
  begins_at: moment,
  ends_at: orNull(moment),
  measurements: {
    wind_speed_mph: orNull(decimal),
    wind_gust_mph: orNull(decimal),
    hail_size_in: orNull(decimal),
    tornado_ef_scale: orNull(decimal),
  },
  location: { latitude: orNull(degrees), longitude: orNull(degrees), county: orNull(text), state: orNull(text), precision: text },
  relevance: { relevance: text, distance_miles: orNull(decimal), bearing: orNull(text) },
  provenance: { source: text, evidence_kind: text, is_observed: flag, qualifier: orNull(text), citation_url: text },
  description: text,
}

const EVIDENCE: Shape = {
  schema: (value) => value === SCHEMA,
  place: { latitude: degrees, longitude: degrees },
  window: { start: day, end: day, radius_miles: decimal },
  coverage: { complete: flag, provisional: flag, sources_searched: [text] },
  records: [RECORD],
}

function hasShape(value: unknown, shape: Shape): boolean {
  if (typeof shape === 'function') return shape(value)
  if (Array.isArray(shape)) return Array.isArray(value) && value.every((member) => hasShape(member, shape[0]))
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false
  const keys = Object.keys(shape)
  const members = value as Record<string, unknown>
  return (
    Object.keys(members).length === keys.length &&
    keys.every((key) => hasShape(members[key], (shape as Record<string, Shape>)[key] as Shape))
  )
}
