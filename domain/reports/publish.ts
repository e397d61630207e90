import type { App } from '#domain/app.ts'
import { emit } from '#domain/events/emit.ts'
import { fileReports } from '#domain/exposures/file-report.ts'
import { stage } from '#domain/outbox.ts'
import { type TierId, tierOf } from '#domain/plans/plans.ts'
import type { Citation, Composition } from '#domain/reports/compose.ts'
import { fingerprint } from '#domain/reports/fingerprint.ts'
import { type ReportRow, reportColumns, reportView } from '#domain/reports/report-rows.ts'
import type { FindingView } from '#domain/reports/view.ts'
import { reinstateFingerprint } from '#domain/reports/withdrawn.ts'
import { Prisma } from '#generated/prisma/client.ts'

/**
 * Completes a pending report in one transaction: its findings, its cited records as they stand now, its fingerprint.
 * Answers false where the report is no longer pending: another attempt completed it, or it was removed.
 */
export async function publish(
  app: Pick<App, 'db' | 'clock' | 'config'>,
  report: { id: string; team_id: string },
  composed: Composition,
): Promise<boolean> {
  const print = fingerprint(
    evidenceOf(composed),
    composed.citations.map(({ view }) => view),
  )
  const owner = { report_id: report.id, team_id: report.team_id }
  return app.db.$transaction(async (tx) => {
    const { count } = await tx.report.updateMany({
      where: { id: report.id, status: 'pending' },
      data: { ...columnsOf(composed), fingerprint: print, generated_at: wholeSecond(app.clock.now()) },
    })
    if (count === 0) return false
    await tx.finding.createMany({
      data: composed.findings.map((finding, position) => ({ ...owner, position, ...findingColumns(finding) })),
    })
    await tx.reportRecord.createMany({
      data: composed.citations.map((citation, position) => ({ ...owner, position, ...citationColumns(citation) })),
    })
    await reinstateFingerprint(tx, print)
    const { property_id } = await tx.report.findUniqueOrThrow({ where: { id: report.id }, select: { property_id: true } })
    await fileReports(tx, report.team_id, property_id, app.clock.now())
    await announce(tx, app, report)
    return true
  })
}

/** Tells of the report as it now stands, and asks for its document where the plan exports one. */
async function announce(
  tx: Prisma.TransactionClient,
  { config, clock }: Pick<App, 'clock' | 'config'>,
  { id, team_id }: { id: string; team_id: string },
) {
  const view = reportView(await readRow(tx, id), config.base_url)
  const subject = `Report complete: ${view.address.query}`
  await emit(tx, {
    team_id,
    name: 'report.completed',
    subject,
    exposure_ids: [],
    payload: { data: [view] } as unknown as Prisma.InputJsonValue,
  })
  if (!tierOf(view.plan_tier as TierId).includes.pdf_export) return
  await tx.report.updateMany({ where: { id }, data: { issued_at: clock.now() } })
  await stage(tx, 'report.render', { report_id: id })
}

/** Prisma gives days as moments; the view shows them as days. */
async function readRow(tx: Prisma.TransactionClient, id: string): Promise<ReportRow> {
  const [row] = await tx.$queryRaw<(ReportRow & { window_start: Date | string; window_end: Date | string })[]>(
    Prisma.sql`SELECT ${Prisma.raw(reportColumns)} FROM reports r WHERE r.id = ${id}::uuid`,
  )
  if (!row) throw new Error('a report that was just published is not there')
  return { ...row, window_start: dayOf(row.window_start), window_end: dayOf(row.window_end) }
}

const dayOf = (day: Date | string) => (typeof day === 'string' ? day : day.toISOString()).slice(0, 10)

function evidenceOf({ place, window, coverage }: Composition) {
  return { address: place, window, coverage }
}

function columnsOf({ place, window, citations, observation_count, coverage, vintages, headline, sample }: Composition) {
  const { timezone: _, ...address } = place
  return {
    ...address,
    status: 'complete',
    window_start: new Date(window.start),
    window_end: new Date(window.end),
    event_count: citations.length,
    observation_count,
    coverage_complete: coverage.complete,
    coverage_provisional: coverage.provisional,
    coverage_summary: coverage.summary,
    sources_searched: coverage.sources_searched,
    source_vintages: vintages,
    headline,
    sample,
  }
}

function findingColumns(finding: FindingView) {
  return { ...finding, dates: finding.dates.map((date) => new Date(date)), most_recent: new Date(finding.most_recent) }
}

function citationColumns({ view, shape }: Citation) {
  const { id, object: _, sample: __, measurements, location, relevance, provenance, ...rest } = view
  return {
    ...rest,
    ...measurements,
    ...location,
    ...relevance,
    ...provenance,
    record_id: id,
    occurred_on: new Date(view.occurred_on),
    begins_at: new Date(view.begins_at),
    ends_at: view.ends_at && new Date(view.ends_at),
    end_latitude: shape.end_latitude,
    end_longitude: shape.end_longitude,
    corners: shape.corners ?? Prisma.DbNull,
  }
}

/** Times of reports are whole seconds. */
function wholeSecond(moment: Date): Date {
  return new Date(Math.floor(moment.getTime() / 1000) * 1000)
}
