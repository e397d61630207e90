import { promisify } from 'node:util'
import { gunzip as gunzipCallback } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { acceptsEncoding } from '#rest/encoding.ts'
import { clientHas, weakEntityTag } from '#rest/entity-tag.ts'
import { TILE_TYPE } from '#rest/tile.ts'

const gunzip = promisify(gunzipCallback)

/** Sends a public tile, gzipped if the client accepts that; 204 if there is no tile. */
export async function sendTile(
  request: FastifyRequest,
  reply: FastifyReply,
  gzipped: Buffer | null,
  cacheControl: string,
): Promise<FastifyReply> {
  reply.headers({ 'cache-control': cacheControl, vary: 'accept-encoding', 'x-content-type-options': 'nosniff' })
  if (gzipped === null) return reply.code(204).send()
  const etag = weakEntityTag(gzipped)
  reply.header('etag', etag).type(TILE_TYPE)
  if (clientHas(request, etag)) return reply.code(304).send()
  if (acceptsEncoding(request.headers['accept-encoding'], 'gzip')) return reply.header('content-encoding', 'gzip').send(gzipped)
  return reply.send(await gunzip(gzipped))
}
