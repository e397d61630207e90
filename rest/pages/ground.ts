import type { FastifyInstance } from 'fastify'
import { boundedCache } from '#domain/kernel/bounded-cache.ts'
import { GROUND_ZOOM_MAX, groundTile } from '#domain/maps/ground.ts'
import { isTile } from '#domain/maps/mercator.ts'
import { sendTile } from '#rest/pages/send-tile.ts'

/** The ground comes from npm packages, and changes at most with a version of the service. */
const CACHE = 'public, max-age=86400'
/** Tiles that a process caches, about 20 kB each: the country at low zoom and the areas in view. */
const CACHED_TILES_MAX = 1000

/** The numbers of a tile, as strings from its address. */
type TileParams = Record<'z' | 'x' | 'y', string>

/** Mounts the public tiles of the packaged ground: GET /map/ground/{z}/{x}/{y}.mvt, 204 for an empty tile. */
export function mountGround(fastify: FastifyInstance): void {
  const cachedTile = boundedCache<Buffer | null>(CACHED_TILES_MAX)
  fastify.get<{ Params: TileParams }>('/map/ground/:z(^\\d{1,2})/:x(^\\d{1,8})/:y(^\\d{1,8}).mvt', async (request, reply) => {
    const { z, x, y } = request.params
    const tile = { z: Number(z), x: Number(x), y: Number(y) }
    if (!isTile(tile) || tile.z > GROUND_ZOOM_MAX) return reply.callNotFound()
    return sendTile(request, reply, await cachedTile(`${tile.z}/${tile.x}/${tile.y}`, () => groundTile(tile)), CACHE)
  })
}
