import type { App } from '#domain/app.ts'
import { refundReport } from '#domain/plans/credits.ts'
import type { FailureReason } from '#domain/reports/view.ts'

/** The sentence that a failure's code stands for. */
export const failureSentences: Record<FailureReason, string> = {
  address_not_found: 'The address was not found.',
  address_ambiguous: 'The address fits several places.',
  outside_coverage: 'The address lies outside the United States and its territories.',
  sources_unavailable: 'The archive did not answer.',
  timed_out: 'The report was not finished in time.',
  internal_error: 'The report could not be compiled.',
}

/** Ends a pending report as failed and returns its credit, in one transaction. One that is no longer pending stays as it is. */
export async function failReport(app: Pick<App, 'db' | 'clock' | 'log'>, report_id: string, failure_reason: FailureReason): Promise<void> {
  const failed = await app.db.$transaction(async (tx) => {
    const [report] = await tx.report.updateManyAndReturn({
      where: { id: report_id, status: 'pending' },
      data: { status: 'failed', failure_reason },
      select: { team_id: true },
    })
    if (report) await refundReport(tx, report.team_id, report_id, `Report failed: ${failureSentences[failure_reason]}`, app.clock.now())
    return report !== undefined
  })
  if (failed) app.log.info({ report_id, failure_reason }, 'report failed')
}
