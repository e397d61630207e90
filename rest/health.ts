import type { FastifyInstance } from 'fastify'
import type { App } from '#domain/app.ts'
import { withTimeLimit } from '#domain/kernel/time-limit.ts'

/** Seconds until a client may retry. */
const RETRY_AFTER_S = '5'
/** Proxies and Kubernetes give up a probe after 5 s. A pool notices only after 9 s that its server hangs. */
const ANSWERS_WITHIN_MS = 3000

/** Mounts liveness and readiness probes, outside the contract. */
export function mountHealth(
  fastify: FastifyInstance,
  { pool, log }: Pick<App, 'pool' | 'log'>,
  { answers_within_ms = ANSWERS_WITHIN_MS } = {},
): void {
  fastify.get('/healthz', async () => ({ status: 'ok' }))

  fastify.get('/readyz', async (_request, reply) => {
    try {
      await withTimeLimit(answers_within_ms, pool.query('SELECT 1'), 'The database does not answer.')
      return { status: 'ready' }
    } catch (error) {
      log.warn({ err: error }, 'the database is unavailable')
      return reply.code(503).header('retry-after', RETRY_AFTER_S).send({ status: 'unavailable' })
    }
  })
}
