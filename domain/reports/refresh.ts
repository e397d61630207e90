import type { Caller } from '#domain/access/caller.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { refuseField } from '#domain/kernel/validation.ts'
import { requireActivePlan } from '#domain/plans/ceilings.ts'
import { limitToPlan } from '#domain/reports/check-request.ts'
import { reachDateOfLoss } from '#domain/reports/cut-to-today.ts'
import { diffReports } from '#domain/reports/diff.ts'
import { findReport } from '#domain/reports/find.ts'
import { defaultLayout } from '#domain/reports/layout.ts'
import { noSuchReport } from '#domain/reports/report-rows.ts'
import { createPendingReport, lockOwnProperties } from '#domain/reports/request.ts'
import type { ReportView } from '#domain/reports/view.ts'
import type { Report } from '#generated/prisma/client.ts'

/** The shortest time between two refreshes of a report, counting refreshes of its refreshes. */
const REFRESH_INTERVAL_MS = DAY_MS

/**
 * Refreshes a complete report: requests a report of today with the same window, free of charge, if its content would differ. As for
 * every request, today's plan limits the window and the radius, and without composed layouts the layout is the plan's own.
 * @throws Refusal 404; 409 `report_not_ready`; 402 `lapsed` or `lookback`; 422 on `report` if nothing would differ; 429 within a day of the last refresh,
 *   with its id
 */
export async function refreshReport(app: App, caller: Caller, id: string): Promise<ReportView> {
  requireActivePlan(caller)
  const { differs } = await diffReports(app, caller, id, null)
  if (!differs) refuseField('report', 'A report of today would be the same: no change in the archive affects it.')
  const report_id = await caller.db.$transaction((tx) => createRefresh(tx, app, caller, id))
  return findReport(app, caller, report_id)
}

async function createRefresh(tx: ScopedTx, { clock, config }: Pick<App, 'clock' | 'config'>, caller: Caller, id: string): Promise<string> {
  const now = clock.now()
  const old = await lockReport(tx, caller, id)
  const root = old.refreshes ?? id
  await claimRefresh(tx, caller, { id, root }, now)
  const { query, sent_latitude: latitude, sent_longitude: longitude, window_start, window_end, radius_miles, narrowed_by_plan } = old
  const date_of_loss = old.date_of_loss && dateOf(old.date_of_loss)
  const { start, end } = reachDateOfLoss({ start: dateOf(window_start), end: dateOf(window_end) }, date_of_loss)
  const request = {
    address: query,
    point: latitude === null || longitude === null ? null : { latitude, longitude },
    window_start: start,
    window_end: end,
    radius_miles,
    as_of: null,
    date_of_loss,
    reference: old.reference,
    recipient: old.recipient,
    property_id: old.property_id,
  }
  const limited = limitToPlan(caller, request, now)
  const narrowed = { ...limited, narrowed_by_plan: narrowed_by_plan || limited.narrowed_by_plan }
  const layout = caller.plan.includes.compose_layout ? old.layout : defaultLayout(caller.plan, config)
  const report_id = await createPendingReport(tx, caller, { ...request, ...narrowed }, layout, now, root)
  auditWrite(tx, { kind: 'report', id: report_id, after: { ...narrowed, status: 'pending', plan_tier: caller.plan.tier } })
  return report_id
}

const dateOf = (day: Date) => day.toISOString().slice(0, 10)

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

/**
 * Claims the day's refresh of all reports that stem from one. Of two concurrent calls, the second waits and then finds the refresh taken.
 * The claim is noted in the report that was paid for, or, if that was removed, in the one that is refreshed, until the refresh fails.
 */
async function claimRefresh(tx: ScopedTx, caller: Caller, { id, root }: { id: string; root: string }, now: Date): Promise<void> {
  const rootExists = await lockRow(tx, caller, root)
  const last = rootExists ? await lastRefreshOf(tx, root) : await lastAmongRefreshes(tx, root)
  const free_at = (last?.getTime() ?? Number.NEGATIVE_INFINITY) + REFRESH_INTERVAL_MS
  if (free_at <= now.getTime()) {
    await tx.report.update({ where: { id: rootExists ? root : id }, data: { refreshed_at: now } })
    return
  }
  const existing = await tx.report.findFirst({
    where: { refreshes: root },
    orderBy: [{ created_at: 'desc' }, { id: 'desc' }],
    select: { id: true },
  })
  throw new Refusal('rate_limited', 'This report was already refreshed within the last day. A new report can be requested at any time.', {
    retry_after: Math.ceil((free_at - now.getTime()) / 1000),
    ...(existing && { existing_id: existing.id }),
  })
}

async function lastRefreshOf(tx: ScopedTx, id: string): Promise<Date | null> {
  const report = await tx.report.findUnique({ where: { id }, select: { refreshed_at: true } })
  return report?.refreshed_at ?? null
}

/** Reads the last refresh from the refreshes that are left, one transaction at a time: the row to wait for was removed. */
async function lastAmongRefreshes(tx: ScopedTx, root: string): Promise<Date | null> {
  await tx.$queryRaw`SELECT 1 AS taken FROM pg_advisory_xact_lock(hashtextextended(${`refresh ${root}`}, 0))`
  const { _max } = await tx.report.aggregate({
    where: { refreshes: root, status: { not: 'failed' } },
    _max: { created_at: true, refreshed_at: true },
  })
  const moments = [_max.created_at, _max.refreshed_at].filter((moment) => moment !== null)
  return moments.length > 0 ? new Date(Math.max(...moments.map((moment) => moment.getTime()))) : null
}
