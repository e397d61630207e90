import type { Caller } from '#domain/access/caller.ts'
import { type IdempotentRequest, once } from '#domain/access/idempotency.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { checkAsOf, readMemory } from '#domain/archive/versions/memory.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { stage } from '#domain/kernel/outbox.ts'
import { type Faults, gatherFaults, isUuid } from '#domain/kernel/validation.ts'
import { requireActivePlan, requireLayouts } from '#domain/plans/ceilings.ts'
import { chargeForReport } from '#domain/plans/credits.ts'
import { checkReport, type LimitedRequest, limitToPlan, type ReportInput, type ReportRequest } from '#domain/reports/check-request.ts'
import { findReport } from '#domain/reports/find.ts'
import { defaultLayout, readLayout, type StoredLayout } from '#domain/reports/layout.ts'
import type { ReportView } from '#domain/reports/view.ts'
import type { Prisma } from '#generated/prisma/client.ts'

export type { ReportInput } from '#domain/reports/check-request.ts'

/**
 * Accepts a report: writes one pending row, its job and its charge in one transaction, with the idempotency key if one is given.
 * @throws Refusal 422 with every fault of the body; 402 `layout`, `lookback`, `lapsed` or `credits`; 409 for the key;
 *   404 if the report of a replayed request was removed since
 */
export async function requestReport(
  app: App,
  caller: Caller,
  input: ReportInput,
  idempotency: IdempotentRequest | null,
): Promise<{ report: ReportView; replayed: boolean }> {
  const { outcome, replayed } = await once(caller, idempotency, (tx) => acceptReport(tx, app, caller, input, gatherFaults()))
  return { report: await findReport(app, caller, outcome.report_id), replayed }
}

/**
 * Checks a report's body and writes the report, its job and its charge. Returns the id by which a replay reads the report.
 * @param faults the faults found so far: all are refused together
 */
export async function acceptReport(
  tx: ScopedTx,
  app: Pick<App, 'clock' | 'config'>,
  caller: Caller,
  input: ReportInput,
  faults: Faults,
): Promise<{ report_id: string }> {
  const now = app.clock.now()
  const { request, layout } = await validateReport(tx, app, caller, input, now, faults)
  const report_id = await createPendingReport(tx, caller, request, layout, now)
  await chargeForReport(tx, caller.team.id, report_id, chargeDescription(request), now)
  auditWrite(tx, {
    kind: 'report',
    id: report_id,
    after: { ...request, status: 'pending', plan_tier: caller.plan.tier },
  })
  return { report_id }
}

/**
 * Checks a report's body on its own, against the plan and against the team's rows: everything that can be checked before the charge.
 * @throws Refusal 422 with every fault; 402 `layout`, `lookback` or `lapsed`
 */
export async function validateReport(
  tx: Pick<ScopedTx, '$queryRaw'>,
  app: Pick<App, 'config'>,
  caller: Caller,
  input: ReportInput,
  now: Date,
  faults: Faults,
): Promise<{ request: ReportRequest & LimitedRequest; layout: StoredLayout }> {
  const request = checkReport(input, await lockOwnProperties(tx, caller, [input]), now, faults)
  const preset = defaultLayout(caller.plan, app.config)
  if (request.as_of) checkAsOf(request.as_of, await readMemory(tx), faults)
  const composed = readLayout(input.layout, preset, faults)
  faults.refuse()
  requireActivePlan(caller)
  if (composed) requireLayouts(caller)
  return { request: { ...request, ...limitToPlan(caller, request, now) }, layout: composed ?? preset }
}

/**
 * Writes the pending report and its job. The caller writes the charge, as its last step.
 * @param refreshes id of the report that this one refreshes; a refresh is not charged
 */
export async function createPendingReport(
  tx: ScopedTx,
  { team, plan }: Caller,
  request: ReportRequest & LimitedRequest,
  layout: StoredLayout | Prisma.JsonValue,
  now: Date,
  refreshes: string | null = null,
): Promise<string> {
  const { address: query, point, window_start, window_end, date_of_loss, ...rest } = request
  const { id } = await tx.report.create({
    data: {
      ...rest,
      refreshes,
      query,
      sent_latitude: point?.latitude ?? null,
      sent_longitude: point?.longitude ?? null,
      window_start: new Date(window_start),
      window_end: new Date(window_end),
      date_of_loss: date_of_loss === null ? null : new Date(date_of_loss),
      team_id: team.id,
      plan_tier: plan.tier,
      layout: layout as unknown as Prisma.InputJsonObject,
      issued_at: now,
      created_at: now,
    },
    select: { id: true },
  })
  await stage(tx, 'report.generate', { report_id: id })
  return id
}

/** The description of the ledger row that pays for a report. */
export function chargeDescription({ address }: Pick<ReportRequest, 'address'>): string {
  return `Report: ${address}`
}

/**
 * Returns which of the properties named in the bodies belong to the team, and locks them: none can be removed before the transaction ends.
 * A removal locks the property first and the team's row second, so call this before anything that locks the team's row.
 */
export async function lockOwnProperties(
  tx: Pick<ScopedTx, '$queryRaw'>,
  { team }: Caller,
  inputs: Pick<ReportInput, 'property_id'>[],
): Promise<ReadonlySet<string>> {
  const ids = inputs.flatMap(({ property_id: id }) => (typeof id === 'string' && isUuid(id) ? [id] : []))
  if (ids.length === 0) return new Set()
  const owned = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM properties WHERE id = ANY(${ids}::uuid[]) AND team_id = ${team.id}::uuid FOR KEY SHARE`
  return new Set(owned.map(({ id }) => id))
}
