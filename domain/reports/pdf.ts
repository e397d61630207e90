import type { App } from '#domain/app.ts'
import type { Caller } from '#domain/caller.ts'
import { readLink } from '#domain/engines/signed-link.ts'
import { stage } from '#domain/outbox.ts'
import { requirePdfExport } from '#domain/plans/ceilings.ts'
import { Refusal } from '#domain/refusal.ts'
import { findReport } from '#domain/reports/find.ts'
import { downloadOf, filenameOf } from '#domain/reports/render.ts'
import { requireComplete } from '#domain/reports/verification.ts'
import type { DownloadView, PdfPreparingView } from '#domain/reports/view.ts'

/** Seconds after which a client may ask again: of a document being rendered, and of one that no engine can render now. */
const PREPARING_RETRY_SECONDS = 5
const ENGINE_RETRY_SECONDS = 60

export interface StoredDocument {
  bytes: Buffer
  filename: string
}

/**
 * The document's bytes, or the 202 of one that is still being rendered.
 * @throws Refusal 404; 402 `pdf_export`; 409 `report_not_ready`; 503 `engine_unavailable`, and another attempt is staged
 */
export async function reportPdf(app: App, caller: Caller, id: string): Promise<StoredDocument | PdfPreparingView> {
  if (await isPreparing(app, caller, id)) return preparing
  return readDocument(app, id)
}

/** A short-lived signed link to the document; refusals as of the document itself. */
export async function reportPdfLink(app: App, caller: Caller, id: string): Promise<DownloadView | PdfPreparingView> {
  if (await isPreparing(app, caller, id)) return preparing
  const { bytes } = await app.db.document.findUniqueOrThrow({ where: { report_id: id }, select: { bytes: true } })
  return downloadOf(app, id, bytes, app.clock.now())
}

/**
 * The document that a signed link opens.
 * @throws Refusal 404 for a link that this install did not make, 410 `link_expired` after its time or its report's
 */
export async function openLink(app: Pick<App, 'config' | 'clock' | 'db' | 'blobs'>, token: string): Promise<StoredDocument> {
  const claim = readLink(app.config, token)
  if (!claim) throw new Refusal('not_found', 'There is nothing at this path.')
  if (claim.expires_at <= app.clock.now()) throw expired()
  const { report_id } = claim
  if ((await app.db.report.count({ where: { id: report_id } })) === 0) throw new Refusal('not_found', 'There is no report with this id.')
  if ((await app.db.document.count({ where: { report_id } })) === 0) throw expired()
  return readDocument(app, report_id)
}

const preparing: PdfPreparingView = { object: 'pdf', status: 'preparing', retry_after: PREPARING_RETRY_SECONDS }

async function isPreparing(app: App, caller: Caller, id: string): Promise<boolean> {
  const report = await findReport(app, caller, id)
  requirePdfExport(caller)
  requireComplete(report)
  if (report.pdf.status !== 'failed') return report.pdf.status === null
  await stage(app.db, 'report.render', { report_id: id })
  throw new Refusal('engine_unavailable', 'The document cannot be rendered at the moment; another attempt was started.', {
    retry_after: ENGINE_RETRY_SECONDS,
  })
}

async function readDocument({ db, blobs }: Pick<App, 'db' | 'blobs'>, report_id: string): Promise<StoredDocument> {
  const { key } = await db.document.findUniqueOrThrow({ where: { report_id }, select: { key: true } })
  const bytes = await blobs.get(key)
  if (!bytes) throw new Error(`the stored document of report ${report_id} is missing`)
  return { bytes, filename: filenameOf(report_id) }
}

const expired = () => new Refusal('link_expired', 'This link has expired: ask for another one.')
