import type { App } from '#domain/app.ts'
import type { FailureReason } from '#domain/reports/view.ts'

/** Compiles a pending report. Repeatable: a report that is no longer pending is left as it is. */
export async function generateReport(_app: App, _report_id: string): Promise<void> {
  throw new Error('unfinished')
}

/** Ends a pending report as failed and returns its credit, in one transaction. Does nothing to one that is no longer pending. */
export async function failReport(_app: Pick<App, 'db' | 'clock' | 'log'>, _report_id: string, _reason: FailureReason): Promise<void> {
  throw new Error('unfinished')
}
