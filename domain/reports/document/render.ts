import type { App } from '#domain/app.ts'
import { PictureRefused } from '#domain/engines/pictures.ts'
import { BrowserUnavailable } from '#domain/engines/printer.ts'
import { appendPending } from '#domain/fingerprint-log/append.ts'
import { attestNewest } from '#domain/fingerprint-log/attest.ts'
import { endStarts, runStarted, STARTS_MAX } from '#domain/kernel/starts.ts'
import { inSpan } from '#domain/kernel/trace.ts'
import { inclusionFiles } from '#domain/reports/document/attach.ts'
import { type DocumentFacts, readDocumentFacts } from '#domain/reports/document/facts.ts'
import { photographsOf } from '#domain/reports/document/imagery.ts'
import { documentPage } from '#domain/reports/document/page.ts'
import { recordsFiles } from '#domain/reports/document/records-file.ts'
import { sealDocument } from '#domain/reports/document/seal-document.ts'
import { sourcesFiles } from '#domain/reports/document/sources-file.ts'
import { saveDocument } from '#domain/reports/document-store/save-document.ts'
import { evidenceDocument } from '#domain/reports/fingerprint.ts'
import { signingKeys } from '#domain/reports/signing/keys.ts'

const MARGIN = { top: '14mm', right: '14mm', bottom: '20mm', left: '14mm' }

/**
 * Renders and stores the document of a complete report, once: a repeated call finds it ready and does nothing.
 * @param restarted whether the queue repeats the job. It then does not run if it is issued only once an hour, because its process died each time
 * @throws BrowserUnavailable if there is no engine; the report shows this until a later attempt succeeds
 */
export async function renderReport(app: App, report_id: string, restarted = false): Promise<void> {
  const values = [report_id, restarted]
  const { rows } = await app.pool.query<{ team_id: string; starts: number }>({ name: 'render.start', text: START, values })
  const [waiting] = rows
  if (!waiting) return
  const started = { table: 'reports', column: 'render_starts', id: report_id, starts: waiting.starts }
  await runStarted(app, started, () => renderWaiting(app, report_id, waiting.team_id))
  await endStarts(app, started)
}

async function renderWaiting(app: App, report_id: string, team_id: string): Promise<void> {
  await logBefore(app)
  const facts = await readDocumentFacts(app, report_id)
  if (!facts) return
  try {
    const bytes = await timed(app, () => renderDocument(app, facts))
    await saveDocument(app, team_id, facts.report, bytes)
  } catch (fault) {
    if (fault instanceof BrowserUnavailable) await markRenderFailed(app, report_id)
    throw fault
  }
}

/** Extends the log first, so that the document contains its log position and its attestations. A failing log does not delay the document. */
async function logBefore(app: App): Promise<void> {
  try {
    await appendPending(app)
    await attestNewest(app)
  } catch (fault) {
    app.log.warn({ err: fault }, 'the fingerprint log could not be extended before a document')
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

/** Returns the bytes of a document: printed, with the evidence attached, and signed. */
async function renderDocument(app: App, facts: DocumentFacts): Promise<Buffer> {
  const { report } = facts
  const team = { ...facts.team, brand_logo: await printableLogo(app, facts) }
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
    attachments: [
      ...recordsFiles(facts),
      ...sourcesFiles(report, facts.records),
      ...(facts.verification.log === null ? [] : inclusionFiles(facts.verification.log)),
    ],
  }
  const { document } = await signingKeys(app)
  // The page names its signer. The next attempt prints the new one.
  if (document.key_id !== facts.signer.key_id) throw new Error('the signing key was replaced while the document was printed')
  return sealDocument(printed, attached, document, app.clock.now())
}

/** Returns a logo that the browser may load; null if it was stored unchecked and cannot be read, so that the document is still printed. */
async function printableLogo(
  { pictures, log }: Pick<App, 'pictures' | 'log'>,
  { report, team: { brand_logo } }: DocumentFacts,
): Promise<Buffer | null> {
  return (
    brand_logo &&
    pictures.remake(brand_logo, report.id).catch((fault) => {
      if (!(fault instanceof PictureRefused)) throw fault
      log.warn({ reason: fault.message }, 'a team logo could not be shown')
      return null
    })
  )
}

/** Records that the document could not be rendered: its endpoints respond with 503 until an attempt succeeds. */
export async function markRenderFailed({ db }: Pick<App, 'db'>, report_id: string): Promise<void> {
  await db.report.updateMany({ where: { id: report_id, status: 'complete', pdf_status: null }, data: { pdf_status: 'failed' } })
}

const START = `
  UPDATE reports SET render_starts = render_starts + 1 WHERE id = $1 AND status = 'complete' AND pdf_status IS DISTINCT FROM 'ready'
     AND NOT ($2 AND render_starts >= ${STARTS_MAX})
  RETURNING team_id, render_starts AS starts`
