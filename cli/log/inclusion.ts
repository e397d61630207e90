import { createHash } from 'node:crypto'
import { type Checkpoint, hashFrom, readCheckpoint } from './checkpoint.ts'
import { leafHash, rootOver } from './merkle.ts'

/** A proof that an entry is in a log (c2sp.org/tlog-proof). */
export interface Inclusion {
  index: number
  proof: Buffer[]
  checkpoint: Checkpoint
  salt: Buffer
}

/** @throws Error if the text is not such a proof */
export function readInclusion(text: string): Inclusion {
  const [, salt = '', index, hashes = '', note = ''] =
    /^c2sp\.org\/tlog-proof@v1\nextra ([A-Za-z0-9+/]{43}=)\nindex (0|[1-9]\d{0,12})\n((?:[A-Za-z0-9+/]{43}=\n){0,64})\n([\s\S]+)$/.exec(
      text,
    ) ?? []
  if (index === undefined) throw new Error('it is not an inclusion proof of a log')
  const proof = hashes.split('\n').slice(0, -1).map(hashFrom)
  return { index: Number(index), proof, checkpoint: readCheckpoint(note), salt: hashFrom(salt) }
}

/** Whether a proof is for this fingerprint: the root computed from its entry must be that of the checkpoint. */
export function includes({ index, proof, checkpoint, salt }: Inclusion, fingerprint: string): boolean {
  if (index >= checkpoint.size) return false
  const entry = createHash('sha256').update(ENTRY_FORM, 'utf8').update(salt).update(Buffer.from(fingerprint, 'hex')).digest()
  return rootOver(leafHash(entry), index, checkpoint.size, proof)?.equals(checkpoint.root) ?? false
}

/** Prefix of the hashed entry, followed by salt and fingerprint. */
const ENTRY_FORM = 'weather-report-log/1\n'
