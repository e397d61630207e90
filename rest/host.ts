import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { App } from '#domain/app.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { restSchema } from '#graphql/schema.ts'
import { mountGraphql } from '#graphql/yoga.ts'
import { mountArchiveExport } from '#rest/archive-export.ts'
import { boundBodies, closeStalledReaders, shedIdleConnections } from '#rest/connections.ts'
import { mountConsole } from '#rest/console/pages.ts'
import { mountSessions } from '#rest/console/sessions.ts'
import { mountConsoleTiles } from '#rest/console/tiles.ts'
import { mountExports } from '#rest/exports.ts'
import { stripForwardedPorts } from '#rest/forwarded-address.ts'
import { mountHealth } from '#rest/health.ts'
import { boundLargeResponses } from '#rest/large-responses.ts'
import { refuseMalformed, refuseUnsupported } from '#rest/malformed-request.ts'
import { mountMcp } from '#rest/mcp/mount.ts'
import { mountMetrics } from '#rest/metrics.ts'
import { mountRest } from '#rest/mount.ts'
import { mountOgc } from '#rest/ogc/mount.ts'
import { mountOperator } from '#rest/operator.ts'
import { mountOperatorBasemap } from '#rest/operator-basemap.ts'
import { originForm } from '#rest/origin-form.ts'
import { mountAlertLinks } from '#rest/pages/alerts.ts'
import { mountDocs } from '#rest/pages/docs.ts'
import { mountKeys } from '#rest/pages/keys.ts'
import { mountLog } from '#rest/pages/log.ts'
import { mountMapPage } from '#rest/pages/map.ts'
import { sendRefusal } from '#rest/pages/notice.ts'
import { mountVerify } from '#rest/pages/verify.ts'
import { refuse, refuseFault } from '#rest/refusals.ts'
import { requestId } from '#rest/request-id.ts'
import { logRequests } from '#rest/request-log.ts'
import { send } from '#rest/send.ts'
import { mountSources } from '#rest/sources.ts'
import { mountStormDays } from '#rest/storm-days.ts'
import { mountSwaths } from '#rest/swaths.ts'
import { traceRequests } from '#rest/trace-requests.ts'

/** Longer than the idle timeout of common proxies (60 s), so that the proxy, not the service, closes a connection that it reuses. */
const KEEP_ALIVE_TIMEOUT_MS = 72_000
/**
 * No part of a path is longer, because Node.js reads at most 16 KiB of request line and headers. The router would refuse a longer one itself,
 * without the service's error body, request id and log line.
 */
const PARAMETER_MAX_LENGTH = 16 * 1024

/** Creates the HTTP server for one port, not yet listening: REST, GraphQL, MCP, OGC features, exports, the operator's uploads, the console, pages, probes and metrics. */
export async function createApiServer(app: App): Promise<FastifyInstance> {
  const fastify: FastifyInstance = Fastify({
    loggerInstance: app.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => requestId(),
    // Log lines of a request add its id themselves.
    childLoggerFactory: (logger) => logger,
    trustProxy: (_address, hop) => hop < app.config.trust_proxy,
    // boundBodies limits bodies instead: a large operator's upload may take long.
    requestTimeout: 0,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS,
    routerOptions: { maxParamLength: PARAMETER_MAX_LENGTH },
    // Requests that still arrive over an open connection get a normal response.
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => refuseMalformed(error, socket, requestId()),
    // A target may be absolute. A path that cannot be decoded is routed like any other and matches nothing.
    rewriteUrl: ({ url = '/' }) => decodable(originForm(url)),
    // refuseUnsupported refuses a request without a Host, with a message.
    http: { requireHostHeader: false },
  })
  refuseUnsupported(fastify, requestId)
  fastify.setErrorHandler((error, request, reply) => send(request, reply, refuseFault(error, request)))
  stripForwardedPorts(fastify)
  traceRequests(fastify, app)
  logRequests(fastify, app)
  boundBodies(fastify)
  closeStalledReaders(fastify)
  boundLargeResponses(fastify)
  shedIdleConnections(fastify.server)
  refuseUnknownPaths(fastify)
  mountHealth(fastify, app)
  mountMetrics(fastify, app)
  mountMapPage(fastify, app)
  const api = mountRest(fastify, app, restSchema)
  mountExports(fastify, api)
  mountMcp(fastify, api)
  mountOgc(fastify, app)
  mountSwaths(fastify, app)
  mountStormDays(fastify, app)
  mountDocs(fastify, api)
  mountOperator(fastify, app)
  mountOperatorBasemap(fastify, app)
  mountArchiveExport(fastify, app)
  mountVerify(fastify, app)
  mountKeys(fastify, app)
  mountSessions(fastify, app)
  mountConsoleTiles(fastify, app)
  mountLog(fastify, app)
  mountAlertLinks(fastify, app)
  mountSources(fastify, app)
  mountConsole(fastify, app)
  await mountGraphql(fastify, app)
  await fastify.ready()
  return fastify
}

const nothingHere = () => new Refusal('not_found', 'There is nothing at this path.')

/** Returns the URL, or if its path has invalid percent-encoding, the URL with every `%` of the path escaped. */
function decodable(url: string): string {
  const [path = '', ...query] = url.split('?')
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return [path.replaceAll('%', '%25'), ...query].join('?')
  }
}

/** Refuses a path at which there is nothing before the host reads a body that was sent there: whatever it is, it is no fault of the service. */
function refuseUnknownPaths(fastify: FastifyInstance): void {
  const refusePath = (request: FastifyRequest, reply: FastifyReply) => sendRefusal(request, reply, refuse(nothingHere(), request.id))
  fastify.addHook('onRequest', async (request, reply) => (request.is404 ? refusePath(request, reply) : undefined))
  fastify.setNotFoundHandler(refusePath)
}
