/** That a fingerprint is in the log: proved to whoever knows the log's key. Bytes are base64. */
export interface Inclusion {
  /** The place of its entry. */
  index: number
  /** From the leaf's sibling to the root's child. */
  inclusion_proof: string[]
  /** A signed note, as served. */
  checkpoint: string
  /** What the entry is made of beside the fingerprint. */
  salt: string
  /** TimeStampToken of the checkpoint (RFC 3161); null where no authority stamped it. */
  timestamp: string | null
}

/** The proof as one text (c2sp.org/tlog-proof); what it calls extra data is the entry's salt. */
export function inclusionText({ index, inclusion_proof, checkpoint, salt }: Inclusion): string {
  return `${['c2sp.org/tlog-proof@v1', `extra ${salt}`, `index ${index}`, ...inclusion_proof].join('\n')}\n\n${checkpoint}`
}
