import type { App } from '#domain/app.ts'
import type { FailureReason } from '#domain/closed-sets.ts'
import { type RawTx, transact } from '#domain/engines/database.ts'
import { emit } from '#domain/events/emit.ts'
import { refundReport } from '#domain/plans/credits.ts'
import { readReport, reportView } from '#domain/reports/report-rows.ts'
import { failureSentences } from '#domain/reports/wording/failure-sentences.ts'

/**
 * Marks a pending report as failed, refunds its credit or its refresh of the day, and emits report.failed, in one transaction. A report that is no longer pending stays
 * as it is.
 * @param failure_message the reason for the user; it names the address, so it is never logged
 * @param query the address that the message is about. If a person was erased from the report since, its address differs and it stays as it is
 * @returns whether this call marked the report as failed
 */
export async function failReport(
  app: Pick<App, 'pool' | 'clock' | 'log' | 'config'>,
  report_id: string,
  failure_reason: FailureReason,
  failure_message: string = failureSentences[failure_reason],
  query: string | null = null,
): Promise<boolean> {
  const failed = await transact(app.pool, async (tx) => {
    const [report] = await tx.$queryRaw<{ team_id: string; refreshes: string | null }[]>`
      UPDATE reports SET status = 'failed', failure_reason = ${failure_reason}, failure_message = ${failure_message}
       WHERE id = ${report_id}::uuid AND status = 'pending' AND query = coalesce(${query}, query) RETURNING team_id, refreshes`
    if (!report) return false
    if (report.refreshes) await releaseRefresh(tx, report.team_id, report.refreshes)
    const view = reportView(await readReport(tx, report_id), app.config.base_url)
    const subject = `Report failed: ${view.address.query}`
    await emit(tx, 'report.failed', { team_id: report.team_id, subject, exposure_ids: [] }, { data: [view] })
    await refundReport(tx, report.team_id, report_id, `Report failed: ${failure_message}`, app.clock.now())
    return true
  })
  if (failed) app.log.info({ report_id, failure_reason }, 'report failed')
  return failed
}

/** Lets the report be refreshed again: the claim of the day is noted in the report that was paid for, or in a refresh of it. */
async function releaseRefresh(tx: RawTx, team_id: string, root: string): Promise<void> {
  await tx.$executeRaw`
    UPDATE reports SET refreshed_at = NULL
     WHERE team_id = ${team_id}::uuid AND (id = ${root}::uuid OR refreshes = ${root}::uuid) AND refreshed_at IS NOT NULL`
}
