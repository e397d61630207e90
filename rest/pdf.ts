import { reportPdf, reportPdfLink } from '#domain/reports/pdf.ts'
import type { PdfPreparingView } from '#domain/reports/view.ts'
import { json } from '#rest/answers.ts'
import type { Answer, Exchange } from '#rest/exchange.ts'

/** GET the document: its bytes, or 202 while it is being rendered. */
export async function reportPdfBytes({ api, caller, path }: Exchange): Promise<Answer> {
  const found = await reportPdf(api.app, caller, String(path.report))
  if (!('bytes' in found)) return preparing(found)
  return {
    status: 200,
    body: found.bytes,
    content_type: 'application/pdf',
    headers: { 'content-disposition': `attachment; filename="${found.filename}"` },
  }
}

/** POST for a link to the document, or 202 while it is being rendered. */
export async function reportPdfDownload({ api, caller, path }: Exchange): Promise<Answer> {
  const found = await reportPdfLink(api.app, caller, String(path.report))
  return found.object === 'pdf' ? preparing(found) : json(found)
}

function preparing(body: PdfPreparingView): Answer {
  return json(body, 202, { 'retry-after': String(body.retry_after) })
}
