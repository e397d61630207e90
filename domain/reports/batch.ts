import type { App } from '#domain/app.ts'
import type { Caller } from '#domain/caller.ts'
import type { IdempotentRequest } from '#domain/idempotency.ts'
import type { ReportBatchView } from '#domain/reports/view.ts'

/** A batch's body as sent. Rows are of any type: one that is wrong is rejected, the others go on. */
export interface ReportBatchInput {
  reports?: unknown
  window_start?: unknown
  window_end?: unknown
  radius_miles?: unknown
  layout?: unknown
}

/** `mixed` is true where not every row was accepted: REST answers 207 then. */
export async function requestReports(
  _app: App,
  _caller: Caller,
  _input: ReportBatchInput,
  _idempotency: IdempotentRequest | null,
): Promise<{ batch: ReportBatchView; replayed: boolean; mixed: boolean }> {
  throw new Error('unfinished')
}
