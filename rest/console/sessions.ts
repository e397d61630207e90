import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '#domain/app.ts'
import { checkMediaType } from '#domain/kernel/media-type.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { refuseField } from '#domain/kernel/validation.ts'
import { whoIsSignedIn } from '#domain/people/admit-person.ts'
import { acceptOwnInvitation, declineOwnInvitation, listOwnInvitations } from '#domain/people/own-invitations.ts'
import { renamePerson } from '#domain/people/person.ts'
import { endSessions, listSessions } from '#domain/people/sessions.ts'
import { requestSignIn } from '#domain/people/sign-in-links.ts'
import { spendLink } from '#domain/people/spend-link.ts'
import { refusalOfBody } from '#graphql/body.ts'
import { requireConsole, sessionCookie } from '#graphql/session.ts'
import { mountCompanyReturn, mountCompanySignIn } from '#rest/console/company-sign-in.ts'
import { type BodyRequest, clearCookie, clientOf, signedIn, signOut, startSession, textOf } from '#rest/console/own-session.ts'
import { mountPasskeys } from '#rest/console/passkeys.ts'
import { refuseFault } from '#rest/refusals.ts'
import { send } from '#rest/send.ts'

const BODY_MAX_BYTES = 4096

/**
 * Mounts signing in and out, only for the console's own pages: JSON over POST, and one GET that returns the person who is signed in.
 * The session is a cookie that no script can read.
 */
export function mountSessions(fastify: FastifyInstance, app: App): void {
  const { config } = app
  fastify.register(
    async (scope) => {
      readSmallJson(scope)
      scope.setErrorHandler((error, request, reply) => send(request, reply, refuseFault(faultOf(error, request), request)))
      scope.addHook('onRequest', async (request, reply) => {
        reply.header('cache-control', 'no-store')
        requireConsole(request, config)
      })

      mountSignIn(scope, app)
      mountOwnAccount(scope, app)
      mountOwnInvitations(scope, app)
      mountPasskeys(scope, app)
      mountCompanySignIn(scope, app)
    },
    { prefix: '/app' },
  )
  mountCompanyReturn(fastify, app)
}

/** Begins and ends a session. */
function mountSignIn(scope: FastifyInstance, app: App): void {
  scope.post('/sign-in', async (request: BodyRequest, reply) => {
    const { email, return_to } = request.body ?? {}
    const input = { email: textOf(email), return_to: typeof return_to === 'string' ? return_to : null }
    return reply.code(202).send(await requestSignIn(app, input, { address: request.ip }))
  })

  scope.post('/sign-in/link', async (request: BodyRequest, reply) => {
    const token = textOf(request.body?.token)
    if (!token) refuseField('token', 'The token of the link is required.')
    const readSession = async () => {
      const cookie = sessionCookie.read(request, app.config)
      const self = cookie === null ? null : await whoIsSignedIn(app, cookie)
      return self && { ...self.person, person_id: self.person.id }
    }
    const { secret, return_to, joined } = await spendLink(app, token, clientOf(request), readSession)
    await startSession(app, request, reply, secret)
    return reply.send({ return_to, team_id: joined?.team_id ?? null })
  })

  scope.post('/sign-out', async (request, reply) => {
    await signOut(app, request)
    return clearCookie(reply, app.config, sessionCookie).code(204).send()
  })
}

/** The person who is signed in: their name, teams and sessions. */
function mountOwnAccount(scope: FastifyInstance, app: App): void {
  scope.get('/session', async (request, reply) => {
    const self = await signedIn(app, request)
    const { person, teams } = self
    const { session_id, handed_over, company_email, ...shown } = person
    const [sessions, invitations] = await Promise.all([listSessions(app, person), listOwnInvitations(app, self)])
    return reply.send({ person: shown, teams, invitations, sessions, basemap_style_url: app.config.basemap_style_url })
  })

  scope.post('/sessions/end', async (request: BodyRequest, reply) => {
    const { person } = await signedIn(app, request)
    const sessionId = request.body?.id
    if (sessionId !== null && typeof sessionId !== 'string')
      refuseField('id', 'The id must be the id of a session, or null for all other sessions.')
    return reply.send({ ended: await app.db.$transaction((tx) => endSessions(tx, person, sessionId)) })
  })

  scope.post('/person', async (request: BodyRequest, reply) => {
    const { person } = await signedIn(app, request)
    const name = request.body?.name
    if (typeof name !== 'string') refuseField('name', 'The name must be text.')
    return reply.send(await renamePerson(app, person.id, name))
  })
}

/** The invitations of the person who is signed in. */
function mountOwnInvitations(scope: FastifyInstance, app: App): void {
  scope.post('/invitations/accept', async (request: BodyRequest, reply) => {
    const { person } = await signedIn(app, request)
    const { team_id } = await acceptOwnInvitation(app, person, textOf(request.body?.id), clientOf(request))
    return reply.send({ team_id })
  })

  scope.post('/invitations/decline', async (request: BodyRequest, reply) => {
    const { person } = await signedIn(app, request)
    await declineOwnInvitation(app, person, textOf(request.body?.id), clientOf(request))
    return reply.code(204).send()
  })
}

function readSmallJson(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: BODY_MAX_BYTES },
    async ({ headers }: FastifyRequest, text: string): Promise<BodyRequest['body']> => {
      checkMediaType(headers)
      const parsed: unknown = text === '' ? {} : JSON.parse(text)
      if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) throw new SyntaxError('no object')
      return Object.fromEntries(Object.entries(parsed))
    },
  )
}

/** Returns the refusal of a body that the host or the JSON parser cannot use, or any other error as it is. */
function faultOf(error: unknown, request: FastifyRequest): unknown {
  if (error instanceof SyntaxError) return new Refusal('malformed_json', 'The body must be a JSON object.')
  return refusalOfBody(error, request, `${BODY_MAX_BYTES} bytes`) ?? error
}
