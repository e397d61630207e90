import type { KeyObject } from 'node:crypto'
import type { Inclusion } from '../log/inclusion.ts'
import type { FingerprintSignature } from './keys.ts'

/** The result of one comparison. */
export interface Check {
  what: 'evidence' | 'fingerprint' | 'pages' | 'records' | 'signature' | 'log' | 'timestamp' | 'witness' | 'service' | 'source'
  /** not_compared: there was nothing to compare with. */
  outcome: 'agrees' | 'differs' | 'not_compared'
  /** Whether it was compared with something outside the file. */
  outside: boolean
  detail: string
}

/** Claims of a file that can be checked outside it. */
export interface Claims {
  fingerprint: string
  /** Of the fingerprint, by an Ed25519 key. */
  fingerprint_signature: FingerprintSignature | null
  /** Proof that the fingerprint is in the log of the service. */
  inclusion: Inclusion | null
  /** The key that signed the whole file: all of it, because another key can be made to have the same short id. */
  document_key: KeyObject | null
  /** The address of the service that its pages name. */
  service: string | null
}

/** Creates checks of one kind: within the file, or against something outside it. */
export function checksOf({ outside }: Pick<Check, 'outside'>) {
  const check =
    (outcome: Check['outcome']) =>
    (what: Check['what'], detail: string): Check => ({ what, outcome, outside, detail })
  return { agrees: check('agrees'), differs: check('differs'), notCompared: check('not_compared') }
}
