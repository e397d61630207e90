import { createHash } from 'node:crypto'
import type { App } from '#domain/app.ts'
import { emit } from '#domain/events/emit.ts'
import { inSpan } from '#domain/kernel/trace.ts'
import { addressLine } from '#domain/places/address-line.ts'
import { documentFolder } from '#domain/reports/document-store/document-folder.ts'
import { downloadOf } from '#domain/reports/document-store/download.ts'
import type { CompleteReport } from '#domain/reports/verification.ts'
import type { ReportView } from '#domain/reports/view.ts'

/**
 * Stores the document, then marks it as ready: status and event are written in one transaction, by the first process to get there. A document
 * that replaces a missing file is not announced again. A document whose words were erased from its report while it was rendered is dropped:
 * another one is already requested.
 */
export async function saveDocument(app: App, team_id: string, report: CompleteReport, bytes: Buffer): Promise<void> {
  const { id: report_id, reference, recipient } = report
  const { query, street } = report.address
  const key = `${documentFolder(report_id)}/${createHash('sha256').update(bytes).digest('hex')}.pdf`
  const sha256 = await inSpan('store document', { kind: 'client', facts: { 'weather.bytes': bytes.length } }, () =>
    app.blobs.put(key, bytes),
  )
  const now = app.clock.now()
  const kept = await app.db.$transaction(async (tx) => {
    const first = await tx.$executeRaw`
      UPDATE reports SET pdf_status = 'ready', pdf_rendered_at = ${now}
       WHERE id = ${report_id}::uuid AND status = 'complete' AND pdf_status IS DISTINCT FROM 'ready'
         AND query = ${query} AND street IS NOT DISTINCT FROM ${street} AND reference IS NOT DISTINCT FROM ${reference} AND recipient IS NOT DISTINCT FROM ${recipient}`
    if (first === 0) return false
    const stored = { key, sha256, bytes: bytes.length, created_at: now }
    const { count: replaced } = await tx.document.updateMany({ where: { report_id }, data: stored })
    if (replaced > 0) return true
    await tx.document.create({ data: { report_id, team_id, ...stored } })
    const view: ReportView = { ...report, pdf: { status: 'ready', rendered_at: now.toISOString() } }
    const about = { team_id, subject: `PDF ready: ${addressLine(view.address)}`, exposure_ids: [] }
    await emit(tx, 'report.pdf_ready', about, { data: [view], download: downloadOf(app, report_id, bytes.length, now) })
    return true
  })
  // A renderer that was killed may have left its file without a row.
  if (kept) await app.blobs.clear(documentFolder(report_id), key)
  else if (!(await app.db.document.count({ where: { key } }))) await app.blobs.remove(key)
}
