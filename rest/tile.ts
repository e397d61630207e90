import { promisify } from 'node:util'
import { gunzip as gunzipCallback } from 'node:zlib'
import type { App } from '#domain/app.ts'
import type { TileAddress } from '#domain/maps/mercator.ts'
import { tileOf } from '#domain/maps/tile.ts'
import { acceptsEncoding } from '#rest/encoding.ts'
import type { Answer, Exchange } from '#rest/exchange.ts'

const gunzip = promisify(gunzipCallback)

export const TILE_TYPE = 'application/x-protobuf'
/** A team's browser may cache a tile for an hour. A shared cache may not, because it would bypass the token check. */
const CACHE = 'private, max-age=3600'

/** Handles GET of a vector tile. It is compressed for clients that accept it, which all map clients do. */
export function tile({ api, app, request, params }: Exchange): Promise<Answer> {
  return answerTile(app, { z: Number(params.z), x: Number(params.x), y: Number(params.y) }, request.headers['accept-encoding'], api.app)
}

/** @param primary stores the drawn tile, if `app` reads from a replica */
export async function answerTile(
  app: Pick<App, 'pool'>,
  address: TileAddress,
  encodings: string | undefined,
  primary = app,
): Promise<Answer> {
  const drawn = await tileOf(app, address, primary)
  const headers = { 'cache-control': CACHE, vary: 'accept-encoding' }
  if (drawn.gzip.length > 0 && acceptsEncoding(encodings, 'gzip')) {
    const gzipHeaders = { ...headers, 'content-encoding': 'gzip', etag: `"${drawn.etag}"` }
    return { status: 200, body: drawn.gzip, content_type: TILE_TYPE, headers: gzipHeaders }
  }
  const body = drawn.gzip.length === 0 ? drawn.gzip : await gunzip(drawn.gzip)
  // Compressed bytes need another tag: a strong tag identifies the bytes as sent.
  return { status: 200, body, content_type: TILE_TYPE, headers: { ...headers, etag: `"${drawn.etag}-plain"` } }
}
