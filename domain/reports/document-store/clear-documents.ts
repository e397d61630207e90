import type { App } from '#domain/app.ts'
import { stage } from '#domain/kernel/outbox.ts'
import { tiersWith } from '#domain/plans/plans.ts'
import { documentFolder } from '#domain/reports/document-store/document-folder.ts'

/**
 * Removes every file of a report's document that no row names, then has the document printed if it should exist and does not.
 * In this order, because the file of a document that is printed meanwhile has no row yet; if another process prints it nevertheless, it
 * is printed again on request, as a lost file is.
 */
export async function clearDocuments({ db, blobs, clock }: Pick<App, 'db' | 'blobs' | 'clock'>, report_id: string): Promise<void> {
  const row = await db.document.findUnique({ where: { report_id }, select: { key: true } })
  await blobs.clear(documentFolder(report_id), row?.key)
  await db.$transaction(async (tx) => {
    const unprinted = await tx.$executeRaw`
      UPDATE reports SET issued_at = ${clock.now()}
       WHERE id = ${report_id}::uuid AND status = 'complete' AND pdf_status IS NULL AND plan_tier = ANY(${tiersWith('pdf_export')})`
    if (unprinted > 0) await stage(tx, 'report.render', { report_id })
  })
}
