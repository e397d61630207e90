import type { App } from '#domain/app.ts'
import type { FailureReason } from '#domain/closed-sets.ts'
import { locationFailureTexts } from '#domain/places/location.ts'
import { refundReport } from '#domain/plans/credits.ts'

/** The sentence that a failure's code stands for. */
export const failureSentences: Record<FailureReason, string> = {
  ...locationFailureTexts,
  sources_unavailable: 'The archive did not answer.',
  timed_out: 'The report was not finished in time.',
  internal_error: 'The report could not be compiled.',
}

/**
 * Ends a pending report as failed and returns its credit, in one transaction. One that is no longer pending stays as it is.
 * @param failure_message why, for whoever asked for it: it names the address, and stands in no log
 */
export async function failReport(
  app: Pick<App, 'db' | 'clock' | 'log'>,
  report_id: string,
  failure_reason: FailureReason,
  failure_message: string = failureSentences[failure_reason],
): Promise<void> {
  const failed = await app.db.$transaction(async (tx) => {
    const [report] = await tx.report.updateManyAndReturn({
      where: { id: report_id, status: 'pending' },
      data: { status: 'failed', failure_reason, failure_message },
      select: { team_id: true },
    })
    if (report) await refundReport(tx, report.team_id, report_id, `Report failed: ${failure_message}`, app.clock.now())
    return report !== undefined
  })
  if (failed) app.log.info({ report_id, failure_reason }, 'report failed')
}
