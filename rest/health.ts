import type { FastifyInstance } from 'fastify'
import type { App } from '#domain/app.ts'

/** Seconds until a client may look again. */
const RETRY_AFTER = '5'

/** Outside the contract, for whoever runs the process: alive, and ready to be sent requests. */
export function mountHealth(fastify: FastifyInstance, { pool, log }: Pick<App, 'pool' | 'log'>): void {
  fastify.get('/healthz', async () => ({ status: 'ok' }))

  fastify.get('/readyz', async (_request, reply) => {
    try {
      await pool.query('SELECT 1')
      return { status: 'ready' }
    } catch (error) {
      log.warn({ err: error }, 'the database does not answer')
      return reply.code(503).header('retry-after', RETRY_AFTER).send({ status: 'unavailable' })
    }
  })
}
