import { METHODS } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { GraphQLSchema } from 'graphql'
import type { App } from '#domain/app.ts'
import { answerPreflight } from '#rest/cors.ts'
import type { Api } from '#rest/exchange.ts'
import { PREFIX, routesOf } from '#rest/match.ts'
import { respondWith } from '#rest/respond.ts'
import { rowsOf } from '#rest/rows.ts'

/** Every method that a request can have, for CONNECT asks for no answer; the table decides which of them a path answers. */
const methods = METHODS.filter((method) => method !== 'CONNECT')

/** Mounts the contract: one route for all of it, since a path is known only to those who may ask. Answers its table made ready. */
export function mountRest(fastify: FastifyInstance, app: App, schema: GraphQLSchema): Api {
  const rows = rowsOf(schema)
  const api: Api = { app, schema, rows }
  const respond = respondWith(api, routesOf(rows))
  // As without a body: whether one may come, and of which type, is judged by respond.ts.
  for (const method of methods)
    if (!fastify.supportedMethods.includes(method) || method === 'QUERY') fastify.addHttpMethod(method, { overrideExisting: true })
  fastify.register(async (scope) => {
    // Before the host judges a type or a body: both are steps of respond.ts, after those who may not send one are refused.
    for (const url of [PREFIX, `${PREFIX}/*`])
      scope.route({ method: methods, url, onRequest: [answerPreflight(app), respond], handler: respond })
  })
  return api
}
