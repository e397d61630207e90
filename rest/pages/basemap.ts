import { promisify } from 'node:util'
import { gzip as gzipCallback } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import type { App } from '#domain/app.ts'
import { openBasemap } from '#domain/maps/basemap/basemap.ts'
import { basemapStyle } from '#domain/maps/basemap/style.ts'
import { acceptsEncoding } from '#rest/encoding.ts'
import { clientHas, weakEntityTag } from '#rest/entity-tag.ts'
import { sendTile } from '#rest/pages/send-tile.ts'

const gzip = promisify(gzipCallback)

/** The address of a tile contains the version of the basemap, so a tile never changes. */
const TILE_CACHE = 'public, max-age=604800, immutable'
/** The maximum zoom of a basemap given as an address of tiles, which does not state one. */
const TILES_ZOOM_MAX = 15
const ATTRIBUTION = '© OpenStreetMap contributors'

/**
 * Mounts the public endpoints of the basemap: GET /map/basemap.json returns its source and its layers for light and dark mode, or 204 if
 * there is no basemap; GET /map/basemap/{version}/{z}/{x}/{y}.mvt returns its tiles.
 */
export function mountBasemap(fastify: FastifyInstance, app: App): void {
  const currentBasemap = openBasemap(app)
  const style = basemapStyle()
  fastify.get('/map/basemap.json', async (request, reply) => {
    const source = await sourceOf(app, currentBasemap)
    reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding', 'x-content-type-options': 'nosniff' })
    if (!source) return reply.code(204).send()
    const body = Buffer.from(JSON.stringify({ source, ...style }))
    const etag = weakEntityTag(body)
    reply.header('etag', etag).type('application/json; charset=utf-8')
    if (clientHas(request, etag)) return reply.code(304).send()
    if (!acceptsEncoding(request.headers['accept-encoding'], 'gzip')) return reply.send(body)
    return reply.header('content-encoding', 'gzip').send(await gzip(body))
  })
  const tiles = '/map/basemap/:version(^[0-9a-f]{12})/:z(^\\d{1,2})/:x(^\\d{1,8})/:y(^\\d{1,8}).mvt'
  fastify.get<{ Params: Record<'version' | 'z' | 'x' | 'y', string> }>(tiles, async (request, reply) => {
    const { version, ...numbers } = request.params
    const [z, x, y] = [Number(numbers.z), Number(numbers.x), Number(numbers.y)]
    const basemap = await currentBasemap()
    if (basemap?.version !== version || z > basemap.archive.max_zoom || x >= 2 ** z || y >= 2 ** z) return reply.callNotFound()
    const tile = await basemap.archive.tile(z, x, y)
    return sendTile(request, reply, tile && (await gzip(tile)), TILE_CACHE)
  })
}

/** Returns the basemap as a MapLibre source. */
async function sourceOf({ config: { basemap } }: Pick<App, 'config'>, current: ReturnType<typeof openBasemap>): Promise<object | null> {
  if (basemap?.kind === 'tiles') return { type: 'vector', tiles: [basemap.url], maxzoom: TILES_ZOOM_MAX, attribution: ATTRIBUTION }
  const found = await current()
  if (!found) return null
  const { min_zoom: minzoom, max_zoom: maxzoom, bounds, attribution } = found.archive
  return { type: 'vector', tiles: [`/map/basemap/${found.version}/{z}/{x}/{y}.mvt`], minzoom, maxzoom, bounds, attribution }
}
