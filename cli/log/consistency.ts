import { HASH_BYTES, nodeHash, provesConsistency, splitOf, type Tree } from './merkle.ts'

/** Reads the hashes of a tile (c2sp.org/tlog-tiles): as many as its width. */
export type ReadTile = (level: number, index: number, width: number) => Promise<Buffer>

const TILE_WIDTH = 256
const TILE_HEIGHT = 8

/**
 * Whether a log only grew from one tree to another: the hashes of the larger tree's tiles must give the roots of both.
 * @throws Failure of the tile reader
 */
export async function isConsistent(old: Tree, tree: Tree, read: ReadTile): Promise<boolean> {
  if (old.size === 0 || old.size >= tree.size) return provesConsistency(old, tree, [])
  const tiles = new Map<string, Promise<Buffer>>()
  const tile = (level: number, index: number) => {
    const key = `${level}/${index}`
    const width = Math.min(TILE_WIDTH, Math.floor(tree.size / TILE_WIDTH ** level) - index * TILE_WIDTH)
    const reading = tiles.get(key) ?? read(level, index, width)
    tiles.set(key, reading)
    return reading
  }
  const proof = await Promise.all(consistencyRanges(old.size, tree.size).map(([start, end]) => rangeHash(start, end, tile)))
  return provesConsistency(old, tree, proof)
}

type Range = [start: number, end: number]

/** The ranges of leaves whose hashes are the proof (RFC 6962, 2.1.2), the root's child last. */
function consistencyRanges(old: number, size: number): Range[] {
  const ranges: Range[] = []
  let [start, end] = [0, size]
  while (end !== old) {
    const middle = start + splitOf(end - start)
    ranges.unshift(old <= middle ? [middle, end] : [start, middle])
    if (old <= middle) end = middle
    else start = middle
  }
  return start === 0 ? ranges : [[start, end], ...ranges]
}

/** Splits a range as the tree is split. A range whose length is a power of two is in one tile, directly or as several hashes. */
async function rangeHash(start: number, end: number, tile: (level: number, index: number) => Promise<Buffer>): Promise<Buffer> {
  const height = Math.log2(end - start)
  if (!Number.isInteger(height)) {
    const middle = start + splitOf(end - start)
    return nodeHash(...(await Promise.all([rangeHash(start, middle, tile), rangeHash(middle, end, tile)])))
  }
  const level = Math.floor(height / TILE_HEIGHT)
  const first = start / TILE_WIDTH ** level
  const hashes = await tile(level, Math.floor(first / TILE_WIDTH))
  const from = (first % TILE_WIDTH) * HASH_BYTES
  return rootOf(hashes.subarray(from, from + 2 ** (height % TILE_HEIGHT) * HASH_BYTES))
}

function rootOf(hashes: Buffer): Buffer {
  if (hashes.length <= HASH_BYTES) return hashes
  const half = hashes.length / 2
  return nodeHash(rootOf(hashes.subarray(0, half)), rootOf(hashes.subarray(half)))
}
