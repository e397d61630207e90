import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { linkReports } from '#domain/exposures/link-reports.ts'
import { isUuid } from '#domain/kernel/validation.ts'
import { documentFolder } from '#domain/reports/document-store/document-folder.ts'
import { recordRemovedFingerprint } from '#domain/reports/removed-fingerprints.ts'
import { noSuchReport } from '#domain/reports/report-rows.ts'
import type { Report } from '#generated/prisma/client.ts'

/**
 * Removes the report with its stored document; the credit is not returned. Only the dates of its fingerprint are kept, and no
 * place: the fingerprint counts as withdrawn once no report with it is left. The document is deleted before the transaction commits: if that
 * fails, the rows remain and the removal can be repeated.
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
      Pick<Report, 'fingerprint' | 'generated_at' | 'property_id' | 'status' | 'radius_miles' | 'plan_tier'>[]
    >`SELECT fingerprint, generated_at, property_id, status, radius_miles, plan_tier FROM reports WHERE id = ${id}::uuid AND team_id = ${caller.team.id}::uuid FOR UPDATE`
    if (!report) throw noSuchReport()
    await tx.report.deleteMany({ where: { id, team_id: caller.team.id } })
    if (report.fingerprint && report.generated_at)
      await recordRemovedFingerprint(tx, report.fingerprint, report.generated_at, app.clock.now())
    await linkReports(tx, caller.team.id, report.property_id, app.clock.now())
    await app.blobs.clear(documentFolder(id))
    auditWrite(tx, { kind: 'report', id, before: report })
  })
}
