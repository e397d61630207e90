import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto'
import type { Config } from '#domain/config.ts'

export interface Signature {
  /** The first 16 hex digits of the SHA-256 of the public key (SPKI, DER). */
  key_id: string
  /** Base64url, over the fingerprint's 64 characters. */
  ed25519: string
}

/** Signs the fingerprint with the install's Ed25519 key (PEM or base64 of PKCS 8); null where it has none. */
export function signFingerprint({ signing_key }: Pick<Config, 'signing_key'>, fingerprint: string): Signature | null {
  if (!signing_key) return null
  const key = createPrivateKey(
    signing_key.includes('BEGIN') ? signing_key : { key: Buffer.from(signing_key, 'base64'), format: 'der', type: 'pkcs8' },
  )
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return {
    key_id: createHash('sha256').update(spki).digest('hex').slice(0, 16),
    ed25519: sign(null, Buffer.from(fingerprint, 'utf8'), key).toString('base64url'),
  }
}
