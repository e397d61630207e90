import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '#domain/app.ts'
import { CHALLENGE_MS } from '#domain/people/passkey-challenges.ts'
import {
  beginRegistration,
  beginSignIn,
  type Ceremony,
  listPasskeys,
  registerPasskey,
  removePasskey,
  signInByPasskey,
} from '#domain/people/passkeys.ts'
import { challengeCookie } from '#graphql/session.ts'
import { type BodyRequest, clearCookie, clientOf, setCookie, signedIn, startSession, textOf } from '#rest/console/own-session.ts'

/** Mounts passkey sign-in, under the same checks as the other sign-in methods. */
export function mountPasskeys(scope: FastifyInstance, app: App): void {
  scope.get('/passkeys', async (request, reply) => {
    const { person } = await signedIn(app, request)
    return reply.send({ passkeys: await listPasskeys(app, person.id) })
  })

  scope.post('/passkeys/options', async (request, reply) => {
    const { person } = await signedIn(app, request)
    return sendChallenge(reply, await beginRegistration(app, person, clientOf(request)))
  })

  scope.post('/passkeys', async (request: BodyRequest, reply) => {
    const { person } = await signedIn(app, request)
    const { name, response } = request.body ?? {}
    const passkey = await registerPasskey(
      app,
      person,
      takeChallengeSecret(request, reply),
      { name: textOf(name), response },
      clientOf(request),
    )
    return reply.code(201).send(passkey)
  })

  scope.post('/passkeys/remove', async (request: BodyRequest, reply) => {
    const { person } = await signedIn(app, request)
    await removePasskey(app, person, textOf(request.body?.id), clientOf(request))
    return reply.code(204).send()
  })

  scope.post('/sign-in/passkey/options', async (request, reply) => sendChallenge(reply, await beginSignIn(app, clientOf(request))))

  scope.post('/sign-in/passkey', async (request: BodyRequest, reply) => {
    const secret = await signInByPasskey(app, takeChallengeSecret(request, reply), request.body?.response, clientOf(request))
    await startSession(app, request, reply, secret)
    return reply.code(204).send()
  })

  /** Sends the challenge to the page, and the secret to answer it with only to the browser, as a cookie. */
  function sendChallenge<Options>(reply: FastifyReply, { secret, options }: Ceremony<Options>): FastifyReply {
    return setCookie(reply, app.config, challengeCookie, secret, CHALLENGE_MS).send(options)
  }

  /** Returns the browser's part of a challenge and deletes its cookie. */
  function takeChallengeSecret(request: FastifyRequest, reply: FastifyReply): string | null {
    clearCookie(reply, app.config, challengeCookie)
    return challengeCookie.read(request, app.config)
  }
}
