import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '#domain/app.ts'
import { newestCheckpoint, readTileBytes } from '#domain/fingerprint-log/read.ts'
import { readTilePath } from '#domain/fingerprint-log/tiles.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { clientHas, entityTag } from '#rest/entity-tag.ts'
import { refuse } from '#rest/refusals.ts'
import { send } from '#rest/send.ts'

/** The next report supersedes a checkpoint; until then caches may serve it for this long. */
const CHECKPOINT_CACHE_S = 2
/** A tile never changes: the address of a partial tile contains its width. */
const IMMUTABLE = 'public, max-age=31536000, immutable'

/** Mounts the public log of fingerprints, in the format of c2sp.org/tlog-tiles. It reveals nothing about the reports. */
export function mountLog(fastify: FastifyInstance, { pool }: Pick<App, 'pool'>): void {
  fastify.get('/log/checkpoint', async (request, reply) => {
    const newest = await newestCheckpoint(pool)
    if (!newest) return send(request, reply, refuse(new Refusal('not_found', 'The log is empty: no report was completed yet.'), request.id))
    const etag = entityTag(newest.note)
    allowAnyOrigin(reply).headers({ etag, 'cache-control': `public, max-age=${CHECKPOINT_CACHE_S}` })
    if (clientHas(request, etag)) return reply.code(304).send()
    return reply.type('text/plain; charset=utf-8').send(newest.note)
  })
  fastify.get('/log/tile/*', async (request: FastifyRequest<{ Params: { '*': string } }>, reply) => {
    const tilePath = readTilePath(request.params['*'])
    const bytes = tilePath && (await readTileBytes(pool, tilePath))
    if (!bytes) return send(request, reply, refuse(new Refusal('not_found', 'The log has no such tile.'), request.id))
    return allowAnyOrigin(reply).header('cache-control', IMMUTABLE).type('application/octet-stream').send(bytes)
  })
}

/** Lets pages of other sites read the log, such as a monitor. */
const allowAnyOrigin = (reply: FastifyReply) => reply.headers({ 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' })
