import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '#domain/app.ts'
import { SECOND_MS } from '#domain/kernel/durations.ts'

/** The status of a request whose client disconnected before any response; no client sees it. */
const CLIENT_CLOSED = 499

/**
 * Sets the request id on every response, and records every request once in the log and in the metrics, also one whose connection closed
 * before the end of its response. Neither contains a query or an address; the metrics contain no path either.
 */
export function logRequests(fastify: FastifyInstance, { metrics }: Pick<App, 'metrics'>): void {
  const recorded = new WeakSet<FastifyRequest>()
  // An alert uses this series to see that an API process runs, also before its first request.
  metrics.requests.zero({ operation: 'readyz', status: 200 })
  fastify.decorateRequest('logged')
  fastify.addHook('onRequest', async (request, reply) => {
    request.logged = {}
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' })
    reply.raw.once('close', () => reply.raw.writableFinished || record(request, reply, true))
  })
  fastify.addHook('onResponse', async (request, reply) => record(request, reply, false))

  function record(request: FastifyRequest, reply: FastifyReply, aborted: boolean): void {
    if (recorded.has(request)) return
    recorded.add(request)
    const { id: request_id, method } = request
    const { team_id, refused, fields } = request.logged ?? {}
    const operation = operationOf(request)
    const { elapsedTime } = reply
    const status = aborted && !reply.raw.headersSent ? CLIENT_CLOSED : reply.statusCode
    metrics.requests.observe({ operation, status }, elapsedTime / SECOND_MS)
    if (refused) metrics.refusals.inc({ code: refused })
    const line = {
      request_id,
      trace_id: request.span?.trace_id,
      team_id,
      operation,
      fields,
      method,
      path: pathOf(request),
      status,
      refused,
      ms: Math.round(elapsedTime),
      ...(aborted && { aborted }),
    }
    request.log.info(line, 'answered')
  }
}

/** Returns the name that the handler gave the operation, as the name of a row of the contract; else the first segment of the route: `map`, `graphql`, `healthz`. Never uses client input. */
export function operationOf({ logged, routeOptions }: FastifyRequest): string {
  if (logged?.operation) return logged.operation
  const route = routeOptions.url?.split('/', 2)[1]
  return route === undefined || route === 'api' ? 'unmatched' : route
}

/** Returns the path of a named operation, with its ids. For any other route it returns only the route: a path there may contain a signed link or anything else. */
function pathOf({ logged, raw, routeOptions }: FastifyRequest): string | undefined {
  return logged?.operation ? raw.url?.split('?', 1)[0] : routeOptions.url
}
