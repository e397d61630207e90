import { createHash } from 'node:crypto'
import { canonicalJson } from '#domain/kernel/canonical-json.ts'
import type { CitedRecordView, ReportView } from '#domain/reports/view.ts'

/** Names the document's format: another format has another schema name. */
const SCHEMA = 'weather-report/1'
/** About one metre. */
const COORDINATE_DECIMALS = 5
const DECIMALS = 2

/** The parts of a report that its evidence document contains. A complete ReportView has them all. */
export interface ReportEvidence {
  address: Pick<ReportView['address'], 'latitude' | 'longitude'>
  window: Pick<ReportView['window'], 'start' | 'end' | 'radius_miles'>
  coverage: Pick<ReportView['coverage'], 'complete' | 'provisional' | 'sources_searched'>
}

/** Returns the SHA-256, lower-case hex, of the evidence document of a report and all its cited records, in any order. */
export function fingerprint(report: ReportEvidence, records: CitedRecordView[]): string {
  return createHash('sha256').update(evidenceDocument(report, records), 'utf8').digest('hex')
}

/**
 * Returns the canonical text of the evidence: RFC 8785 (JCS). It contains only texts, booleans, nulls, lists and objects; every
 * number is a text of fixed decimals, so JCS is JSON with sorted keys. It contains no id, label, statement or time of
 * generation: the same evidence gives the same text on every install and day.
 */
export function evidenceDocument(report: ReportEvidence, records: CitedRecordView[]): string {
  const { address, window, coverage } = report
  return canonicalJson({
    schema: SCHEMA,
    place: { latitude: degrees(address.latitude), longitude: degrees(address.longitude) },
    window: { start: window.start, end: window.end, radius_miles: decimals(window.radius_miles) },
    coverage: { complete: coverage.complete, provisional: coverage.provisional, sources_searched: coverage.sources_searched },
    records: inEvidenceOrder(records).map(({ evidence }) => evidence),
  })
}

/** Returns cited records in the order of the evidence document: sorted by their canonical texts. */
export function inEvidenceOrder(records: CitedRecordView[]) {
  return records
    .map((record) => ({ record, evidence: evidenceOf(record) }))
    .map((one) => ({ ...one, text: canonicalJson(one.evidence) }))
    .sort((one, other) => (one.text < other.text ? -1 : 1))
}

/** Returns the parts of a cited record that are evidence. Keys that are added to the record later are not. */
export function evidenceOf(record: CitedRecordView) {
  const { measurements, location, relevance, provenance } = record
  return {
    type: record.type,
    family: record.family,
    severity: record.severity,
    occurred_on: record.occurred_on,
    begins_at: record.begins_at,
    ends_at: record.ends_at,
    measurements: {
      wind_speed_mph: decimals(measurements.wind_speed_mph),
      wind_gust_mph: decimals(measurements.wind_gust_mph),
      hail_size_in: decimals(measurements.hail_size_in),
      tornado_ef_scale: decimals(measurements.tornado_ef_scale),
    },
    location: {
      latitude: degrees(location.latitude),
      longitude: degrees(location.longitude),
      county: location.county,
      state: location.state,
      precision: location.precision,
    },
    relevance: { relevance: relevance.relevance, distance_miles: decimals(relevance.distance_miles), bearing: relevance.bearing },
    provenance: {
      source: provenance.source,
      evidence_kind: provenance.evidence_kind,
      is_observed: provenance.is_observed,
      qualifier: provenance.qualifier,
      citation_url: provenance.citation_url,
    },
    description: record.description,
  }
}

function decimals(value: number | null): string | null {
  return fixed(value, DECIMALS)
}

function degrees(value: number | null): string | null {
  return fixed(value, COORDINATE_DECIMALS)
}

/** Adds 0 after the rounding, which turns a -0 into 0. */
function fixed(value: number | null, places: number): string | null {
  return value === null ? null : (Number(value.toFixed(places)) + 0).toFixed(places)
}
