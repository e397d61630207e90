import { createHash } from 'node:crypto'
import { exits, failure } from '../failure.ts'
import { type Decimal, type Evidence, type EvidenceRecord, isEvidence, SCHEMA } from './evidence-shape.ts'

export interface ReadEvidence {
  evidence: Evidence
  /** SHA-256 of the canonical form, lower-case hex. */
  fingerprint: string
  /** Whether the text itself is in canonical form, as the service writes it. */
  is_canonical: boolean
}

/**
 * Reads the evidence of a report and computes its fingerprint: SHA-256 over the canonical JSON (RFC 8785). No network is needed.
 * @throws Failure 9 if it is not the evidence of a report, or states a key twice: of two values, other readers may take the other one
 */
export function readEvidence(text: string): ReadEvidence {
  const evidence = parse(text)
  if (!isEvidence(evidence)) throw failure(exits.failed_or_mismatch, 'The file is not the evidence of a weather report.')
  if (countKeys(text) !== countMembers(evidence)) throw failure(exits.failed_or_mismatch, 'The evidence states a key twice.')
  const form = canonical(evidence)
  return { evidence, fingerprint: sha256(form), is_canonical: form === text }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw failure(exits.failed_or_mismatch, 'The file is neither a PDF nor the evidence of a weather report.')
  }
}

/** Returns the number of keys in a JSON text, repeated ones included: each is a string before a colon. */
function countKeys(text: string): number {
  let keys = 0
  for (const [, colon] of text.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"\s*(:?)/g)) if (colon) keys++
  return keys
}

/** Returns the number of keys of a value, with those of its members. */
function countMembers(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0
  const members = Object.values(value)
  return members.reduce((sum, member) => sum + countMembers(member), Array.isArray(value) ? 0 : members.length)
}

/** Computes the fingerprint of a report from the API's representation of it and of all its cited records. */
// biome-ignore lint/suspicious/noExplicitAny: answers of the API, in the shape of its contract
export function fingerprintOf(report: any, records: readonly any[]): string {
  const { address, window, coverage } = report
  const texts = records.map((record) => canonical(evidenceOf(record))).sort((one, other) => (one < other ? -1 : 1))
  const head = canonical({
    schema: SCHEMA,
    place: { latitude: fixed(address.latitude, 5), longitude: fixed(address.longitude, 5) },
    window: { start: window.start, end: window.end, radius_miles: fixed(window.radius_miles) },
    coverage: { complete: coverage.complete, provisional: coverage.provisional, sources_searched: coverage.sources_searched },
    records: texts.map((text) => JSON.parse(text)),
  })
  return sha256(head)
}

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')

/** Canonical JSON (RFC 8785) of a document without numbers: sorted keys and no white space. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`
}

// biome-ignore lint/suspicious/noExplicitAny: a cited record of the API, in the shape of its contract
function evidenceOf({ measurements, location, relevance, provenance, ...record }: any): EvidenceRecord {
  const { type, family, severity, occurred_on, begins_at, ends_at, description } = record
  const { source, evidence_kind, is_observed, qualifier, citation_url } = provenance
  return {
    ...{ type, family, severity, occurred_on, begins_at, ends_at, description },
    measurements: {
      wind_speed_mph: fixed(measurements.wind_speed_mph),
      wind_gust_mph: fixed(measurements.wind_gust_mph),
      hail_size_in: fixed(measurements.hail_size_in),
      tornado_ef_scale: fixed(measurements.tornado_ef_scale),
    },
    location: {
      latitude: fixed(location.latitude, 5),
      longitude: fixed(location.longitude, 5),
      county: location.county,
      state: location.state,
      precision: location.precision,
    },
    relevance: { relevance: relevance.relevance, distance_miles: fixed(relevance.distance_miles), bearing: relevance.bearing },
    provenance: { source, evidence_kind, is_observed, qualifier, citation_url },
  }
}

/** Adding 0 makes -0 a 0. */
function fixed(value: number | null, places = 2): Decimal | null {
  return value === null ? null : (Number(value.toFixed(places)) + 0).toFixed(places)
}
