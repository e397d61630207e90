import type { App } from '#domain/app.ts'
import type { TierId } from '#domain/closed-sets.ts'
import { type RawTx, transact } from '#domain/engines/database.ts'
import { emit } from '#domain/events/emit.ts'
import { linkReports } from '#domain/exposures/link-reports.ts'
import { logEntry, newSalt } from '#domain/fingerprint-log/entry.ts'
import { stage } from '#domain/kernel/outbox.ts'
import { tierOf } from '#domain/plans/plans.ts'
import type { Citation, Composition } from '#domain/reports/compose.ts'
import { fingerprint } from '#domain/reports/fingerprint.ts'
import { METHODOLOGY_VERSION } from '#domain/reports/methodology.ts'
import { readReport, reportView } from '#domain/reports/report-rows.ts'
import { Prisma } from '#generated/prisma/client.ts'

/**
 * Completes a pending report in one transaction: its findings, its cited records as they are now, its fingerprint, and the entry that waits
 * for its place in the log.
 * Returns false if the report is no longer pending, because another attempt completed it or it was removed, or if its address is no longer
 * the one that was located, because a person was erased from it.
 */
export async function publish(
  app: Pick<App, 'pool' | 'clock' | 'config'>,
  report: { id: string; team_id: string; plan_tier: TierId; query: string },
  composed: Composition,
  searched_at: Date,
): Promise<boolean> {
  const reportFingerprint = fingerprint(
    evidenceOf(composed),
    composed.citations.map(({ view }) => view),
  )
  const salt = newSalt()
  return transact(app.pool, async (tx) => {
    const now = app.clock.now()
    const stamps = {
      fingerprint: reportFingerprint,
      methodology_version: METHODOLOGY_VERSION,
      log_salt: `\\x${salt.toString('hex')}`,
      generated_at: truncateToSecond(now),
      issued_at: now,
      searched_at,
    }
    const written = await writeReport(tx, report, composed, stamps, logEntry(salt, reportFingerprint))
    if (!written) return false
    await linkReports(tx, report.team_id, written.property_id, now)
    await emitCompleted(tx, app, report)
    return true
  })
}

/**
 * Writes the report, its findings, its cited records and its log entry in one statement. Each is sent as JSON, which the database converts to
 * the table's column types. Returns null if the report is no longer pending, or has another address.
 */
async function writeReport(
  tx: RawTx,
  { id, team_id, query }: { id: string; team_id: string; query: string },
  composed: Composition,
  stamps: object,
  entry: Buffer,
): Promise<{ property_id: string | null } | null> {
  const owner = { report_id: id, team_id }
  const report = { ...columnsOf(composed), ...stamps }
  const findings = composed.findings.map((finding, position) => ({ ...owner, position, ...finding }))
  const citations = composed.citations.map((citation, position) => ({ ...owner, position, ...citationColumns(citation) }))
  const changed = columnList(Object.keys(report))
  const [written] = await tx.$queryRaw<{ property_id: string | null }[]>`
    WITH published AS (
      UPDATE reports
         SET (${changed}) = (SELECT ${changed} FROM jsonb_populate_record(NULL::reports, ${JSON.stringify(report)}::jsonb))
       WHERE id = ${id}::uuid AND status = 'pending' AND query = ${query} RETURNING property_id),
    found AS (
      INSERT INTO findings (${FINDING}) SELECT ${FINDING} FROM jsonb_populate_recordset(NULL::findings, ${JSON.stringify(findings)}::jsonb)
       WHERE EXISTS (SELECT FROM published)),
    cited AS (
      INSERT INTO report_records (${CITED})
      SELECT ${CITED} FROM jsonb_populate_recordset(NULL::report_records, ${JSON.stringify(citations)}::jsonb)
       WHERE EXISTS (SELECT FROM published)),
    logged AS (INSERT INTO fingerprint_log_pending (entry) SELECT ${entry} WHERE EXISTS (SELECT FROM published))
    SELECT property_id FROM published`
  return written ?? null
}

const columnList = (columns: string[]) => Prisma.raw(columns.map((column) => `"${column}"`).join(', '))
const FINDING = columnList(Object.keys(Prisma.FindingScalarFieldEnum))
const CITED = columnList(Object.keys(Prisma.ReportRecordScalarFieldEnum))

/** Emits the event of the completed report, and stages its document if the plan includes PDF export. */
async function emitCompleted(
  tx: RawTx,
  { config }: Pick<App, 'config'>,
  { id, team_id, plan_tier }: { id: string; team_id: string; plan_tier: TierId },
) {
  const view = reportView(await readReport(tx, id), config.base_url)
  const subject = `Report complete: ${view.address.query}`
  await emit(tx, 'report.completed', { team_id, subject, exposure_ids: [] }, { data: [view] })
  if (tierOf(plan_tier).includes.pdf_export) await stage(tx, 'report.render', { report_id: id })
}

function evidenceOf({ place, window, coverage }: Composition) {
  return { address: place, window, coverage }
}

function columnsOf(composed: Composition) {
  const { place, window, citations, observation_count, coverage, unplaced_zones, vintages, headline, days, day_of_loss, sample } = composed
  const { timezone: _, ...address } = place
  return {
    ...address,
    status: 'complete',
    window_start: window.start,
    window_end: window.end,
    event_count: citations.length,
    observation_count,
    coverage_complete: coverage.complete,
    coverage_provisional: coverage.provisional,
    coverage_summary: coverage.summary,
    sources_searched: coverage.sources_searched,
    unplaced_zones,
    source_vintages: vintages,
    headline,
    days,
    day_of_loss,
    sample,
  }
}

function citationColumns({ view, record }: Citation) {
  const { id, object: _, sample: __, measurements, location, relevance, provenance, ...rest } = view
  const { file, ...source } = provenance
  return {
    ...rest,
    ...measurements,
    ...location,
    ...relevance,
    ...source,
    file_sha256: file?.sha256 ?? null,
    file_name: file?.name ?? null,
    span_start: file?.span.start ?? null,
    span_length: file?.span.length ?? null,
    record_id: id,
    end_latitude: record.end_latitude,
    end_longitude: record.end_longitude,
    corners: record.corners,
  }
}

/** Cuts off the milliseconds: a report's times are whole seconds. */
function truncateToSecond(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / 1000) * 1000)
}
