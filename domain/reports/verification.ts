import type { App } from '#domain/app.ts'
import type { Caller } from '#domain/caller.ts'
import { Refusal } from '#domain/refusal.ts'
import { failureSentences } from '#domain/reports/fail.ts'
import { findReport } from '#domain/reports/find.ts'
import { readNamed } from '#domain/reports/report-rows.ts'
import type { ReportView, VerificationView } from '#domain/reports/view.ts'

/** A report that is complete: what completion fills is filled. */
export type CompleteReport = ReportView & { fingerprint: string; headline: string; generated_at: string }

/**
 * What the public page of the report's fingerprint says.
 * @throws Refusal 404, 409 `report_not_ready` until the report is complete
 */
export async function reportVerification(
  app: Pick<App, 'pool' | 'config'>,
  caller: Pick<Caller, 'team'>,
  id: string,
): Promise<VerificationView> {
  const report = requireComplete(await findReport(app, caller, id))
  const sources = await readNamed<{ source: string }>(
    app.pool,
    'report.sources',
    'SELECT DISTINCT source FROM report_records WHERE team_id = $1 AND report_id = $2',
    [caller.team.id, id],
  )
  return verificationOf(
    report,
    sources.map(({ source }) => source),
    app.config.base_url,
  )
}

/** The statement of a complete report. @param found the sources of its cited records, each once */
export function verificationOf(report: CompleteReport, found: string[], base_url: string): VerificationView {
  return {
    object: 'verification',
    report_id: report.id,
    fingerprint: report.fingerprint,
    short_fingerprint: shortFingerprint(report.fingerprint),
    verify_url: `${base_url}/verify/${report.fingerprint}`,
    generated_at: report.generated_at,
    place: placeLine(report.address),
    window: { start: report.window.start, end: report.window.end, radius: report.window.radius_miles },
    finding: report.headline,
    authoritative: isAuthoritative(report, found),
    records: report.event_count,
    observations: report.observation_count,
    sources_searched: report.coverage.sources_searched.length,
    sources_found: found.length,
    links: { report: report.links.self },
  }
}

/** @throws Refusal 409 `report_not_ready`, with the reason where the report failed */
export function requireComplete(report: ReportView): CompleteReport {
  const { fingerprint, headline, generated_at } = report
  if (fingerprint !== null && headline !== null && generated_at !== null) return { ...report, fingerprint, headline, generated_at }
  const { failure_reason } = report
  const why = failure_reason
    ? `The report failed (${failure_reason}): ${failureSentences[failure_reason]}`
    : 'The report has not been generated yet.'
  throw new Refusal('report_not_ready', why)
}

/** The first 16 hex digits, upper case, in four groups of four: short enough to read aloud. */
function shortFingerprint(fingerprint: string): string {
  return (fingerprint.slice(0, 16).toUpperCase().match(/.{4}/g) ?? []).join(' ')
}

/** "1200 Main St, Frisco, TX 75034" */
function placeLine({ street, city, state, postal_code }: ReportView['address']): string {
  return [street, city, [state, postal_code].filter(Boolean).join(' ')].filter(Boolean).join(', ')
}

/** Everything needed was held, all of it final, and none of it made up. */
function isAuthoritative({ coverage }: ReportView, sources: string[]): boolean {
  return coverage.complete && !coverage.provisional && ![...sources, ...coverage.sources_searched].includes('sample')
}
