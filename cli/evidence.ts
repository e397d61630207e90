import { createHash } from 'node:crypto'
import { inflateSync } from 'node:zlib'
import { exits, failure } from './failure.ts'

/** What a document says it is, and what its evidence makes it. */
export interface Evidence {
  /** The fingerprint that the document states of itself; null in a bare evidence file. */
  stated: string | null
  computed: string
}

/**
 * Reads the evidence of a report's document, or of the evidence file by itself, and recomputes its fingerprint:
 * SHA-256 over the canonical JSON (RFC 8785). No network is needed.
 * @throws Failure where there is no evidence in it
 */
export function readEvidence(bytes: Buffer): Evidence {
  if (bytes.subarray(0, PDF_MAGIC.length).toString('latin1') !== PDF_MAGIC)
    return { stated: null, computed: hashOf(bytes.toString('utf8')) }
  const attached = attachedTo(bytes).find((text) => text.includes(SCHEMA))
  if (attached === undefined) throw failure(exits.failed_or_mismatch, 'There is no evidence in this document.')
  return { stated: statedIn(bytes), computed: hashOf(attached) }
}

/** The fingerprint of a report as the API gives it, rebuilt from the report and all its cited records. */
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

const PDF_MAGIC = '%PDF-'
const SCHEMA = 'weather-report/1'

/** The embedded files of a document: stream objects of type EmbeddedFile, deflated or plain. */
function attachedTo(bytes: Buffer): string[] {
  const text = bytes.toString('latin1')
  return [...text.matchAll(/\/EmbeddedFile\b/g)].flatMap(({ index }) => {
    const opened = text.lastIndexOf(' obj', index)
    const begun = /stream\r?\n/.exec(text.slice(index))
    if (!begun) return []
    const from = index + begun.index + begun[0].length
    const until = text.indexOf('endstream', from)
    const dictionary = text.slice(opened, from)
    const stream = bytes.subarray(from, until)
    return dictionary.includes('/FlateDecode') ? inflated(stream) : [stream.toString('utf8').trimEnd()]
  })
}

function inflated(stream: Buffer): string[] {
  try {
    return [inflateSync(stream).toString('utf8')]
  } catch {
    return []
  }
}

/** The document's keywords carry it, as text or in UTF-16. */
function statedIn(bytes: Buffer): string | null {
  const text = bytes.toString('latin1')
  const keywords = [...text.matchAll(/\/Keywords\s*(?:<([0-9A-Fa-f\s]*)>|\(((?:[^()\\]|\\.)*)\))/g)]
  const said = [...keywords.map(([, hex, words]) => (hex === undefined ? (words as string) : textOfHex(hex))), text]
  return said.map((words) => /weather-report fingerprint:([0-9a-f]{64})/.exec(words)?.[1]).find((found) => found !== undefined) ?? null
}

/** A byte order mark says UTF-16, big end first. */
function textOfHex(hex: string): string {
  const bytes = Buffer.from(hex.replace(/\s/g, ''), 'hex')
  return bytes[0] === 0xfe && bytes[1] === 0xff ? Buffer.from(bytes.subarray(2)).swap16().toString('utf16le') : bytes.toString('latin1')
}

function hashOf(text: string): string {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch {
    throw failure(exits.failed_or_mismatch, 'The evidence is not JSON.')
  }
  if ((document as { schema?: string } | null)?.schema !== SCHEMA)
    throw failure(exits.failed_or_mismatch, 'This is no evidence of a weather report.')
  return sha256(canonical(document))
}

const sha256 = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')

/** RFC 8785 for a document that holds no numbers: JSON with sorted keys and no white space. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(',')}}`
}

// biome-ignore lint/suspicious/noExplicitAny: a cited record of the API, in the shape of its contract
function evidenceOf({ measurements, location, relevance, provenance, ...record }: any) {
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
function fixed(value: number | null, places = 2): string | null {
  return value === null ? null : (Number(value.toFixed(places)) + 0).toFixed(places)
}
