import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { readNamed } from '#domain/engines/named-query.ts'
import type { Inclusion } from '#domain/fingerprint-log/inclusion.ts'
import { proveReport } from '#domain/fingerprint-log/read.ts'
import type { Point } from '#domain/geo/measure.ts'
import { present } from '#domain/kernel/present.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { addressLine } from '#domain/places/address-line.ts'
import { findReport } from '#domain/reports/find.ts'
import { stampOf } from '#domain/reports/stamp.ts'
import type { ReportView, VerificationView } from '#domain/reports/view.ts'

/** A complete report: the fields that completion fills are not null. */
export type CompleteReport = ReportView & { fingerprint: string; headline: string; generated_at: string }

/**
 * Returns a report's own statement, and the data to verify it by. The public page of its fingerprint shows less.
 * @throws Refusal 404; 409 `report_not_ready` until the report is complete
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
    await proveReport(app.pool, id),
    app.config.base_url,
  )
}

/** Builds the statement of a complete report. @param found the sources of its cited records, each once */
export function verificationOf(report: CompleteReport, found: string[], logged: Inclusion | null, base_url: string): VerificationView {
  return {
    object: 'verification',
    report_id: report.id,
    fingerprint: report.fingerprint,
    short_fingerprint: shortFingerprint(report.fingerprint),
    verify_url: `${base_url}/verify/${report.fingerprint}`,
    generated_at: report.generated_at,
    place: addressLine(report.address),
    window: { start: report.window.start, end: report.window.end, radius: report.window.radius_miles },
    as_of: report.as_of,
    date_of_loss: report.date_of_loss,
    finding: report.headline,
    authoritative: isAuthoritative(report),
    records: report.event_count,
    observations: report.observation_count,
    sources_searched: report.coverage.sources_searched.length,
    sources_found: found.length,
    log: logged,
    links: { report: report.links.self },
  }
}

/** @throws Refusal 409 `report_not_ready`, with the reason if the report failed */
export function requireComplete(report: ReportView): CompleteReport {
  const { fingerprint, headline, generated_at } = report
  if (fingerprint !== null && headline !== null && generated_at !== null) return { ...report, fingerprint, headline, generated_at }
  const { failure_reason, failure_message } = report
  const why = failure_reason ? `The report failed (${failure_reason}): ${failure_message}` : 'The report has not been generated yet.'
  throw new Refusal('report_not_ready', why)
}

/** Returns the point of a complete report's address. */
export function pointOf({ latitude, longitude }: Pick<ReportView['address'], 'latitude' | 'longitude'>): Point {
  return { latitude: present(latitude), longitude: present(longitude) }
}

/** Returns the first 16 hex digits, upper case, in four groups of four: short enough to read aloud. */
export function shortFingerprint(fingerprint: string): string {
  return (fingerprint.slice(0, 16).toUpperCase().match(/.{4}/g) ?? []).join(' ')
}

/** Whether the archive had and placed everything needed, and all of it is final and not made up. */
export function isAuthoritative({ coverage }: Pick<ReportView, 'coverage'>): boolean {
  return stampOf(coverage) === 'FINAL'
}
