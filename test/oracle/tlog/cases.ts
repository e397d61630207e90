import { createHash } from 'node:crypto'
import { seededRandom } from '#test/support/random.ts'

/** A tree, one of its leaves, and an earlier tree that it grew out of. */
export interface TreeCase {
  size: number
  index: number
  old: number
}

/** The proofs of a case, hashes in base64. */
export interface TreeProofs extends TreeCase {
  root: string
  old_root: string
  inclusion: string[]
  consistency: string[]
}

/** Every size up to the first two full tiles, the sizes around full tiles of both levels, and random ones: 1000 in all. */
export function treeCases(): TreeCase[] {
  const random = seededRandom(6962)
  const below = (limit: number) => Math.floor(random() * limit)
  const edges = [768, 1024, 4096, 32_768, 65_536, 66_048].flatMap((edge) => [edge - 1, edge, edge + 1])
  const sizes = new Set([...Array.from({ length: 514 }, (_, at) => at + 1), ...edges])
  while (sizes.size < 1000) sizes.add(515 + below(69_485))
  return [...sizes].sort((one, other) => one - other).map((size) => ({ size, index: below(size), old: 1 + below(size) }))
}

/** One stored line for a case: proofs are long, and a hash distinguishes them as well. */
export function proofLine({ size, index, old, root, inclusion, consistency }: TreeProofs): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([root, inclusion, consistency]))
    .digest('base64url')
  return `${size} ${index} ${old} ${digest}`
}
