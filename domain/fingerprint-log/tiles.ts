import { HASH_BYTES, joinSubtrees, type LeafRange, leafHash, nodeHash, type Subtree, subtreesOf } from '#domain/fingerprint-log/merkle.ts'
import { present } from '#domain/kernel/present.ts'

/** Hashes in a full tile (c2sp.org/tlog-tiles): each level of tiles contains eight levels of the tree. */
export const TILE_WIDTH = 256
const TILE_HEIGHT = 8

/** A tile's position: level 0 contains leaf hashes, each level above one hash per full tile below it. */
export interface TilePlace {
  level: number
  index: number
}

/** A tile with the hashes that it has so far. */
export interface Tile extends TilePlace {
  hashes: Buffer
}

/** Tiles by their keys. */
export type Tiles = Map<string, Buffer>

/** The key of a tile in `Tiles`. */
export const tileKey = ({ level, index }: TilePlace) => `${level}/${index}`

/** What a path refers to: a tile, or the entries under a tile of level 0. */
export interface TilePath {
  kind: 'hashes' | 'entries'
  level: number
  index: number
  /** TILE_WIDTH for a full tile. */
  width: number
}

/** Levels 0 to 63; three digits per element, each but the last after an x; a width of 1 to 255. */
const PATH = /^(?:(entries)|(0|[1-9]|[1-5]\d|6[0-3]))\/((?:x\d{3}\/)*\d{3})(?:\.p\/([1-9]\d{0,2}))?$/
/** x123/x456/x789/012 is already beyond the tiles of any tree here. */
const INDEX_ELEMENTS_MAX = 5

/** Reads the path after /tile/; returns null if it is not a tile, or not in canonical form. */
export function readTilePath(path: string): TilePath | null {
  const [, entries, level, index = '', width] = PATH.exec(path) ?? []
  const elements = index.split('/')
  const number = Number(elements.join('').replaceAll('x', ''))
  if (index === '' || elements.length > INDEX_ELEMENTS_MAX || indexPath(number) !== index || Number(width ?? 1) >= TILE_WIDTH) return null
  return { kind: entries ? 'entries' : 'hashes', level: Number(level ?? 0), index: number, width: Number(width ?? TILE_WIDTH) }
}

/** 1234067 is x001/x234/067. */
function indexPath(index: number): string {
  const digits = String(index)
  const elements = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? []
  return elements.map((element, at) => (at < elements.length - 1 ? `x${element}` : element)).join('/')
}

/** Returns entries as a bundle: each after its length in two bytes, high byte first. */
export function entryBundle(entries: readonly Buffer[]): Buffer {
  const parts: Buffer[] = []
  for (const entry of entries) {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(entry.length)
    parts.push(length, entry)
  }
  return Buffer.concat(parts)
}

/** Returns the partial tiles at the right edge of a tree, which grow with the next entries. */
export function growingTiles(size: number): TilePlace[] {
  const places: TilePlace[] = []
  for (let level = 0, hashes = size; hashes > 0; level++, hashes = Math.floor(hashes / TILE_WIDTH)) {
    if (hashes % TILE_WIDTH > 0) places.push({ level, index: Math.floor(hashes / TILE_WIDTH) })
  }
  return places
}

/**
 * Adds entries to a tree.
 * @param growing the tiles of `growingTiles(size)`
 * @returns every tile that is new or longer
 */
export function grow(size: number, growing: Tiles, entries: readonly Buffer[]): Tile[] {
  const changed = new Map<string, Tile>()
  let added: Buffer[] = entries.map(leafHash)
  for (let level = 0, first = size; added.length > 0; level++, first = Math.floor(first / TILE_WIDTH)) {
    const full: Buffer[] = []
    for (const [at, hash] of added.entries()) {
      const place = { level, index: Math.floor((first + at) / TILE_WIDTH) }
      const key = tileKey(place)
      const hashes = Buffer.concat([changed.get(key)?.hashes ?? growing.get(key) ?? Buffer.alloc(0), hash])
      if (hashes.length !== (((first + at) % TILE_WIDTH) + 1) * HASH_BYTES)
        throw new Error(`tile ${key} does not have the hashes of a tree of ${size}`)
      changed.set(key, { ...place, hashes })
      if (hashes.length === TILE_WIDTH * HASH_BYTES) full.push(subtreeHash(hashes))
    }
    added = full
  }
  return [...changed.values()]
}

/** Returns the tiles with the hashes of the given ranges. */
export function tilesOf(ranges: readonly LeafRange[]): TilePlace[] {
  const places = ranges.flatMap(subtreesOf).map(placeOf)
  return [...new Map(places.map((place) => [tileKey(place), place])).values()]
}

/**
 * Returns the hash of a range of leaves.
 * @throws Error if a tile is missing or too short
 */
export function rangeHash(tiles: Tiles, range: LeafRange): Buffer {
  return joinSubtrees(
    subtreesOf(range).map((subtree) => {
      const hashes = tiles.get(tileKey(placeOf(subtree)))
      const { from, count } = insideTile(subtree)
      const part = hashes?.subarray(from * HASH_BYTES, (from + count) * HASH_BYTES)
      if (part?.length !== count * HASH_BYTES) throw new Error(`tile ${tileKey(placeOf(subtree))} has fewer than ${from + count} hashes`)
      return subtreeHash(part)
    }),
  )
}

/** Returns the tile with the hashes of a subtree's parts. */
function placeOf({ level, index }: Subtree): TilePlace {
  const tile_level = Math.floor(level / TILE_HEIGHT)
  return { level: tile_level, index: Math.floor((index * 2 ** (level % TILE_HEIGHT)) / TILE_WIDTH) }
}

function insideTile({ level, index }: Subtree): { from: number; count: number } {
  const count = 2 ** (level % TILE_HEIGHT)
  return { from: (index * count) % TILE_WIDTH, count }
}

/** Returns the root over adjacent hashes, whose number is a power of two. */
function subtreeHash(hashes: Buffer): Buffer {
  let row: Buffer[] = Array.from({ length: hashes.length / HASH_BYTES }, (_, at) => hashes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES))
  while (row.length > 1) row = Array.from({ length: row.length / 2 }, (_, at) => nodeHash(present(row[2 * at]), present(row[2 * at + 1])))
  return present(row[0])
}
