import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '#domain/app.ts'
import { type Span, within } from '#domain/kernel/trace.ts'
import { operationOf } from '#rest/request-log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined where requests are not traced. */
    span?: Span
  }
}

/** What a watcher asks for every few seconds would bury the rest. */
const UNTRACED = ['/healthz', '/readyz', '/metrics']

/**
 * Does all that a request asks for in a span of its own. A trace that the client began is linked, not gone on with: who calls decides neither which
 * traces are kept nor what they hold.
 */
export function traceRequests(fastify: FastifyInstance, { traces }: Pick<App, 'traces'>): void {
  if (!traces) return
  fastify.decorateRequest('span')
  fastify.addHook('onRequest', (request, _reply, done) => {
    const link = request.headers.traceparent
    if (!UNTRACED.includes(request.routeOptions.url ?? ''))
      request.span = traces.begin(request.method, 'server', { link: typeof link === 'string' ? link : null })
    within(request.span, done)
  })
  // A body is read by what the socket calls, which knows nothing of the request.
  fastify.addHook('preHandler', (request, _reply, done) => within(request.span, done))
  fastify.addHook('onResponse', async (request, { statusCode }) => endSpan(request, statusCode))
  // No answer is sent to a client that has gone.
  fastify.addHook('onRequestAbort', async (request) => endSpan(request, null))
}

function endSpan(request: FastifyRequest, status: number | null): void {
  const { span, id, method, logged } = request
  if (!span) return
  const operation = operationOf(request)
  span.rename(`${method} ${operation}`)
  span.note({
    'http.request.method': method,
    'http.response.status_code': status ?? undefined,
    'weather.operation': operation,
    'weather.refused': logged?.refused,
    'weather.request_id': id,
    'weather.team_id': logged?.team_id,
  })
  span.end(status !== null && status >= 500 ? { code: String(status) } : undefined)
}
