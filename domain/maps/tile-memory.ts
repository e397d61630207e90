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
interface TileMemory {
  recall(tile: TileAddress, version: number): DrawnTile | null
  /** Draws a tile once for all concurrent requests. */
  once(tile: TileAddress, version: number, work: () => Promise<DrawnTile>): Promise<DrawnTile>
}

/** Bytes of drawn tiles that a process caches. */
const MEMORY_BYTES = 64 * 1024 * 1024
/** Limits the count as well: empty tiles have no bytes, and cover most of the world. */
const MEMORY_TILES = 50_000

const memories = new WeakMap<pg.Pool, TileMemory>()

/** Returns the cache of a database; one for each that the process uses. */
export function tileMemory(pool: pg.Pool): TileMemory {
  const tables = sharedPool(pool)
  const memory = memories.get(tables) ?? openMemory()
  memories.set(tables, memory)
  return memory
}

function openMemory(): TileMemory {
  const kept = new Map<number, { version: number; tile: DrawnTile }>()
  const underway = new Map<string, Promise<DrawnTile>>()
  let bytes = 0
  const forget = (key: number) => {
    bytes -= kept.get(key)?.tile.gzip.length ?? 0
    kept.delete(key)
  }
  const remember = (key: number, version: number, tile: DrawnTile) => {
    forget(key)
    kept.set(key, { version, tile })
    bytes += tile.gzip.length
    for (const oldest of kept.keys()) {
      if (bytes <= MEMORY_BYTES && kept.size <= MEMORY_TILES) break
      forget(oldest)
    }
  }
  return {
    recall(address, version) {
      const key = tileKey(address)
      const held = kept.get(key)
      if (held?.version !== version) return null
      kept.delete(key)
      kept.set(key, held)
      return held.tile
    },
    async once(address, version, work) {
      const name = `${tileKey(address)} ${version}`
      const running = underway.get(name) ?? work().finally(() => underway.delete(name))
      underway.set(name, running)
      const tile = await running
      remember(tileKey(address), version, tile)
      return tile
    },
  }
}
