import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '#domain/app.ts'
import { newestCheckpoint, readTileBytes } from '#domain/fingerprint-log/read.ts'
import { readTilePath } from '#domain/fingerprint-log/tiles.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { refuse } from '#rest/refusals.ts'
import { send } from '#rest/send.ts'

/** A checkpoint is superseded by the next report; whoever asks in between is spared the question. */
const CHECKPOINT_SECONDS = 2
/** A tile never becomes another one: those that are not full are asked for by their width. */
const FOREVER = 'public, max-age=31536000, immutable'

/** The log of fingerprints as c2sp.org/tlog-tiles has it, for anybody: nothing in it can be reported from it. */
export function mountLog(fastify: FastifyInstance, { pool }: Pick<App, 'pool'>): void {
  fastify.get('/log/checkpoint', async (request, reply) => {
    const newest = await newestCheckpoint(pool)
    if (!newest) return send(request, reply, refuse(new Refusal('not_found', 'The log is empty: no report was completed yet.'), request.id))
    const etag = `"${createHash('sha256').update(newest.note).digest('base64url')}"`
    open(reply).headers({ etag, 'cache-control': `public, max-age=${CHECKPOINT_SECONDS}` })
    if (request.headers['if-none-match'] === etag) return reply.code(304).send()
    return reply.type('text/plain; charset=utf-8').send(newest.note)
  })
  fastify.get('/log/tile/*', async (request: FastifyRequest<{ Params: { '*': string } }>, reply) => {
    const place = readTilePath(request.params['*'])
    const bytes = place && (await readTileBytes(pool, place))
    if (!bytes) return send(request, reply, refuse(new Refusal('not_found', 'The log has no such tile.'), request.id))
    return open(reply).header('cache-control', FOREVER).type('application/octet-stream').send(bytes)
  })
}

/** Pages of others may read it: a monitor is one. */
const open = (reply: FastifyReply) => reply.headers({ 'access-control-allow-origin': '*', 'x-content-type-options': 'nosniff' })
