import { createHash } from 'node:crypto'

/** Bytes of a SHA-256. */
export const HASH_BYTES = 32

/** The leaves of a tree from `start` up to, but not including, `end`. */
export interface LeafRange {
  start: number
  end: number
}

/** The 2^level leaves starting at index * 2^level, all of them in the tree: the hash of such a subtree never changes. */
export interface Subtree {
  level: number
  index: number
}

/** RFC 6962, 2.1: the prefixes keep a leaf from being mistaken for a node. */
export const leafHash = (entry: Buffer) => createHash('sha256').update(LEAF).update(entry).digest()

/** The hash of a node: SHA-256 over 1 and the hashes of both children (RFC 6962, 2.1). */
export const nodeHash = (left: Buffer, right: Buffer) => createHash('sha256').update(NODE).update(left).update(right).digest()

const LEAF = Buffer.from([0])
const NODE = Buffer.from([1])

/**
 * Returns the ranges whose hashes prove that a leaf is in a tree, from the leaf's sibling up to the root's child (RFC 6962,
 * 2.1.1: PATH).
 * @throws RangeError if the tree has no such leaf
 */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  if (!isCount(index) || !isCount(size) || index >= size) throw new RangeError(`a tree of ${size} leaves has no leaf ${index}`)
  const path: LeafRange[] = []
  let [start, end] = [0, size]
  while (end - start > 1) {
    const middle = start + splitOf(end - start)
    if (index < middle) {
      path.push({ start: middle, end })
      end = middle
    } else {
      path.push({ start, end: middle })
      start = middle
    }
  }
  return path.reverse()
}

/**
 * Returns the ranges whose hashes prove that a tree grew from one of `old_size` leaves (RFC 6962, 2.1.2: PROOF). Empty for an
 * empty old tree, and for the same tree.
 * @throws RangeError if the old tree is larger
 */
export function consistencyRanges(old_size: number, size: number): LeafRange[] {
  if (!isCount(old_size) || !isCount(size) || old_size > size)
    throw new RangeError(`a tree of ${size} leaves cannot have grown from one of ${old_size}`)
  if (old_size === 0) return []
  const path: LeafRange[] = []
  let [start, end] = [0, size]
  while (end !== old_size) {
    const middle = start + splitOf(end - start)
    if (old_size <= middle) {
      path.push({ start: middle, end })
      end = middle
    } else {
      path.push({ start, end: middle })
      start = middle
    }
  }
  // The requester knows the old tree itself, but not a part of it.
  return (start === 0 ? path : [...path, { start, end }]).reverse()
}

/**
 * Returns the complete subtrees of a range, from left to right, each smaller than the previous one. The range must start where
 * a subtree of its size may start.
 */
export function subtreesOf({ start, end }: LeafRange): Subtree[] {
  const parts: Subtree[] = []
  for (let at = start; at < end; ) {
    const level = Math.floor(Math.log2(end - at))
    parts.push({ level, index: at / 2 ** level })
    at += 2 ** level
  }
  return parts
}

/** Returns the hash of a range from those of its subtrees. */
export function joinSubtrees(hashes: readonly Buffer[]): Buffer {
  return hashes.reduceRight((right, left) => nodeHash(left, right))
}

/**
 * Returns the number of leaves of the left child: the largest power of two below the size. Computed without bit operators,
 * because sizes exceed 2^31.
 */
const splitOf = (size: number) => 2 ** (Math.ceil(Math.log2(size)) - 1)

const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0 && value <= LEAVES_MAX
/** Below this the logarithms above are exact; at a million reports a day, the log is full in about 3000 years. */
const LEAVES_MAX = 2 ** 40
