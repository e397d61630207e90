import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { auditWrite } from '#domain/audit/audit-log.ts'
import { readLink } from '#domain/engines/signed-link.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import type { CheckResponseSize } from '#domain/kernel/response-size.ts'
import { requirePdfExport } from '#domain/plans/ceilings.ts'
import { downloadOf, filenameOf } from '#domain/reports/document-store/download.ts'
import { type DocumentRow, readStored, rerender, restageRender } from '#domain/reports/document-store/stored-document.ts'
import { findReport } from '#domain/reports/find.ts'
import { requireComplete } from '#domain/reports/verification.ts'
import type { DownloadView, PdfPreparingView } from '#domain/reports/view.ts'

/** Seconds until a client may retry: for a document being rendered, and for one that no engine can render now. */
const PREPARING_RETRY_SECONDS = 5
const ENGINE_RETRY_SECONDS = 60

export interface StoredDocument {
  bytes: Buffer
  filename: string
}

/** The store's own URL of a document, if the operator lets the store serve documents. */
export interface StoreHostedDocument {
  store_url: string
}

/**
 * Returns the document's bytes, or the body of a 202 while it is being rendered: for the first time, or again because its file is gone.
 * @throws Refusal 404; 402 `pdf_export`; 409 `report_not_ready`; 503 `engine_unavailable` while it is attempted again; and what
 *   `checkResponseSize` refuses
 */
export async function reportPdf(
  app: App,
  caller: Caller,
  id: string,
  checkResponseSize?: CheckResponseSize,
): Promise<StoredDocument | PdfPreparingView> {
  if (await isPreparing(app, caller, id)) return preparing
  return (await readDocument(app, id, checkResponseSize)) ?? preparing
}

/** Returns a short-lived signed link to the document. Refuses as `reportPdf` does, whatever the size of the document. */
export async function reportPdfLink(app: App, caller: Caller, id: string): Promise<DownloadView | PdfPreparingView> {
  if (await isPreparing(app, caller, id)) return preparing
  const document = await readDocument(app, id)
  if (!document) return preparing
  const link = downloadOf(app, id, document.bytes.length, app.clock.now())
  // A link has no row, and opens the document for anyone who has it: only the audit log shows that it exists.
  await app.db.$transaction(async (tx) => auditWrite(tx, { kind: 'report_link', id, after: link }))
  return link
}

/**
 * Returns the document that a signed link opens, the store's own URL of it, or the body of a 202 while it is being rendered again.
 * @throws Refusal 404 for a link that this install did not make, or whose report was removed; 410 `link_expired` after its time, or
 *   if the report has no document; and what `checkResponseSize` refuses
 */
export async function openLink(
  app: Pick<App, 'config' | 'clock' | 'db' | 'pool' | 'blobs' | 'log'>,
  token: string,
  checkResponseSize?: CheckResponseSize,
): Promise<StoredDocument | StoreHostedDocument | PdfPreparingView> {
  const claim = readLink(app.config, token)
  if (!claim) throw new Refusal('not_found', 'There is nothing at this path.')
  if (claim.expires_at <= app.clock.now()) throw expired()
  const { report_id } = claim
  if ((await app.db.report.count({ where: { id: report_id } })) === 0)
    throw new Refusal('not_found', 'The report of this link was removed.')
  const row = await app.db.document.findUnique({ where: { report_id }, select: { key: true, bytes: true, sha256: true } })
  if (!row) throw expired()
  const store_url = await app.blobs.link({ ...row, filename: filenameOf(report_id) })
  if (store_url) return { store_url }
  return (await readDocument(app, report_id, checkResponseSize)) ?? preparing
}

const preparing: PdfPreparingView = { object: 'pdf', status: 'preparing', retry_after: PREPARING_RETRY_SECONDS }

async function isPreparing(app: App, caller: Caller, id: string): Promise<boolean> {
  const report = await findReport(app, caller, id)
  requirePdfExport(caller)
  requireComplete(report)
  if (report.pdf.status === 'ready') return false
  await restageRender(app, id)
  if (report.pdf.status === null) return true
  throw new Refusal('engine_unavailable', 'The document cannot be rendered at the moment; it is attempted again.', {
    retry_after: ENGINE_RETRY_SECONDS,
  })
}

/** Returns null if the file is gone, or is not the one that was stored: the document is then rendered again. */
async function readDocument(
  app: Pick<App, 'pool' | 'db' | 'blobs' | 'clock' | 'log'>,
  report_id: string,
  checkResponseSize?: CheckResponseSize,
): Promise<StoredDocument | null> {
  const text = 'SELECT key, bytes, sha256 FROM documents WHERE report_id = $1'
  const { rows } = await app.pool.query<DocumentRow>({ name: 'document.stored', text, values: [report_id] })
  const size = rows[0]?.bytes ?? 0
  await checkResponseSize?.(() => size)
  const bytes = rows[0] ? await readStored(app, rows[0]) : null
  if (bytes) return { bytes, filename: filenameOf(report_id) }
  if (await rerender(app, report_id, rows[0]?.key ?? null, 'now'))
    app.log.warn({ report_id }, 'a document is missing from the store and is rendered again')
  return null
}

const expired = () => new Refusal('link_expired', 'This link has expired: ask for another one.')
