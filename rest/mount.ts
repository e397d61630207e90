import type { FastifyInstance } from 'fastify'
import type { GraphQLSchema } from 'graphql'
import type { App } from '#domain/app.ts'
import type { Api } from '#rest/exchange.ts'
import { PREFIX, routesOf } from '#rest/match.ts'
import { respondWith } from '#rest/respond.ts'
import { rowsOf } from '#rest/rows.ts'

/** Every method that HTTP servers know; the table decides which of them a path answers. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

/** Mounts the contract: one route for all of it, since a path is known only to those who may ask. Answers its table made ready. */
export function mountRest(fastify: FastifyInstance, app: App, schema: GraphQLSchema): Api {
  const rows = rowsOf(schema)
  const api: Api = { app, schema, rows }
  const respond = respondWith(api, routesOf(rows))
  fastify.register(async (scope) => {
    // Before the host judges a type or a body: both are steps of respond.ts, after those who may not send one are refused.
    for (const url of [PREFIX, `${PREFIX}/*`]) scope.route({ method: METHODS, url, onRequest: respond, handler: respond })
  })
  return api
}
