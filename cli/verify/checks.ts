import type { Inclusion } from '../log/inclusion.ts'
import type { FingerprintSignature } from './keys.ts'

/** One thing that was compared. */
export interface Check {
  what: 'evidence' | 'fingerprint' | 'pages' | 'records' | 'signature' | 'log' | 'timestamp' | 'witness' | 'service' | 'source'
  /** not_compared: there was nothing to compare it with. */
  outcome: 'agrees' | 'differs' | 'not_compared'
  /** Whether it was compared with something that did not come with the file. */
  outside: boolean
  detail: string
}

/** What a file claims, as far as it matters outside it. */
export interface Claims {
  fingerprint: string
  /** Of the fingerprint, by an Ed25519 key. */
  fingerprint_signature: FingerprintSignature | null
  /** That it is in the log of the service. */
  inclusion: Inclusion | null
  /** The key that signed the whole file. */
  document_key_id: string | null
  /** The address of the service that its pages name. */
  service: string | null
}

/** Makes the checks of one kind: of the file with itself, or with what is outside it. */
export function checksOf({ outside }: Pick<Check, 'outside'>) {
  const check =
    (outcome: Check['outcome']) =>
    (what: Check['what'], detail: string): Check => ({ what, outcome, outside, detail })
  return { agrees: check('agrees'), differs: check('differs'), notCompared: check('not_compared') }
}
