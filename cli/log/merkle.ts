import { createHash } from 'node:crypto'

/** Bytes of every hash. */
export const HASH_BYTES = 32

/** RFC 6962, 2.1: a leaf starts with 0, a node with 1. */
export const leafHash = (entry: Buffer) =>
  createHash('sha256')
    .update(Buffer.from([0]))
    .update(entry)
    .digest()

/** The hash of a node: SHA-256 over 1 and the hashes of both children (RFC 6962, 2.1). */
export const nodeHash = (left: Buffer, right: Buffer) =>
  createHash('sha256')
    .update(Buffer.from([1]))
    .update(left)
    .update(right)
    .digest()

/** The leaves to the left of a tree's root: the largest power of two below its size. */
export const splitOf = (size: number) => 2 ** (Math.ceil(Math.log2(size)) - 1)

/**
 * Computes the root of a tree from a leaf and its inclusion proof (RFC 6962, 2.1.1, read from the root down).
 * @returns null if the proof has the wrong length for this position of the tree
 */
export function rootOver(leaf: Buffer, index: number, size: number, proof: readonly Buffer[]): Buffer | null {
  if (size === 1) return proof.length === 0 ? leaf : null
  const sibling = proof.at(-1)
  if (!sibling) return null
  const middle = splitOf(size)
  const below =
    index < middle ? rootOver(leaf, index, middle, proof.slice(0, -1)) : rootOver(leaf, index - middle, size - middle, proof.slice(0, -1))
  if (!below) return null
  return index < middle ? nodeHash(below, sibling) : nodeHash(sibling, below)
}

/** A tree: size and root. */
export interface Tree {
  size: number
  root: Buffer
}

/** Whether a proof shows that `tree` has all leaves of `old` at the same positions (RFC 6962, 2.1.2, read from the root down). */
export function provesConsistency(old: Tree, tree: Tree, proof: readonly Buffer[]): boolean {
  if (old.size === 0 || old.size === tree.size) return proof.length === 0 && (old.size === 0 || old.root.equals(tree.root))
  if (old.size > tree.size) return false
  const roots = bothRoots(old.size, tree.size, proof, old.root)
  return (roots?.old.equals(old.root) && roots.tree.equals(tree.root)) ?? false
}

/** @param oldRoot the old tree's root, while the current part is the whole old tree */
function bothRoots(old: number, size: number, proof: readonly Buffer[], oldRoot: Buffer | null): { old: Buffer; tree: Buffer } | null {
  if (old === size) {
    const [hash = oldRoot, ...more] = oldRoot ? [oldRoot, ...proof] : proof
    return hash && more.length === 0 ? { old: hash, tree: hash } : null
  }
  const sibling = proof.at(-1)
  if (!sibling) return null
  const middle = splitOf(size)
  const rest = proof.slice(0, -1)
  if (old <= middle) {
    const left = bothRoots(old, middle, rest, oldRoot)
    return left && { old: left.old, tree: nodeHash(left.tree, sibling) }
  }
  const right = bothRoots(old - middle, size - middle, rest, null)
  return right && { old: nodeHash(sibling, right.old), tree: nodeHash(sibling, right.tree) }
}
