import { METHODS } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { GraphQLSchema } from 'graphql'
import type { App } from '#domain/app.ts'
import { answerPreflight } from '#rest/cors.ts'
import type { Api } from '#rest/exchange.ts'
import { matcherOf, PREFIX } from '#rest/match.ts'
import { respondWith } from '#rest/respond.ts'
import { rowsOf } from '#rest/rows.ts'

/** Every method except CONNECT, which expects no response. The table decides which methods a path supports. */
const methods = METHODS.filter((method) => method !== 'CONNECT')

/** Mounts the contract on a single route, because paths are matched only after the caller is admitted. Returns the prepared table. */
export function mountRest(fastify: FastifyInstance, app: App, schema: GraphQLSchema): Api {
  const rows = rowsOf(schema)
  const api: Api = { app, schema, rows }
  const respond = respondWith(api, matcherOf(rows))
  // Ignores the body here: respond.ts checks whether a body is allowed, and its type.
  for (const method of methods)
    if (!fastify.supportedMethods.includes(method) || method === 'QUERY') fastify.addHttpMethod(method, { overrideExisting: true })
  fastify.register(async (scope) => {
    // Runs before the host checks type or body: both are steps of respond.ts, after callers without access are refused.
    for (const url of [PREFIX, `${PREFIX}/*`])
      scope.route({ method: methods, url, onRequest: [answerPreflight(app), respond], handler: respond })
  })
  return api
}
