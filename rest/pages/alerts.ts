import type { FastifyInstance, FastifyRequest } from 'fastify'
import { countClient } from '#domain/access/rate-limit.ts'
import { confirmAddress, findConfirmable } from '#domain/alerts/addresses.ts'
import { findStoppable, stopAlert } from '#domain/alerts/stop-link.ts'
import type { App } from '#domain/app.ts'
import { html } from '#domain/reports/document/html.ts'
import { type Notice, notice, sendNotice, sendRefusal } from '#rest/pages/notice.ts'
import { refuseFault } from '#rest/refusals.ts'

type LinkRequest = FastifyRequest<{ Params: { token: string } }>

/** Links that one client may try in a minute: guessing 256 bits is hopeless, but each attempt costs work. */
const ATTEMPTS_PER_MINUTE = 60

/**
 * Mounts the links of alert mails. GET shows what a link does and changes nothing, because programs follow links in mails. POST does it,
 * from the button of the page or from that of a mail program (RFC 8058).
 */
export function mountAlertLinks(fastify: FastifyInstance, app: App): void {
  fastify.register(
    async (scope) => {
      scope.removeAllContentTypeParsers()
      // The body, a form with one button or what mail programs post, is not read: the path has everything.
      scope.addContentTypeParser('*', (_request, _body, done) => done(null))
      scope.setErrorHandler((error, request, reply) => sendRefusal(request, reply, refuseFault(error, request)))
      scope.addHook('onRequest', async (request) => countClient(app, 'alert-link', request.ip, ATTEMPTS_PER_MINUTE))

      scope.get('/stop/:token', async (request: LinkRequest, reply) => {
        const found = await findStoppable(app, request.params.token)
        if (!found) return sendNotice(reply, 404, invalidLink)
        return sendNotice(
          reply,
          200,
          found.stopped
            ? stoppedNotice(found)
            : questionPage(`Stop the alerts "${found.rule_name}" of ${found.team_name}?`, 'Stop these mails'),
        )
      })
      scope.post('/stop/:token', async (request: LinkRequest, reply) => {
        const found = await stopAlert(app, request.params.token, clientOf(request))
        return found ? sendNotice(reply, 200, stoppedNotice(found)) : sendNotice(reply, 404, invalidLink)
      })
      scope.get('/confirm/:token', async (request: LinkRequest, reply) => {
        const found = await findConfirmable(app, request.params.token)
        if (!found) return sendNotice(reply, 404, invalidLink)
        return sendNotice(
          reply,
          200,
          found.confirmed
            ? confirmedNotice(found)
            : questionPage(`${found.team_name} wants to send weather alerts to ${found.email}.`, 'Receive these alerts'),
        )
      })
      scope.post('/confirm/:token', async (request: LinkRequest, reply) => {
        const found = await confirmAddress(app, request.params.token, clientOf(request))
        return found ? sendNotice(reply, 200, confirmedNotice(found)) : sendNotice(reply, 404, invalidLink)
      })
    },
    { prefix: '/alerts' },
  )
}

const clientOf = ({ ip, id }: FastifyRequest) => ({ address: ip, request_id: id })

/** A page with one question and one button; its form posts to the address of the page. */
const questionPage = (question: string, button: string): Notice => ({
  title: button,
  body: html`<h1>${question}</h1><form method="post"><button type="submit">${button}</button></form>`,
})

const invalidLink = notice(
  'This link is no longer valid',
  'It is too old, a newer mail has replaced it, or the rule was deleted. Nothing was changed.',
)

const confirmedNotice = ({ email, team_name }: { email: string; team_name: string }) =>
  notice('Confirmed', `${email} has agreed to receive the alerts of ${team_name}. Each mail has a link that stops them.`)

const stoppedNotice = ({ rule_name, team_name }: { rule_name: string; team_name: string }) =>
  notice('Stopped', `You will receive no more mails of the alerts "${rule_name}" of ${team_name}.`)
