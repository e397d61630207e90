import type { Caller } from '#domain/access/caller.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { HOUR_MS } from '#domain/kernel/durations.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { refuseField } from '#domain/kernel/validation.ts'
import { requireActivePlan } from '#domain/plans/ceilings.ts'
import { diffReports } from '#domain/reports/diff.ts'
import { findReport } from '#domain/reports/find.ts'
import { noSuchReport } from '#domain/reports/report-rows.ts'
import { createPendingReport, lockOwnProperties } from '#domain/reports/request.ts'
import type { ReportView } from '#domain/reports/view.ts'
import type { Report } from '#generated/prisma/client.ts'

/** The shortest time between two refreshes of a report, counting refreshes of its refreshes. */
const REFRESH_INTERVAL_MS = 24 * HOUR_MS

/**
 * Refreshes a complete report: requests a report of today with the same window, free of charge, if its content would differ.
 * @throws Refusal 404; 409 `report_not_ready`; 402 `lapsed`; 422 on `report` if nothing would differ; 429 within a day of the last refresh,
 *   with its id
 */
export async function refreshReport(app: App, caller: Caller, id: string): Promise<ReportView> {
  requireActivePlan(caller)
  const { differs } = await diffReports(app, caller, id, null)
  if (!differs) refuseField('report', 'A report of today would be the same: no change in the archive affects it.')
  const report_id = await caller.db.$transaction((tx) => createRefresh(tx, app, caller, id))
  return findReport(app, caller, report_id)
}

async function createRefresh(tx: ScopedTx, { clock }: Pick<App, 'clock'>, caller: Caller, id: string): Promise<string> {
  const now = clock.now()
  const old = await lockReport(tx, caller, id)
  const root = old.refreshes && (await lockRow(tx, caller, old.refreshes)) ? old.refreshes : id
  await claimRefresh(tx, root, now)
  const { query, sent_latitude: latitude, sent_longitude: longitude, window_start, window_end, radius_miles, narrowed_by_plan } = old
  const window = { window_start: window_start.toISOString().slice(0, 10), window_end: window_end.toISOString().slice(0, 10) }
  const report_id = await createPendingReport(
    tx,
    caller,
    {
      address: query,
      point: latitude === null || longitude === null ? null : { latitude, longitude },
      ...window,
      radius_miles,
      narrowed_by_plan,
      as_of: null,
      date_of_loss: old.date_of_loss?.toISOString().slice(0, 10) ?? null,
      reference: old.reference,
      recipient: old.recipient,
      property_id: old.property_id,
    },
    old.layout,
    now,
    root,
  )
  auditWrite(tx, { kind: 'report', id: report_id, after: { ...window, radius_miles, status: 'pending', plan_tier: caller.plan.tier } })
  return report_id
}

/** Locks the property, then the report, in the order of a removal, so that neither is removed before the transaction ends. */
async function lockReport(tx: ScopedTx, caller: Caller, id: string): Promise<Report> {
  const found = await tx.report.findUnique({ where: { id }, select: { property_id: true } })
  await lockOwnProperties(tx, caller, [{ property_id: found?.property_id }])
  await lockRow(tx, caller, id)
  const old = await tx.report.findUnique({ where: { id } })
  if (!old) throw noSuchReport()
  return old
}

async function lockRow(tx: Pick<ScopedTx, '$queryRaw'>, { team }: Caller, id: string): Promise<boolean> {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT id FROM reports WHERE id = ${id}::uuid AND team_id = ${team.id}::uuid FOR NO KEY UPDATE`
  return rows.length > 0
}

/** Claims the day's refresh. Of two concurrent calls, the second waits for the row and then finds the refresh taken. */
async function claimRefresh(tx: ScopedTx, root: string, now: Date): Promise<void> {
  const { count } = await tx.report.updateMany({
    where: { id: root, OR: [{ refreshed_at: null }, { refreshed_at: { lte: new Date(now.getTime() - REFRESH_INTERVAL_MS) } }] },
    data: { refreshed_at: now },
  })
  if (count > 0) return
  const last = await tx.report.findUnique({ where: { id: root }, select: { refreshed_at: true } })
  const existing = await tx.report.findFirst({
    where: { refreshes: root },
    orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
    select: { id: true },
  })
  const free_at = (last?.refreshed_at ?? now).getTime() + REFRESH_INTERVAL_MS
  throw new Refusal('rate_limited', 'This report was already refreshed within the last day. A new report can be requested at any time.', {
    retry_after: Math.ceil((free_at - now.getTime()) / 1000),
    ...(existing && { existing_id: existing.id }),
  })
}
