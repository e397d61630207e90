import type pg from 'pg'
import { sharedPool } from '#domain/engines/row-scope.ts'
import { type TileAddress, tileKey } from '#domain/maps/mercator.ts'

/** A drawn tile as it is sent. */
export interface DrawnTile {
  /** Compressed; empty if the tile shows nothing. */
  gzip: Buffer
  /** Equal for equal contents. */
  etag: string
}

/** A cache of drawn tiles by version of the maps; evicts the least recently used first. */
interface TileCache {
  get(tile: TileAddress, version: number): DrawnTile | null
  /** Draws a tile once for all concurrent requests. */
  once(tile: TileAddress, version: number, work: () => Promise<DrawnTile>): Promise<DrawnTile>
}

/** Bytes of drawn tiles that a process caches. */
const MEMORY_BYTES = 64 * 1024 * 1024
/** Limits the count as well: empty tiles have no bytes, and cover most of the world. */
const MEMORY_TILES = 50_000

const caches = new WeakMap<pg.Pool, TileCache>()

/** Returns the cache of a database; one for each that the process uses. */
export function tileCache(pool: pg.Pool): TileCache {
  const tables = sharedPool(pool)
  const cache = caches.get(tables) ?? createCache()
  caches.set(tables, cache)
  return cache
}

function createCache(): TileCache {
  const cache = new Map<number, { version: number; tile: DrawnTile }>()
  const inFlight = new Map<string, Promise<DrawnTile>>()
  let bytes = 0
  const evict = (key: number) => {
    bytes -= cache.get(key)?.tile.gzip.length ?? 0
    cache.delete(key)
  }
  const store = (key: number, version: number, tile: DrawnTile) => {
    evict(key)
    cache.set(key, { version, tile })
    bytes += tile.gzip.length
    for (const oldest of cache.keys()) {
      if (bytes <= MEMORY_BYTES && cache.size <= MEMORY_TILES) break
      evict(oldest)
    }
  }
  return {
    get(address, version) {
      const key = tileKey(address)
      const cached = cache.get(key)
      if (cached?.version !== version) return null
      cache.delete(key)
      cache.set(key, cached)
      return cached.tile
    },
    async once(address, version, work) {
      const name = `${tileKey(address)} ${version}`
      const running = inFlight.get(name) ?? work().finally(() => inFlight.delete(name))
      inFlight.set(name, running)
      const tile = await running
      store(tileKey(address), version, tile)
      return tile
    },
  }
}
