import { once } from 'node:events'
import { createServer } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { requireOperator } from '#domain/access/operator.ts'
import type { App } from '#domain/app.ts'
import { originForm } from '#rest/origin-form.ts'

/** Mounts GET /metrics, outside the contract, for an operator key with the role read: Prometheus sends it as a bearer token. */
export function mountMetrics(fastify: FastifyInstance, app: App): void {
  fastify.get('/metrics', async (request, reply) => {
    await requireOperator(app, { authorization: request.headers.authorization, address: request.ip }, 'read')
    const { text, content_type } = await app.metrics.read()
    return reply.type(content_type).send(text)
  })
}

/**
 * Serves the metrics without a key on a separate port: for workers, which serve nothing else, and for networks in
 * which only the monitoring system reaches the port. Serves /healthz too: a probe must not read the metrics, because a reading begins
 * a new measurement of the event loop, and waits for the database. Null if no port is set.
 */
export async function openMetricsPort({ config, metrics, log }: Pick<App, 'config' | 'metrics' | 'log'>): Promise<MetricsServer | null> {
  if (config.metrics_port === null) return null
  const server = createServer(async ({ method, url = '/' }, response) => {
    const path = originForm(url).split('?', 1)[0]
    if (method === 'GET' && path === '/healthz')
      return response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}')
    if (method !== 'GET' || path !== '/metrics') return response.writeHead(404).end()
    try {
      const { text, content_type } = await metrics.read()
      return response.writeHead(200, { 'content-type': content_type }).end(text)
    } catch (fault) {
      log.error({ err: fault }, 'the metrics could not be served')
      return response.writeHead(500).end()
    }
  })
  server.listen(config.metrics_port, config.metrics_host)
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

interface MetricsServer {
  port: number
  close(): Promise<void>
}
