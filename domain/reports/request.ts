import type { App } from '#domain/app.ts'
import type { Caller } from '#domain/caller.ts'
import type { IdempotentRequest } from '#domain/idempotency.ts'
import type { ReportView } from '#domain/reports/view.ts'

/** A report's body as sent: every field is checked here, so values of any type may arrive. */
export interface ReportInput {
  address?: unknown
  window_start?: unknown
  window_end?: unknown
  radius_miles?: unknown
  reference?: unknown
  recipient?: unknown
  property_id?: unknown
  layout?: unknown
}

export async function requestReport(
  _app: App,
  _caller: Caller,
  _input: ReportInput,
  _idempotency: IdempotentRequest | null,
): Promise<{ report: ReportView; replayed: boolean }> {
  throw new Error('unfinished')
}
