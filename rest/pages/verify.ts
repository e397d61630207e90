import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countClient } from '#domain/access/rate-limit.ts'
import type { App } from '#domain/app.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { escapeHtml } from '#domain/reports/document/html.ts'
import { openLink } from '#domain/reports/document-store/pdf.ts'
import { type PublicEvidence, type PublicStatement, publicStatement } from '#domain/reports/public-statement.ts'
import { type PublishedKey, publishedKeys } from '#domain/reports/signing/published-keys.ts'
import { sizeCheckOf } from '#rest/large-responses.ts'
import { notice, sendNotice, sendRefusal, wantsPage } from '#rest/pages/notice.ts'
import { cspHashOf, renderPage, sendPage } from '#rest/pages/plain-page.ts'
import { findScript, verifyScript } from '#rest/pages/verify-script.ts'
import { preparing } from '#rest/pdf.ts'
import { refuse, refuseFault } from '#rest/refusals.ts'
import { send } from '#rest/send.ts'

/** Statements that one client may read in a minute: an office shares an address, and a program checks a file in a second. */
const STATEMENTS_PER_MINUTE = 120

/**
 * Mounts addresses that need no token: the page of a fingerprint, or JSON for programs; a page that finds it; and a signed link to a
 * document.
 */
export function mountVerify(fastify: FastifyInstance, app: App): void {
  for (const path of ['/verify', '/verify/']) fastify.get<{ Querystring: { fingerprint?: unknown } }>(path, { errorHandler }, sendFindPage)
  fastify.get<{ Params: { fingerprint: string } }>('/verify/:fingerprint', { errorHandler }, async (request, reply) => {
    const { fingerprint } = request.params
    await countClient(app, 'verify', request.ip, STATEMENTS_PER_MINUTE)
    const statement = await publicStatement(app, fingerprint)
    reply.headers({ vary: 'accept', 'x-robots-tag': 'noindex, nofollow', 'cache-control': 'no-store' })
    if (wantsJson(request.headers.accept))
      return statement ? reply.send(statement) : send(request, reply, refuse(unknownFingerprint(), request.id))
    if (!statement) return sendPage(reply, 404, unknownPage, POLICY)
    const { keys } = await publishedKeys(app)
    return sendPage(reply, 200, statementPage(statement, keys), POLICY)
  })
  fastify.get<{ Params: { token: string }; Querystring: { inline?: string } }>(
    '/download/:token',
    { errorHandler, config: { own_bytes: true } },
    async (request, reply) => {
      const found = await openLink(app, request.params.token, sizeCheckOf(request))
      if ('store_url' in found)
        return reply.headers({ 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer' }).redirect(found.store_url, 302)
      if (!('bytes' in found))
        return wantsPage(request)
          ? sendNotice(reply.header('refresh', found.retry_after), 202, printing)
          : send(request, reply, preparing(found))
      const { bytes, filename } = found
      return reply
        .headers({
          'content-type': 'application/pdf',
          // With ?inline a browser shows the document in its own viewer; otherwise it saves the file.
          'content-disposition': `${request.query.inline === undefined ? 'attachment' : 'inline'}; filename="${filename}"`,
          'cache-control': 'private, no-store',
        })
        .send(bytes)
    },
  )
}

/** Opens the page of the fingerprint that was typed, or asks for one. Programs know the address of a fingerprint. */
function sendFindPage(request: FastifyRequest<{ Querystring: { fingerprint?: unknown } }>, reply: FastifyReply) {
  reply.header('vary', 'accept')
  if (wantsJson(request.headers.accept)) return reply.callNotFound()
  const typed = String(request.query.fingerprint ?? '').trim()
  if (!typed) return sendPage(reply, 200, findPage(), FIND_POLICY)
  const fingerprint = fingerprintIn(typed)
  if (!fingerprint) return sendPage(reply, 422, findPage(typed), FIND_POLICY)
  return reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }).redirect(`/verify/${fingerprint}`, 303)
}

/** Finds a fingerprint in what a person copied: with spaces or line breaks in it, in capitals, or as the address of its page. */
const fingerprintIn = (typed: string): string | undefined =>
  (FINGERPRINT.exec(typed) ?? FINGERPRINT.exec(typed.replace(/\s/g, '')))?.[0].toLowerCase()

const FINGERPRINT = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/i

const errorHandler = (fault: unknown, request: FastifyRequest, reply: FastifyReply) =>
  sendRefusal(request, reply, refuseFault(fault, request))

/** The browser reloads this page after `refresh` seconds, and then gets the document. */
const printing = notice('The document is being printed', 'It opens automatically in a few seconds.')

/** Browsers ask for HTML, programs for JSON by name. */
const wantsJson = (accept = '') => accept.includes('application/json') && !accept.includes('text/html')

const unknownFingerprint = () => new Refusal('not_found', 'This service has issued no report with this fingerprint.')

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
form{display:flex;flex-wrap:wrap;gap:.5rem}label{flex-basis:100%}
input[name]{font:inherit;font-family:ui-monospace,monospace;flex:1 1 16rem;min-width:0;padding:.5rem;color:inherit;background:none;border:1px solid var(--soft);border-radius:.4rem}
button{font:inherit;padding:.5rem 1.2rem;border:1px solid var(--ink);border-radius:.4rem;background:var(--ink);color:var(--page);cursor:pointer}
#verdict{min-height:1.5rem;font-weight:600}.same{color:var(--good)}.other{color:var(--bad)}
footer{color:var(--soft);font-size:.85rem;margin-top:2.5rem;border-top:1px solid var(--line);padding-top:1rem}`

/** The page loads nothing: only its own script and style are allowed, by their hashes. */
const policyOf = (script: string, formAction: string) =>
  `default-src 'none'; script-src ${cspHashOf(script)}; style-src ${cspHashOf(style)}; img-src data:; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`

/** The page of a fingerprint sends nothing. */
const POLICY = policyOf(verifyScript, "'none'")
/** The page that finds it sends a fingerprint to this service. */
const FIND_POLICY = policyOf(findScript, "'self'")

const unknownPage = renderPage({
  title: 'Unknown fingerprint',
  style,
  body: '<h1>Unknown fingerprint</h1><p>This service has issued no report with this fingerprint. Check that you copied the whole address, or <a href="/verify">enter a fingerprint or choose a file</a>.</p>',
})

/** @param refused what was typed, if it contains no fingerprint */
const findPage = (refused?: string) =>
  renderPage({
    title: 'Verify a weather report',
    style,
    body: `<h1>Verify a weather report</h1><p>Every report has a fingerprint, and a page here that shows what its evidence contains and checks a file.</p>
    <h2>Enter the fingerprint</h2>
    <form action="/verify"><label for="fingerprint">Fingerprint, 64 letters and digits, from the last page of the report:</label>
    <input id="fingerprint" name="fingerprint" value="${escapeHtml(refused ?? '')}" autocomplete="off" spellcheck="false" autocapitalize="off" required${refused ? ' aria-invalid="true" aria-describedby="fault" autofocus' : ''}>
    <button>Find its page</button></form>
    ${refused ? '<p id="fault" class="other">This contains no fingerprint: one has 64 digits and letters from a to f. The short form of 16 is not enough.</p>' : ''}
    <h2>Or choose a file</h2>
    <div id="drop"><label for="file">Drop the report's PDF or its evidence.json here, or choose a file:</label><p><input type="file" id="file" accept=".pdf,.json,application/pdf,application/json"></p>
    <noscript><p>Choosing a file needs JavaScript here. <code>weather verify FILE</code> checks one without a browser.</p></noscript>
    <p id="verdict" role="status" aria-live="polite"></p></div>
    <p>The file stays on your machine: this page computes the fingerprint of its evidence and opens the page of that fingerprint. Choose the file there once more to check it.</p>
    <footer>Weather records are public; absence of a record does not show that none occurred.</footer>
    <script>${findScript}</script>`,
  })

function statementPage(statement: PublicStatement, keys: PublishedKey[]): string {
  const { fingerprint } = statement
  return renderPage({
    title: 'Verification of a weather report',
    style,
    attributes: `data-fingerprint="${fingerprint}" data-keys="${escapeHtml(JSON.stringify(documentKeys(keys)))}"`,
    body: `<h1>Verification of a weather report</h1>${statement.standing === 'held' ? evidenceSection(statement) : withdrawnSection(statement)}
    <h2>Check a file</h2>
    <div id="drop"><label for="file">Drop the report's PDF or its evidence.json here, or choose a file:</label><p><input type="file" id="file" accept=".pdf,.json,application/pdf,application/json"></p>
    <noscript><p>Checking a file needs JavaScript here. <code>weather verify FILE</code> does it without a browser.</p></noscript>
    <p id="verdict" role="status" aria-live="polite"></p></div>
    <p>The file stays on your machine: this page computes the SHA-256 of its evidence, compares it with the fingerprint above, and verifies the signature over the whole PDF with the public keys of this service.</p>
    <footer>This page shows the contents of the evidence with this fingerprint. It names no address: reports over several addresses may share their evidence. Weather records are public; absence of a record does not show that none occurred.</footer>
    <script>${verifyScript}</script>`,
  })
}

/** The public keys that sign documents, as JSON Web Keys with only the members that WebCrypto needs. */
export const documentKeys = (keys: PublishedKey[]) =>
  keys.filter(({ purpose }) => purpose === 'document').map(({ kty, crv, x, y, n, e }) => ({ kty, crv, x, y, n, e }))

function evidenceSection(evidence: PublicEvidence): string {
  const { short_fingerprint, place, window, records, days, largest, sources_searched, sources_found, authority } = evidence
  const rows: [string, string][] = [
    ['Short form', short_fingerprint],
    ['Place', `${place.latitude.toFixed(5)}, ${place.longitude.toFixed(5)}: ${PRECISIONS[place.precision]}`],
    ['Window', `${window.start} to ${window.end}, within ${window.radius_miles} mi`],
    ['Records cited', String(records)],
    ['Days with records', daysLine(days)],
    ...largest.map(({ label, value, manner, where, occurred_on }): [string, string] => [
      label,
      `${value} (${manner}), ${where}, ${occurred_on}`,
    ]),
    ['Sources', `${sources_searched} searched, ${sources_found} with records`],
    ['Standing', authority],
  ]
  return `<dl>${fingerprintRow(evidence.fingerprint)}${rows.map(([label, value]) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>`
}

/** How exactly the coordinates locate an address, without naming it. */
const PRECISIONS: Record<PublicEvidence['place']['precision'], string> = {
  point: 'the point of an address, or coordinates that were sent',
  range: 'a point along a street',
  zip: 'the centre of a ZIP, not a building',
  city: 'the centre of a city, not a building',
}

/** Days to list by date; the page only counts the rest. */
const DAYS_MAX = 12

function daysLine(days: string[]): string {
  if (days.length === 0) return 'none'
  const more = days.length - DAYS_MAX
  return `${days.length}: ${days.slice(0, DAYS_MAX).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

const fingerprintRow = (fingerprint: string) => `<dt>Fingerprint</dt><dd><code>${fingerprint}</code></dd>`

function withdrawnSection({ fingerprint, generated_on, withdrawn_on }: Extract<PublicStatement, { standing: 'withdrawn' }>): string {
  return `<p><strong>Withdrawn.</strong> A report with this fingerprint was generated on ${generated_on}; this service has kept none since ${withdrawn_on}. You can still check a file against the fingerprint.</p><dl>${fingerprintRow(fingerprint)}</dl>`
}
