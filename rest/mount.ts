import type { FastifyInstance } from 'fastify'
import type { GraphQLSchema } from 'graphql'
import type { App } from '#domain/app.ts'
import { PREFIX, routesOf } from '#rest/match.ts'
import { respondWith } from '#rest/respond.ts'
import { rowsOf } from '#rest/rows.ts'

/** Every method that HTTP servers know; the table decides which of them a path answers. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Mounts the contract: one route for all of it, since a path is known only to those who may ask. */
export function mountRest(fastify: FastifyInstance, app: App, schema: GraphQLSchema): void {
  const rows = rowsOf(schema)
  const respond = respondWith({ app, schema, rows }, routesOf(rows))
  fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    // The body is read by a step of respond.ts, after those who may not send one are refused.
    scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
    for (const url of [PREFIX, `${PREFIX}/*`]) scope.route({ method: METHODS, url, handler: respond })
  })
}
