import type { FastifyInstance, FastifyRequest } from 'fastify'
import { countOne } from '#domain/access/authenticate.ts'
import { confirmAddress, findConfirmable } from '#domain/alerts/addresses.ts'
import { findStoppable, stopAlert } from '#domain/alerts/stop-link.ts'
import type { App } from '#domain/app.ts'
import { html } from '#domain/reports/document/html.ts'
import { type Notice, notice, sendNotice, sendRefusal } from '#rest/pages/notice.ts'
import { refuseFault } from '#rest/refusals.ts'

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
      scope.setErrorHandler((error, request, reply) => sendRefusal(request, reply, refuseFault(error, request)))
      scope.addHook('onRequest', async (request) => countOne(app, `alert-link:${request.ip}`, TRIED_BY_CLIENT))

      scope.get('/stop/:token', async (request: Asked, reply) => {
        const found = await findStoppable(app, request.params.token)
        if (!found) return sendNotice(reply, 404, gone)
        return sendNotice(
          reply,
          200,
          found.stopped ? stopped(found) : offer(`Stop the alerts "${found.rule_name}" of ${found.team_name}?`, 'Stop these mails'),
        )
      })
      scope.post('/stop/:token', async (request: Asked, reply) => {
        const found = await stopAlert(app, request.params.token, clientOf(request))
        return found ? sendNotice(reply, 200, stopped(found)) : sendNotice(reply, 404, gone)
      })
      scope.get('/confirm/:token', async (request: Asked, reply) => {
        const found = await findConfirmable(app, request.params.token)
        if (!found) return sendNotice(reply, 404, gone)
        return sendNotice(
          reply,
          200,
          found.confirmed
            ? confirmed(found)
            : offer(`${found.team_name} wants to send weather alerts to ${found.email}.`, 'Receive these alerts'),
        )
      })
      scope.post('/confirm/:token', async (request: Asked, reply) => {
        const found = await confirmAddress(app, request.params.token, clientOf(request))
        return found ? sendNotice(reply, 200, confirmed(found)) : sendNotice(reply, 404, gone)
      })
    },
    { prefix: '/alerts' },
  )
}

const clientOf = ({ ip, id }: FastifyRequest) => ({ address: ip, request_id: id })

/** The form posts to the address of the page itself. */
const offer = (question: string, button: string): Notice => ({
  title: button,
  body: html`<h1>${question}</h1><form method="post"><button type="submit">${button}</button></form>`,
})

const gone = notice('This link leads nowhere', 'It is too old, a newer mail took its place, or the rule is gone. Nothing was changed.')

const confirmed = ({ email, team_name }: { email: string; team_name: string }) =>
  notice('Confirmed', `${email} has agreed to receive the alerts of ${team_name}. Each has a link by which they stop.`)

const stopped = ({ rule_name, team_name }: { rule_name: string; team_name: string }) =>
  notice('Stopped', `You receive no more mails of the alerts "${rule_name}" of ${team_name}.`)
