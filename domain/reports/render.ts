import { createHash } from 'node:crypto'
import type { App } from '#domain/app.ts'
import { readNamed } from '#domain/engines/named-query.ts'
import { PictureRefused } from '#domain/engines/pictures.ts'
import { BrowserUnavailable } from '#domain/engines/printer.ts'
import { LINK_MINUTES, signLink } from '#domain/engines/signed-link.ts'
import { emit } from '#domain/events/emit.ts'
import { appendPending } from '#domain/fingerprint-log/append.ts'
import { attestNewest } from '#domain/fingerprint-log/attest.ts'
import { inSpan } from '#domain/kernel/trace.ts'
import { addressLine } from '#domain/places/address-line.ts'
import { inclusionFiles, sealDocument } from '#domain/reports/document/attach.ts'
import { type DocumentFacts, readDocumentFacts } from '#domain/reports/document/facts.ts'
import { photographsOf } from '#domain/reports/document/imagery.ts'
import { documentPage } from '#domain/reports/document/page.ts'
import { recordsFiles } from '#domain/reports/document/records-file.ts'
import { sourcesFiles } from '#domain/reports/document/sources-file.ts'
import { documentFolder } from '#domain/reports/document-folder.ts'
import { evidenceDocument } from '#domain/reports/fingerprint.ts'
import { signingKeys } from '#domain/reports/signing/keys.ts'
import type { CompleteReport } from '#domain/reports/verification.ts'
import type { DownloadView, ReportView } from '#domain/reports/view.ts'

const MARGIN = { top: '14mm', right: '14mm', bottom: '20mm', left: '14mm' }
const MS_PER_MINUTE = 60_000

/**
 * Renders and stores the document of a complete report, once: a repeat finds it ready and does nothing.
 * @throws BrowserUnavailable where there is no engine; the report then says so until a later attempt succeeds
 */
export async function renderReport(app: App, report_id: string): Promise<void> {
  const [waiting] = await readNamed<{ team_id: string }>(app.pool, 'render.waiting', WAITING, [report_id])
  if (!waiting) return
  await logBefore(app)
  const facts = await readDocumentFacts(app, report_id)
  if (!facts) return
  try {
    const bytes = await timed(app, () => renderDocument(app, facts))
    await keepDocument(app, waiting.team_id, facts.report, bytes)
  } catch (fault) {
    if (fault instanceof BrowserUnavailable) await failRender(app, report_id)
    throw fault
  }
}

/** The document of a report carries its place in the log, and who saw it there; a log that cannot grow now holds no document up. */
async function logBefore(app: App): Promise<void> {
  try {
    await appendPending(app)
    await attestNewest(app)
  } catch (fault) {
    app.log.warn({ err: fault }, 'the log of fingerprints could not grow before a document')
  }
}

async function timed<T>({ metrics }: Pick<App, 'metrics'>, render: () => Promise<T>): Promise<T> {
  const took = metrics.renders.startTimer()
  try {
    const rendered = await render()
    took({ outcome: 'done' })
    return rendered
  } catch (fault) {
    took({ outcome: 'failed' })
    throw fault
  }
}

/** The bytes of a document: printed, the evidence put inside, and signed. */
async function renderDocument(app: App, facts: DocumentFacts): Promise<Buffer> {
  const { report } = facts
  const team = { ...facts.team, brand_logo: await shownLogo(app, facts.team.brand_logo) }
  const { title, html, footer } = await documentPage({ ...facts, team }, await photographsOf(app, facts))
  const format = facts.team.paper === 'a4' ? 'A4' : 'Letter'
  const printed = await inSpan('print', { kind: 'client' }, () => app.printer.print(html, { format, footer, margin: MARGIN }))
  const attached = {
    title,
    fingerprint: report.fingerprint,
    methodology_version: report.methodology_version,
    evidence: evidenceDocument(report, facts.records),
    at: new Date(report.generated_at),
    signature: facts.signature,
    beside: [
      ...recordsFiles(facts),
      ...sourcesFiles(report, facts.records),
      ...(facts.verification.log === null ? [] : inclusionFiles(facts.verification.log)),
    ],
  }
  const { document } = await signingKeys(app)
  return sealDocument(printed, attached, document, app.clock.now())
}

/** A mark as the browser may see it. One that was kept before it was looked at and cannot be read is left out: the document is not its hostage. */
async function shownLogo({ pictures, log }: Pick<App, 'pictures' | 'log'>, brand_logo: Buffer | null): Promise<Buffer | null> {
  return (
    brand_logo &&
    pictures.remake(brand_logo).catch((fault) => {
      if (!(fault instanceof PictureRefused)) throw fault
      log.warn({ reason: fault.message }, 'the mark of a team could not be shown')
      return null
    })
  )
}

/** Says that the document could not be rendered: its endpoints answer 503 until an attempt succeeds. */
export async function failRender({ db }: Pick<App, 'db'>, report_id: string): Promise<void> {
  await db.report.updateMany({ where: { id: report_id, status: 'complete', pdf_status: null }, data: { pdf_status: 'failed' } })
}

/**
 * Stored before it is said to be there; status and event are written in one transaction, by whoever is first. One that takes the place of a file
 * that is gone was announced before. A document whose words were erased from its report while it was printed is dropped: another one is
 * asked for already.
 */
async function keepDocument(app: App, team_id: string, report: CompleteReport, bytes: Buffer): Promise<void> {
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
  // A renderer that was killed left its file without a row.
  if (kept) await app.blobs.clear(documentFolder(report_id), key)
  else if (!(await app.db.document.count({ where: { key } }))) await app.blobs.remove(key)
}

/** A link to the document for whoever holds it, for a quarter of an hour. */
export function downloadOf({ config }: Pick<App, 'config'>, report_id: string, bytes: number, now: Date): DownloadView {
  const expires_at = new Date(now.getTime() + LINK_MINUTES * MS_PER_MINUTE)
  return {
    object: 'download',
    url: `${config.base_url}/download/${signLink(config, { report_id, expires_at })}`,
    signed: true,
    filename: filenameOf(report_id),
    content_type: 'application/pdf',
    bytes,
    expires_at: expires_at.toISOString(),
  }
}

export const filenameOf = (report_id: string) => `weather-report-${report_id}.pdf`

const WAITING = "SELECT team_id FROM reports WHERE id = $1 AND status = 'complete' AND pdf_status IS DISTINCT FROM 'ready'"
