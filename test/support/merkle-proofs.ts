import { createHash } from 'node:crypto'
import { HASH_BYTES, nodeHash } from '#domain/fingerprint-log/merkle.ts'
import { present } from '#domain/kernel/present.ts'

/** The root of an empty tree (RFC 6962, 2.1). */
export const EMPTY_ROOT = createHash('sha256').digest()

/** Whether a leaf is at an index of the tree with this root (RFC 9162, 2.1.3.2). */
export function provesInclusion(leaf: Buffer, index: number, size: number, proof: readonly Buffer[], root: Buffer): boolean {
  if (!isLeafOf(index, size) || !areHashes([leaf, root, ...proof])) return false
  let [node, last, hash] = [index, size - 1, leaf]
  for (const sibling of proof) {
    if (last === 0) return false
    if (isRight(node) || node === last) {
      hash = nodeHash(sibling, hash)
      while (!isRight(node) && node !== 0) [node, last] = [half(node), half(last)]
    } else hash = nodeHash(hash, sibling)
    ;[node, last] = [half(node), half(last)]
  }
  return last === 0 && hash.equals(root)
}

/** Whether the tree with `root` contains all leaves of the tree with `old_root`, at the same indexes (RFC 9162, 2.1.4.2). */
export function provesConsistency(old_size: number, old_root: Buffer, size: number, root: Buffer, proof: readonly Buffer[]): boolean {
  if (old_size > size || !areHashes([old_root, root, ...proof])) return false
  if (old_size === size) return proof.length === 0 && old_root.equals(root)
  if (old_size === 0) return proof.length === 0 && old_root.equals(EMPTY_ROOT)
  const path = isPowerOfTwo(old_size) ? [old_root, ...proof] : proof
  if (path.length === 0) return false
  let [node, last] = [old_size - 1, size - 1]
  while (isRight(node)) [node, last] = [half(node), half(last)]
  let old_hash = present(path[0])
  let hash = old_hash
  for (const sibling of path.slice(1)) {
    if (last === 0) return false
    if (isRight(node) || node === last) {
      old_hash = nodeHash(sibling, old_hash)
      hash = nodeHash(sibling, hash)
      while (!isRight(node) && node !== 0) [node, last] = [half(node), half(last)]
    } else hash = nodeHash(hash, sibling)
    ;[node, last] = [half(node), half(last)]
  }
  return last === 0 && old_hash.equals(old_root) && hash.equals(root)
}

const isLeafOf = (index: number, size: number) => index >= 0 && index < size
const isRight = (node: number) => node % 2 === 1
const half = (node: number) => Math.floor(node / 2)
const isPowerOfTwo = (size: number) => Number.isInteger(Math.log2(size))
const areHashes = (values: readonly Buffer[]) => values.every(({ length }) => length === HASH_BYTES)
