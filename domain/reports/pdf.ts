import type { App } from '#domain/app.ts'
import type { Caller } from '#domain/caller.ts'
import type { DownloadView, PdfPreparingView } from '#domain/reports/view.ts'

/** The document's bytes, or the 202 of one still being rendered. */
export async function reportPdf(_app: App, _caller: Caller, _id: string): Promise<{ bytes: Buffer; filename: string } | PdfPreparingView> {
  throw new Error('unfinished')
}

export async function reportPdfLink(_app: App, _caller: Caller, _id: string): Promise<DownloadView | PdfPreparingView> {
  throw new Error('unfinished')
}
