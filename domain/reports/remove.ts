import type { App } from '#domain/app.ts'
import type { Caller } from '#domain/caller.ts'
import { isUuid } from '#domain/check.ts'
import { fileReports } from '#domain/exposures/file-report.ts'
import { noSuchReport } from '#domain/reports/report-rows.ts'
import { withdrawFingerprint } from '#domain/reports/withdrawn.ts'

/**
 * Removes the report with its stored document; the credit is not returned. A fingerprint of which no report is left
 * is kept as withdrawn: its dates, no place. The document goes before the rows: what fails in between is tried again.
 * @throws Refusal 404
 */
export async function removeReport(
  app: Pick<App, 'db' | 'blobs' | 'clock'>,
  caller: Pick<Caller, 'team' | 'db'>,
  id: string,
): Promise<void> {
  if (!isUuid(id)) throw noSuchReport()
  await app.db.$transaction(async (tx) => {
    const [report] = await tx.$queryRaw<
      { fingerprint: string | null; generated_at: Date | null; key: string | null; property_id: string | null }[]
    >`
      SELECT r.fingerprint, r.generated_at, r.property_id, d.key FROM reports r LEFT JOIN documents d ON d.report_id = r.id
       WHERE r.id = ${id}::uuid AND r.team_id = ${caller.team.id}::uuid FOR UPDATE OF r`
    if (!report) throw noSuchReport()
    await tx.report.deleteMany({ where: { id, team_id: caller.team.id } })
    if (report.fingerprint && report.generated_at) await withdrawFingerprint(tx, report.fingerprint, report.generated_at, app.clock.now())
    await fileReports(tx, caller.team.id, report.property_id, app.clock.now())
    if (report.key) await app.blobs.remove(report.key)
  })
}
