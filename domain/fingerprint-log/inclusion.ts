/** A proof that a fingerprint is in the log, for anyone who knows the log's key. Bytes are base64. */
export interface Inclusion {
  /** The index of its entry. */
  index: number
  /** From the leaf's sibling to the root's child. */
  inclusion_proof: string[]
  /** A signed note, as served. */
  checkpoint: string
  /** The salt that the entry is computed from, with the fingerprint. */
  salt: string
  /** TimeStampToken of the checkpoint (RFC 3161); null if no authority stamped it. */
  timestamp: string | null
}

/** Returns the proof as one text (c2sp.org/tlog-proof), with the entry's salt as its extra data. */
export function inclusionText({ index, inclusion_proof, checkpoint, salt }: Inclusion): string {
  return `${['c2sp.org/tlog-proof@v1', `extra ${salt}`, `index ${index}`, ...inclusion_proof].join('\n')}\n\n${checkpoint}`
}
