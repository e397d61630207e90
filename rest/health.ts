import type { FastifyInstance } from 'fastify'
import type { App } from '#domain/app.ts'

/** Seconds until a client may retry. */
const RETRY_AFTER_S = '5'

/** Mounts liveness and readiness probes, outside the contract. */
export function mountHealth(fastify: FastifyInstance, { pool, log }: Pick<App, 'pool' | 'log'>): void {
  fastify.get('/healthz', async () => ({ status: 'ok' }))

  fastify.get('/readyz', async (_request, reply) => {
    try {
      await pool.query('SELECT 1')
      return { status: 'ready' }
    } catch (error) {
      log.warn({ err: error }, 'the database is unavailable')
      return reply.code(503).header('retry-after', RETRY_AFTER_S).send({ status: 'unavailable' })
    }
  })
}
