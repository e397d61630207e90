import type { FastifyInstance } from 'fastify'
import type { App } from '#domain/app.ts'
import { admitSession } from '#graphql/admit.ts'
import { refuseFault } from '#rest/refusals.ts'
import { send } from '#rest/send.ts'
import { answerTile } from '#rest/tile.ts'

/** Tile numbers, as in the URL. */
type TileParams = Record<'z' | 'x' | 'y', string>

/**
 * Mounts the archive's tiles for the console's maps. Tiles are bytes, which GraphQL cannot return; they need the same session as GraphQL and
 * follow its rules. They are the same for every team, and every role may see maps. The API's own tiles need a token and accept no cookie.
 */
export function mountConsoleTiles(fastify: FastifyInstance, app: App): void {
  fastify.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => send(request, reply, refuseFault(error, request)))
    scope.get<{ Params: TileParams }>('/app/tiles/:z(^\\d+)/:x(^\\d+)/:y(^\\d+).mvt', async (request, reply) => {
      await admitSession(app, request, reply, null)
      const { z, x, y } = request.params
      return send(request, reply, await answerTile(app, { z: Number(z), x: Number(x), y: Number(y) }, request.headers['accept-encoding']))
    })
  })
}
