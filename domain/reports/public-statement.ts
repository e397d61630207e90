import type { App } from '#domain/app.ts'
import type { PlacePrecision } from '#domain/closed-sets.ts'
import { readNamed } from '#domain/engines/named-query.ts'
import { boundedCache } from '#domain/kernel/bounded-cache.ts'
import { present } from '#domain/kernel/present.ts'
import { isPrecise } from '#domain/places/place.ts'
import { largestFigures } from '#domain/reports/document/figures.ts'
import { whereOf } from '#domain/reports/document/format.ts'
import { type CitedRow, citedColumns, citedView } from '#domain/reports/find-events.ts'
import { type ReportRow, reportColumns, reportView } from '#domain/reports/report-rows.ts'
import { authorityOf } from '#domain/reports/stamp.ts'
import { type CompleteReport, isAuthoritative, pointOf, requireComplete, shortFingerprint } from '#domain/reports/verification.ts'
import type { CitedRecordView } from '#domain/reports/view.ts'

/** What anyone who knows a fingerprint may read: its evidence, or that no report with it is left. */
export type PublicStatement = PublicEvidence | { standing: 'withdrawn'; fingerprint: string; generated_on: string; withdrawn_on: string }

/**
 * What the evidence of a fingerprint contains, and nothing specific to one report with it: all addresses of a ZIP share a fingerprint, and
 * so may the reports of several customers.
 */
export interface PublicEvidence {
  standing: 'held'
  fingerprint: string
  short_fingerprint: string
  place: { latitude: number; longitude: number; precision: PlacePrecision }
  window: { start: string; end: string; radius_miles: number }
  records: number
  /** Days with records, newest first. */
  days: string[]
  /** The largest value of each kind, each from one record, as the document shows it. */
  largest: { label: string; value: string; manner: string; where: string; occurred_on: string }[]
  sources_searched: number
  sources_found: number
  authoritative: boolean
  /** The same in words, with all that is wrong. */
  authority: string
}

/** Statements that are kept in memory: each may list the days of decades, some hundred kilobytes. */
const STATEMENTS_KEPT = 50
/** By report: what a complete report states never changes, and reading thousands of records for each visitor would slow down the service. */
const statementOf = boundedCache<PublicEvidence>(STATEMENTS_KEPT)

/** Returns null for a fingerprint that this install never issued. Never reveals how many reports have it. */
export async function publicStatement(
  { pool, config }: Pick<App, 'pool' | 'config'>,
  fingerprint: string,
): Promise<PublicStatement | null> {
  if (!/^[0-9a-f]{64}$/.test(fingerprint)) return null
  const [row] = await readNamed<ReportRow>(pool, 'statement.report', COMPLETE_REPORT, [fingerprint])
  if (row)
    return statementOf(row.id, async () => {
      const cited = await readNamed<CitedRow>(pool, 'statement.records', CITED, [row.id])
      return evidenceStatement(requireComplete(reportView(row, config.base_url)), cited.map(citedView))
    })
  const [withdrawn] = await readNamed<{ generated_at: Date; withdrawn_at: Date }>(pool, 'statement.withdrawn', WITHDRAWN, [fingerprint])
  return withdrawn
    ? { standing: 'withdrawn', fingerprint, generated_on: dayOf(withdrawn.generated_at), withdrawn_on: dayOf(withdrawn.withdrawn_at) }
    : null
}

function evidenceStatement(report: CompleteReport, records: CitedRecordView[]): PublicEvidence {
  const { address, window, coverage, fingerprint } = report
  const sources = [...new Set(records.map(({ provenance }) => provenance.source))]
  return {
    standing: 'held',
    fingerprint,
    short_fingerprint: shortFingerprint(fingerprint),
    place: {
      ...pointOf(address),
      precision: present(address.precision),
    },
    window: { start: window.start, end: window.end, radius_miles: window.radius_miles },
    records: records.length,
    days: [...new Set(records.map(({ occurred_on }) => occurred_on))],
    largest: largestFigures(records).map(({ label, value, qualifier, record }) => ({
      label,
      value,
      manner: qualifier,
      where: whereOf(record, isPrecise(address)),
      occurred_on: record.occurred_on,
    })),
    sources_searched: coverage.sources_searched.length,
    sources_found: sources.length,
    authoritative: isAuthoritative(report),
    authority: authorityOf(coverage),
  }
}

const dayOf = (at: Date) => at.toISOString().slice(0, 10)

/**
 * Of several reports with one fingerprint, selects the one that reveals least: one with unplaced zone records first, then the least exactly
 * located. What only another report could state is not shown.
 */
const COMPLETE_REPORT = `
  SELECT ${reportColumns} FROM reports r WHERE r.fingerprint = $1 AND r.status = 'complete'
   ORDER BY r.unplaced_zones = '[]', array_position(ARRAY['city', 'zip', 'range', 'point'], r.precision::text), r.id LIMIT 1`
const CITED = `SELECT ${citedColumns} FROM report_records e WHERE e.report_id = $1 ORDER BY e.position`
const WITHDRAWN = 'SELECT generated_at, withdrawn_at FROM withdrawn_fingerprints WHERE fingerprint = $1'
