import type { FastifyInstance } from 'fastify'
import { chargeRequests, countFailure } from '#domain/access/authenticate.ts'
import type { App } from '#domain/app.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { admitPerson } from '#domain/people/admit-person.ts'
import { requireConsole, sessionCookie } from '#graphql/session.ts'
import { refuseFault } from '#rest/refusals.ts'
import { send } from '#rest/send.ts'
import { answerTile } from '#rest/tile.ts'

/** A tile's numbers, as its address has them. */
type Numbers = Record<'z' | 'x' | 'y', string>

/**
 * Mounts the archive's tiles for the console's maps: bytes, which GraphQL has none of, under the session that GraphQL takes and its rules. They
 * are the same for every team, and each role may look at maps; the API's own tiles take a token and no cookie.
 */
export function mountTiles(fastify: FastifyInstance, app: App): void {
  fastify.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => send(request, reply, refuseFault(error, request)))
    scope.get<{ Params: Numbers }>('/app/tiles/:z(^\\d+)/:x(^\\d+)/:y(^\\d+).mvt', async (request, reply) => {
      requireConsole(request, app.config)
      const secret = sessionCookie(request, app.config)
      const caller = secret && (await admitPerson(app, secret, null))
      if (!caller) {
        if (secret) await countFailure(app, request.ip)
        throw new Refusal('unauthenticated', 'You are not signed in.')
      }
      await chargeRequests(app, caller, 1)
      const { z, x, y } = request.params
      return send(request, reply, await answerTile(app, { z: Number(z), x: Number(x), y: Number(y) }, request.headers['accept-encoding']))
    })
  })
}
