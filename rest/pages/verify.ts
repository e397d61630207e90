import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { App } from '#domain/app.ts'
import { Refusal } from '#domain/refusal.ts'
import { escapeHtml } from '#domain/reports/document/html.ts'
import { openLink } from '#domain/reports/pdf.ts'
import { type PublicStatement, publicStatement } from '#domain/reports/public-statement.ts'
import { verifyScript } from '#rest/pages/verify-script.ts'
import { refuse } from '#rest/refusals.ts'
import { send } from '#rest/send.ts'

/** The two addresses that need no token: the page of a fingerprint, and a signed link to a document. */
export function mountVerify(fastify: FastifyInstance, app: App): void {
  fastify.get<{ Params: { fingerprint: string } }>('/verify/:fingerprint', async (request, reply) => {
    const { fingerprint } = request.params
    const statement = await publicStatement(app, fingerprint)
    return page(reply, statement ? 200 : 404, statement ? statementPage(fingerprint, statement) : unknownPage)
  })
  fastify.get<{ Params: { token: string } }>('/download/:token', async (request, reply) => {
    try {
      const { bytes, filename } = await openLink(app, request.params.token)
      return reply
        .headers({
          'content-type': 'application/pdf',
          'content-disposition': `attachment; filename="${filename}"`,
          'cache-control': 'private, no-store',
        })
        .send(bytes)
    } catch (fault) {
      if (!(fault instanceof Refusal)) request.log.error({ err: fault, request_id: request.id }, 'request failed')
      return send(request, reply, refuse(fault, request.id))
    }
  })
}

const style = `
:root{color-scheme:light dark;--ink:#16191d;--soft:#4a5560;--line:#c8ccd0;--page:#fff;--good:#0f5132;--bad:#a3182b}
@media (prefers-color-scheme:dark){:root{--ink:#eceff1;--soft:#aab4bd;--line:#3c444c;--page:#14171a;--good:#6fd39b;--bad:#ff8a96}}
body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page);max-width:46rem;margin:0 auto;padding:1.5rem 1rem}
h1{font-size:1.5rem;line-height:1.2}h2{font-size:1.1rem;margin-top:2rem}
dl{display:grid;grid-template-columns:minmax(8rem,max-content) 1fr;gap:.35rem 1rem}dt{color:var(--soft)}dd{margin:0;overflow-wrap:anywhere}
@media (max-width:34rem){dl{grid-template-columns:1fr;gap:0}dd{margin-bottom:.6rem}}
code{font-family:ui-monospace,monospace;overflow-wrap:anywhere}
#drop{border:2px dashed var(--line);padding:1.5rem;border-radius:.5rem}#drop.over{border-color:var(--ink)}
#drop:focus-within{outline:2px solid var(--ink);outline-offset:2px}
#verdict{min-height:1.5rem;font-weight:600}.same{color:var(--good)}.other{color:var(--bad)}
footer{color:var(--soft);font-size:.85rem;margin-top:2.5rem;border-top:1px solid var(--line);padding-top:1rem}`

const hash = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/** Nothing is loaded, nothing is sent: the page's own script and style, by their hashes, and no more. */
const POLICY = `default-src 'none'; script-src ${hash(verifyScript)}; style-src ${hash(style)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

function page(reply: FastifyReply, status: number, body: string) {
  return reply
    .status(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    .send(body)
}

function layout(title: string, attributes: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow"><title>${escapeHtml(title)}</title><style>${style}</style></head><body ${attributes}><main>${body}</main></body></html>`
}

const unknownPage = layout(
  'Unknown fingerprint',
  '',
  '<h1>Unknown fingerprint</h1><p>This service has given no report with this fingerprint. Check that the address was copied whole.</p>',
)

function statementPage(fingerprint: string, statement: PublicStatement): string {
  const told = statement.standing === 'held' ? held(statement) : withdrawn(fingerprint, statement)
  return layout(
    'Verification of a weather report',
    `data-fingerprint="${fingerprint}"`,
    `<h1>Verification of a weather report</h1>${told}
    <h2>Check a file</h2>
    <div id="drop"><label for="file">Drop the report's PDF or its evidence.json here, or choose it:</label><p><input type="file" id="file" accept=".pdf,.json,application/pdf,application/json"></p>
    <p id="verdict" role="status" aria-live="polite"></p></div>
    <p>The file stays on your machine: this page computes the SHA-256 of its evidence and compares it with the fingerprint above.</p>
    <footer>This page states what the report of this fingerprint says. Weather records are public; absence of a record does not show that none occurred.</footer>
    <script>${verifyScript}</script>`,
  )
}

function held({ verification: v }: Extract<PublicStatement, { standing: 'held' }>): string {
  const rows: [string, string][] = [
    ['Short form', v.short_fingerprint],
    ['Place', v.place],
    ['Window', `${v.window.start} to ${v.window.end}, within ${v.window.radius} mi`],
    ['Finding', v.finding],
    ['Records cited', String(v.records)],
    ['Station observations used', String(v.observations)],
    ['Sources', `${v.sources_searched} searched, ${v.sources_found} with records`],
    [
      'Standing',
      v.authoritative ? 'Authoritative: complete, final records' : 'Not authoritative: records are missing, provisional or made up',
    ],
    ['Generated', v.generated_at],
  ]
  return `<dl>${fingerprintRow(v.fingerprint)}${rows.map(([label, value]) => `<dt>${label}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>`
}

const fingerprintRow = (fingerprint: string) => `<dt>Fingerprint</dt><dd><code>${fingerprint}</code></dd>`

function withdrawn(fingerprint: string, { generated_at, withdrawn_at }: Extract<PublicStatement, { standing: 'withdrawn' }>): string {
  const day = (at: Date) => at.toISOString().slice(0, 10)
  return `<p><strong>Withdrawn.</strong> A report with this fingerprint was generated on ${day(generated_at)}; none is kept since ${day(withdrawn_at)}. A file can still be checked against the fingerprint.</p><dl>${fingerprintRow(fingerprint)}</dl>`
}
