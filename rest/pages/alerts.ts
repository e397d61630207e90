import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { countOne } from '#domain/access/authenticate.ts'
import { confirmAddress, findConfirmable } from '#domain/alerts/addresses.ts'
import { findStoppable, stopAlert } from '#domain/alerts/stop-link.ts'
import type { App } from '#domain/app.ts'
import { type Html, html } from '#domain/reports/document/html.ts'
import { refuseFault } from '#rest/refusals.ts'
import { send } from '#rest/send.ts'

type Asked = FastifyRequest<{ Params: { token: string } }>

/** Links that one client may try in a minute: guessing 256 bits is hopeless, and trying is not free. */
const TRIED_BY_CLIENT = 60
/** A form with one button, and what RFC 8058 has mail programs post. */
const BODY_MAX_BYTES = 1024

/**
 * The links of alert mails, for whoever reads them: GET shows what a link does and changes nothing, since programs follow links in mails;
 * POST does it, by the page's button or by a mail program's own (RFC 8058).
 */
export function mountAlertLinks(fastify: FastifyInstance, app: App): void {
  fastify.register(
    async (scope) => {
      scope.removeAllContentTypeParsers()
      // Nothing in a body is needed: the path says it all.
      scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_MAX_BYTES }, async () => null)
      scope.setErrorHandler((error, request, reply) => send(request, reply, refuseFault(error, request)))
      scope.addHook('onRequest', async (request) => countOne(app, `alert-link:${request.ip}`, TRIED_BY_CLIENT))

      scope.get('/stop/:token', async (request: Asked, reply) => {
        const found = await findStoppable(app, request.params.token)
        if (!found) return page(reply, 404, gone)
        return page(
          reply,
          200,
          found.stopped ? stopped(found) : offer(`Stop the alerts "${found.rule_name}" of ${found.team_name}?`, 'Stop these mails'),
        )
      })
      scope.post('/stop/:token', async (request: Asked, reply) => {
        const found = await stopAlert(app, request.params.token, clientOf(request))
        return found ? page(reply, 200, stopped(found)) : page(reply, 404, gone)
      })
      scope.get('/confirm/:token', async (request: Asked, reply) => {
        const found = await findConfirmable(app, request.params.token)
        if (!found) return page(reply, 404, gone)
        return page(reply, 200, offer(`${found.team_name} wants to send weather alerts to ${found.email}.`, 'Receive these alerts'))
      })
      scope.post('/confirm/:token', async (request: Asked, reply) => {
        const found = await confirmAddress(app, request.params.token, clientOf(request))
        if (!found) return page(reply, 404, gone)
        return page(
          reply,
          200,
          notice('Confirmed', `${found.email} receives the alerts of ${found.team_name}. Each has a link by which they stop.`),
        )
      })
    },
    { prefix: '/alerts' },
  )
}

const clientOf = ({ ip, id }: FastifyRequest) => ({ address: ip, request_id: id })

interface Page {
  title: string
  body: Html
}

const notice = (title: string, text: string): Page => ({ title, body: html`<h1>${title}</h1><p>${text}</p>` })

/** The form posts to the address of the page itself. */
const offer = (question: string, button: string): Page => ({
  title: button,
  body: html`<h1>${question}</h1><form method="post"><button type="submit">${button}</button></form>`,
})

const gone = notice('This link leads nowhere', 'It was used, is too old, or the rule is gone. Nothing was changed.')

const stopped = ({ rule_name, team_name }: { rule_name: string; team_name: string }) =>
  notice('Stopped', `You receive no more mails of the alerts "${rule_name}" of ${team_name}.`)

const style = `
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:0 auto;padding:2rem 1rem;color:#16191d;background:#fff}
h1{font-size:1.4rem;line-height:1.25;overflow-wrap:anywhere}p{overflow-wrap:anywhere}
button{font:inherit;padding:.6rem 1.2rem;border-radius:.4rem;border:1px solid #0b4f6c;background:#0b4f6c;color:#fff;cursor:pointer}
button:focus-visible{outline:3px solid #7fb6d0;outline-offset:2px}
@media (prefers-color-scheme:dark){body{color:#eceff1;background:#14171a}}`

/** Nothing is loaded, and the form leads to this service alone. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`

function page(reply: FastifyReply, status: number, { title, body }: Page) {
  const whole = html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow"><title>${title}</title>${STYLE}</head><body><main>${body}</main></body></html>`
  return reply
    .status(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
    })
    .send(whole.html)
}

const STYLE: Html = { html: `<style>${style}</style>` }
