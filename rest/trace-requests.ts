import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { App } from '#domain/app.ts'
import { type Span, within } from '#domain/kernel/trace.ts'
import { operationOf } from '#rest/request-log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined if requests are not traced. */
    span?: Span
  }
}

/** Probes arrive every few seconds and would bury other traces. */
const UNTRACED = ['/healthz', '/readyz', '/metrics']

/**
 * Handles each request in its own span. A trace that the client started is linked, not continued, so that the caller decides neither which
 * traces are kept nor what they contain.
 */
export function traceRequests(fastify: FastifyInstance, { traces }: Pick<App, 'traces'>): void {
  if (!traces) return
  fastify.decorateRequest('span')
  fastify.addHook('onRequest', (request, { raw }, done) => {
    const link = request.headers.traceparent
    if (!UNTRACED.includes(request.routeOptions.url ?? ''))
      request.span = traces.begin(request.method, 'server', { link: typeof link === 'string' ? link : null })
    // A connection that closes before the end of its response.
    raw.once('close', () => raw.writableFinished || endSpan(request, null))
    within(request.span, done)
  })
  // Reading the body runs in callbacks of the socket, outside the context of the request.
  fastify.addHook('preHandler', (request, _reply, done) => within(request.span, done))
  fastify.addHook('onResponse', async (request, { statusCode }) => endSpan(request, statusCode))
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
