import type { FastifyInstance } from 'fastify'
import type { App } from '#domain/app.ts'
import { KEYS_PATH, publishedKeys } from '#domain/reports/signing/published-keys.ts'
import { clientHas, entityTag } from '#rest/entity-tag.ts'

/** Short, so that caches have a new key soon after it signs its first document. */
const CACHED_SECONDS = 300

/** Mounts the public keys of this service, with which others verify its signatures. */
export function mountKeys(fastify: FastifyInstance, app: Pick<App, 'db'>): void {
  fastify.get(KEYS_PATH, async (request, reply) => {
    const body = JSON.stringify(await publishedKeys(app))
    const etag = entityTag(body)
    reply.headers({ etag, 'cache-control': `public, max-age=${CACHED_SECONDS}` })
    if (clientHas(request, etag)) return reply.code(304).send()
    return reply.type('application/jwk-set+json').send(body)
  })
}
