import type { App } from '#domain/app.ts'
import type { Caller } from '#domain/caller.ts'
import { requirePdfExport } from '#domain/plans/ceilings.ts'
import { Refusal } from '#domain/refusal.ts'
import { findReport } from '#domain/reports/find.ts'
import { requireComplete } from '#domain/reports/verification.ts'
import type { DownloadView, PdfPreparingView } from '#domain/reports/view.ts'

/** Seconds after which a client may ask again for a document that no engine can render now. */
const ENGINE_RETRY_SECONDS = 60

/**
 * The document's bytes, or the 202 of one that is still being rendered.
 * @throws Refusal 404; 402 `pdf_export`; 409 `report_not_ready`; 503 `engine_unavailable`
 */
export async function reportPdf(app: App, caller: Caller, id: string): Promise<{ bytes: Buffer; filename: string } | PdfPreparingView> {
  return requireDocument(app, caller, id)
}

/** A short-lived signed link to the document; refusals as of the document itself. */
export async function reportPdfLink(app: App, caller: Caller, id: string): Promise<DownloadView | PdfPreparingView> {
  return requireDocument(app, caller, id)
}

async function requireDocument(app: App, caller: Caller, id: string): Promise<never> {
  const report = await findReport(app, caller, id)
  requirePdfExport(caller)
  requireComplete(report)
  throw new Refusal('engine_unavailable', 'No engine that renders documents is available.', { retry_after: ENGINE_RETRY_SECONDS })
}
