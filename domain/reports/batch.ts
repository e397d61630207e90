import type { Caller } from '#domain/access/caller.ts'
import { type IdempotentRequest, once } from '#domain/access/idempotency.ts'
import type { ScopedTx } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { type ArchiveMemory, checkAsOf, readMemory } from '#domain/archive/versions/memory.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { checkedLater, list } from '#domain/kernel/fields.ts'
import { readNew, refuseUnknown, required, type Sent, schemaOfForm } from '#domain/kernel/form.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { allOf, gatherFaults } from '#domain/kernel/validation.ts'
import { whereSchema } from '#domain/places/where.ts'
import { requireActivePlan, requireLayouts } from '#domain/plans/ceilings.ts'
import { type Charge, chargeForReports } from '#domain/plans/credits.ts'
import {
  checkReport,
  checkWindow,
  type LimitedRequest,
  limitToPlan,
  type ReportInput,
  type ReportRequest,
  reportDefaultsForm,
  reportRowForm,
} from '#domain/reports/check-request.ts'
import { findReports } from '#domain/reports/find.ts'
import { defaultLayout, readLayout, type StoredLayout } from '#domain/reports/layout.ts'
import { chargeDescription, createPendingReport, lockOwnProperties } from '#domain/reports/request.ts'
import type { BatchRowStatus, ReportBatchRowView, ReportBatchView } from '#domain/reports/view.ts'

/** The most rows of one batch, by the contract. The index states this number too. */
export const REPORT_BATCH_MAX = 25

const rows = checkedLater('A report', schemaOfForm(reportRowForm, 'new', { additionalProperties: false, ...whereSchema }))

/** The body of a batch. Rows may have any type: an invalid row is rejected, and the others continue. */
export const reportBatchForm = {
  reports: required(list('The reports', rows, { min: 1, max: REPORT_BATCH_MAX, count: `Send 1 to ${REPORT_BATCH_MAX} reports.` })),
  ...reportDefaultsForm,
}

export type ReportBatchInput = Sent<typeof reportBatchForm>

/** What is stored of a batch for its replay. No bodies: a replay shows the reports as they are then. */
interface BatchOutcome {
  credits_remaining: number
  rows: { status: BatchRowStatus; message: string | null; report_id: string | null }[]
}

/**
 * Accepts the rows in order, each as if it were sent alone, until the credits run out. `mixed` is true if not every
 * row was accepted: REST then responds with 207.
 * @throws Refusal 422 if the list itself or a default is invalid, 402 `layout` or `lapsed`, 409 for the key
 */
export async function requestReports(
  app: App,
  caller: Caller,
  input: ReportBatchInput,
  idempotency: IdempotentRequest | null,
): Promise<{ batch: ReportBatchView; replayed: boolean; mixed: boolean }> {
  const { outcome, replayed } = await once(caller, idempotency, (tx) => acceptRows(tx, app, caller, input))
  const batch = await batchView(app, caller, input.reports as unknown[], outcome)
  return { batch, replayed, mixed: batch.accepted < batch.submitted }
}

/** Locks the team's row before it checks any row, so that the credits counted here are still there when the rows are charged at the end. */
async function acceptRows(tx: ScopedTx, app: App, caller: Caller, input: ReportBatchInput): Promise<BatchOutcome> {
  const now = app.clock.now()
  const memory = hasAsOf(input) ? await readMemory(tx) : null
  const { reports, layout, defaults } = checkBatch(app, caller, input, now, memory)
  const properties = await lockOwnProperties(tx, caller, reports.filter(isObject))
  const balance = await lockBalance(tx, caller.team.id)
  const outcome: BatchOutcome = { credits_remaining: balance, rows: [] }
  const charges: Charge[] = []
  for (const row of reports) {
    const result = validateRow(row, defaults, caller, properties, now, memory)
    if ('message' in result) {
      outcome.rows.push({ status: 'rejected', message: result.message, report_id: null })
    } else if (charges.length === balance) {
      outcome.rows.push({ status: 'skipped', message: 'No credits are left.', report_id: null })
    } else {
      const report_id = await createPendingReport(tx, caller, result.request, layout, now)
      charges.push({ report_id, description: chargeDescription(result.request) })
      outcome.rows.push({ status: 'accepted', message: null, report_id })
    }
  }
  if (charges.length > 0) outcome.credits_remaining = (await chargeForReports(tx, caller.team.id, charges, now)).balance
  auditWrite(tx, { kind: 'report_batch', id: null, after: countsOf(outcome) })
  return outcome
}

/** The audit entry of the batch, which is one operation: how many rows had which outcome, and the reports created. */
function countsOf({ rows }: BatchOutcome) {
  const count = (status: BatchRowStatus) => rows.filter((row) => row.status === status).length
  const counts = { accepted: count('accepted'), rejected: count('rejected'), skipped: count('skipped') }
  return { ...counts, report_ids: rows.flatMap(({ report_id }) => report_id ?? []) }
}

type Defaults = Pick<ReportInput, 'window_start' | 'window_end' | 'radius_miles' | 'as_of' | 'date_of_loss'>

/** Whether any part of the batch names a point in time: only then is the archive's memory read. */
function hasAsOf({ as_of, reports }: ReportBatchInput): boolean {
  return as_of != null || (Array.isArray(reports) && reports.some((row) => isObject(row) && row.as_of != null))
}

/** Reads the list and the defaults, which apply to every row: an invalid default refuses the whole call. */
function checkBatch(
  app: App,
  caller: Caller,
  input: ReportBatchInput,
  now: Date,
  memory: ArchiveMemory | null,
): { reports: unknown[]; layout: StoredLayout; defaults: Defaults } {
  const faults = gatherFaults()
  const { reports, layout, ...defaults } = readNew(reportBatchForm, input, faults)
  checkWindow(defaults, faults, now)
  if (memory && defaults.as_of) checkAsOf(defaults.as_of, memory, faults)
  const fallback = defaultLayout(caller.plan, app.config)
  const composed = readLayout(layout, fallback, faults)
  refuseUnknown(reportBatchForm, input, faults)
  faults.refuse()
  requireActivePlan(caller)
  if (composed) requireLayouts(caller)
  return { reports, layout: composed ?? fallback, defaults: { ...defaults, as_of: defaults.as_of?.toISOString() } }
}

async function lockBalance(tx: ScopedTx, team_id: string): Promise<number> {
  const [team] = await tx.$queryRaw<[{ balance: number }]>`SELECT balance FROM teams WHERE id = ${team_id}::uuid FOR NO KEY UPDATE`
  return team.balance
}

function validateRow(
  row: unknown,
  defaults: Defaults,
  caller: Caller,
  properties: ReadonlySet<string>,
  now: Date,
  memory: ArchiveMemory | null,
): { request: ReportRequest & LimitedRequest } | { message: string } {
  if (!isObject(row)) return { message: 'A report must be an object.' }
  const faults = gatherFaults()
  const request = checkReport(withDefaults(row, defaults), properties, now, faults)
  if (memory && request.as_of) checkAsOf(request.as_of, memory, faults)
  refuseUnknown(reportRowForm, row, faults)
  if (Object.keys(faults.found).length > 0) return { message: allOf(faults.found) }
  try {
    return { request: { ...request, ...limitToPlan(caller, request, now) } }
  } catch (fault) {
    if (fault instanceof Refusal) return { message: fault.message }
    throw fault
  }
}

/** Returns the row's values, completed by the batch's defaults. */
function withDefaults(row: Sent<typeof reportRowForm>, defaults: Defaults): ReportInput {
  const { address, latitude, longitude, window_start, window_end, radius_miles, as_of, date_of_loss, reference, property_id } = row
  return {
    address,
    latitude,
    longitude,
    reference,
    property_id,
    window_start: window_start ?? defaults.window_start,
    window_end: window_end ?? defaults.window_end,
    radius_miles: radius_miles ?? defaults.radius_miles,
    as_of: as_of ?? defaults.as_of,
    date_of_loss: date_of_loss ?? defaults.date_of_loss,
  }
}

async function batchView(app: App, caller: Caller, sent: unknown[], { rows, credits_remaining }: BatchOutcome): Promise<ReportBatchView> {
  const reports = await findReports(
    app,
    caller,
    rows.flatMap(({ report_id }) => report_id ?? []),
  )
  const results = rows.map(({ status, message, report_id }, index): ReportBatchRowView => {
    const row = sent[index]
    const address = isObject(row) && typeof row.address === 'string' ? row.address : null
    return { index, address, status, message, report: reports.find(({ id }) => id === report_id) ?? null }
  })
  const count = (status: BatchRowStatus) => results.filter((result) => result.status === status).length
  return {
    object: 'report_batch',
    submitted: results.length,
    accepted: count('accepted'),
    rejected: count('rejected'),
    skipped: count('skipped'),
    credits_spent: count('accepted'),
    credits_remaining,
    out_of_credits: count('skipped') > 0,
    results,
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
