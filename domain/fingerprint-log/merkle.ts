import { createHash } from 'node:crypto'

/** Bytes of a SHA-256. */
export const HASH_BYTES = 32

/** The leaves from `start` to before `end` of a tree. */
export interface LeafRange {
  start: number
  end: number
}

/** The 2^level leaves from index * 2^level on, all of them in the tree: its hash never changes. */
export interface Subtree {
  level: number
  index: number
}

/** RFC 6962, 2.1: the prefixes keep a leaf from being taken for a node. */
export const leafHash = (entry: Buffer) => createHash('sha256').update(LEAF).update(entry).digest()

export const nodeHash = (left: Buffer, right: Buffer) => createHash('sha256').update(NODE).update(left).update(right).digest()

const LEAF = Buffer.from([0])
const NODE = Buffer.from([1])

/** The hash of the tree without leaves. */
export const EMPTY_ROOT = createHash('sha256').digest()

/**
 * The ranges whose hashes prove that a leaf is in a tree, from the leaf's sibling up to the root's child (RFC 6962, 2.1.1: PATH).
 * @throws RangeError where the tree has no such leaf
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
 * The ranges whose hashes prove that a tree grew out of one of `old_size` leaves (RFC 6962, 2.1.2: PROOF). None for an empty tree, and for the
 * same one.
 * @throws RangeError where the old tree is the larger one
 */
export function consistencyRanges(old_size: number, size: number): LeafRange[] {
  if (!isCount(old_size) || !isCount(size) || old_size > size)
    throw new RangeError(`a tree of ${size} leaves grew out of none of ${old_size}`)
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
  // The old tree itself is known to whoever asks; a part of it is not.
  return (start === 0 ? path : [...path, { start, end }]).reverse()
}

/** The complete subtrees of a range that begins where one of its size may, from left to right, each smaller than the one before it. */
export function subtreesOf({ start, end }: LeafRange): Subtree[] {
  const parts: Subtree[] = []
  for (let at = start; at < end; ) {
    const level = Math.floor(Math.log2(end - at))
    parts.push({ level, index: at / 2 ** level })
    at += 2 ** level
  }
  return parts
}

/** The hash of a range from those of its subtrees. */
export function joinSubtrees(hashes: readonly Buffer[]): Buffer {
  return hashes.reduceRight((right, left) => nodeHash(left, right))
}

/** The leaves of the left child: the largest power of two below the size. Sizes go past 2^31, where bits of numbers end. */
const splitOf = (size: number) => 2 ** (Math.ceil(Math.log2(size)) - 1)

const isCount = (value: number) => Number.isSafeInteger(value) && value >= 0 && value <= LEAVES_MAX
/** Below it the logarithms above are exact; at a million reports a day, it is full in 2800 years. */
const LEAVES_MAX = 2 ** 40
