import type { App } from '#domain/app.ts'
import type { Composition, Citation } from '#domain/reports/compose.ts'
import { fingerprint } from '#domain/reports/fingerprint.ts'
import { reinstateFingerprint } from '#domain/reports/withdrawn.ts'
import type { FindingView } from '#domain/reports/view.ts'
import { Prisma } from '#generated/prisma/client.ts'

/**
 * Completes a pending report in one transaction: its findings, its cited records as they stand now, its fingerprint.
 * Answers false where the report is no longer pending: another attempt completed it, or it was removed.
 */
export async function publish({ db, clock }: Pick<App, 'db' | 'clock'>, report: { id: string; team_id: string }, composed: Composition): Promise<boolean> {
  const print = fingerprint(evidenceOf(composed), composed.citations.map(({ view }) => view))
  const owner = { report_id: report.id, team_id: report.team_id }
  return db.$transaction(async (tx) => {
    const { count } = await tx.report.updateMany({ where: { id: report.id, status: 'pending' }, data: { ...columnsOf(composed), fingerprint: print, generated_at: wholeSecond(clock.now()) } })
    if (count === 0) return false
    await tx.finding.createMany({ data: composed.findings.map((finding, position) => ({ ...owner, position, ...findingColumns(finding) })) })
    await tx.reportRecord.createMany({ data: composed.citations.map((citation, position) => ({ ...owner, position, ...citationColumns(citation) })) })
    await reinstateFingerprint(tx, print)
    return true
  })
}

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
