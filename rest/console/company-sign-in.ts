import type { FastifyInstance } from 'fastify'
import type { App } from '#domain/app.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import {
  beginCompanySignIn,
  COMPANY_SIGN_IN_MS,
  type CompanyRefusal,
  CompanySignInRefused,
  finishCompanySignIn,
} from '#domain/people/company-sign-in.ts'
import { companyCookie } from '#graphql/session.ts'
import { type BodyRequest, clearCookie, clientOf, setCookie, startSession } from '#rest/console/own-session.ts'

/** Mounts the start of the sign-in with the company's provider, under the same checks as the other sign-in methods. */
export function mountCompanySignIn(scope: FastifyInstance, app: App): void {
  scope.get('/sign-in/ways', async (_request, reply) =>
    reply.send({ mail: app.mail.configured, company: app.identity_provider && new URL(app.identity_provider.issuer).hostname }),
  )

  scope.post('/sign-in/company', async (request: BodyRequest, reply) => {
    const { return_to } = request.body ?? {}
    const returnTo = typeof return_to === 'string' ? return_to : null
    const { url, secret } = await beginCompanySignIn(app, returnTo, { address: request.ip }).catch((fault) => {
      throw fault instanceof CompanySignInRefused ? new Refusal('engine_unavailable', 'The company sign-in is unavailable.') : fault
    })
    return setCookie(reply, app.config, companyCookie, secret, COMPANY_SIGN_IN_MS).send({ url })
  })
}

/**
 * Mounts the return from the provider. The provider's page redirects here, so the request has neither the console's header nor its
 * origin. Only the browser that started the sign-in has the cookie, and the response is a page, not data that a script reads.
 */
export function mountCompanyReturn(fastify: FastifyInstance, app: App): void {
  fastify.get('/app/sign-in/company', async (request, reply) => {
    reply.headers({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    const cookie = companyCookie.read(request, app.config)
    clearCookie(reply, app.config, companyCookie)
    try {
      const requestUrl = new URL(request.url, app.config.console_url)
      const callbackUrl = new URL(`${app.config.console_url}/sign-in/company${requestUrl.search}`)
      const { secret, return_to } = await finishCompanySignIn(app, cookie, callbackUrl, clientOf(request))
      await startSession(app, request, reply, secret)
      return reply.redirect(return_to ?? '/app/inbox', 303)
    } catch (fault) {
      const reason = reasonOf(fault)
      if (!reason) throw fault
      return reply.redirect(`/app/sign-in?refused=${reason}`, 303)
    }
  })
}

/** The reason that the sign-in page explains; null for a fault of our own. */
function reasonOf(fault: unknown): CompanyRefusal | null {
  if (fault instanceof CompanySignInRefused) return fault.reason
  if (!(fault instanceof Refusal)) return null
  return fault.code === 'rate_limited' ? 'too_many' : 'away'
}
