import { reportPdf, reportPdfLink } from '#domain/reports/document-store/pdf.ts'
import type { PdfPreparingView } from '#domain/reports/view.ts'
import { auditedContext } from '#graphql/audited.ts'
import { callerOf } from '#graphql/context.ts'
import { json } from '#rest/answers.ts'
import { contextOf } from '#rest/context.ts'
import type { Answer, Exchange } from '#rest/exchange.ts'
import { sizeCheckOf } from '#rest/large-responses.ts'

/** Handles GET of the document: its bytes, or 202 while it is being rendered. */
export async function reportPdfBytes({ app, caller, params, request }: Exchange): Promise<Answer> {
  const found = await reportPdf(app, caller, String(params.report), sizeCheckOf(request))
  if (!('bytes' in found)) return preparing(found)
  return {
    status: 200,
    body: found.bytes,
    content_type: 'application/pdf',
    headers: { 'content-disposition': `attachment; filename="${found.filename}"` },
  }
}

/** Handles POST for a link to the document, or 202 while it is being rendered. */
export async function reportPdfDownload(exchange: Exchange): Promise<Answer> {
  const context = auditedContext(contextOf(exchange), 'createReportPdfLink')
  const found = await reportPdfLink(context.app, callerOf(context), String(exchange.params.report))
  return found.object === 'pdf' ? preparing(found) : json(found)
}

/** 202: the document is being rendered. Retry-After states when to request it again. */
export function preparing(body: PdfPreparingView): Answer {
  return json(body, 202, { 'retry-after': String(body.retry_after) })
}
