import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import { keyIdOf } from '#domain/reports/signing/key-id.ts'

export interface Signature {
  /** Identifies the key in the published list. */
  key_id: string
  /** Base64url, over the fingerprint's 64 characters. */
  ed25519: string
}

/** Signs a fingerprint with the install's Ed25519 key. */
export function signFingerprint(signing_key: KeyObject, fingerprint: string): Signature {
  return {
    key_id: keyIdOf(createPublicKey(signing_key)),
    ed25519: sign(null, Buffer.from(fingerprint, 'utf8'), signing_key).toString('base64url'),
  }
}
