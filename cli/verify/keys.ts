import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto'
import { type ExitStatus, exits, failure } from '../failure.ts'

/** A published key of a service. */
export interface PublishedKey {
  id: string
  key: KeyObject
  /** fingerprint, document or log; null if the list does not state it. */
  purpose: string | null
  is_retired: boolean
}

/**
 * Reads a list of public keys (JSON Web Key Set, RFC 7517).
 * @param from where it came from, for messages
 * @param exit_status of the failure: usage if the user named the list
 * @throws Failure if it is not such a list
 */
export function readKeys(text: string, from: string, exit_status: ExitStatus = exits.usage): PublishedKey[] {
  try {
    const { keys } = JSON.parse(text) as {
      keys: (Record<string, unknown> & { kid?: string; purpose?: string; retired_at?: string | null })[]
    }
    return keys.map((jwk) => {
      const key = createPublicKey({ key: jwk, format: 'jwk' })
      return { id: keyIdOf(key), key, purpose: jwk.purpose ?? null, is_retired: typeof jwk.retired_at === 'string' }
    })
  } catch {
    throw failure(exit_status, `${from} is not a list of public keys (JSON Web Key Set).`)
  }
}

/** Returns the key id that documents print: the first 16 hex digits of the SHA-256 of the public key (SPKI, DER). */
export function keyIdOf(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('hex')
    .slice(0, 16)
}

/** A signature of the fingerprint by an Ed25519 key, from a document's keywords. */
export interface FingerprintSignature {
  key_id: string
  ed25519: string
}

/** The signature of the fingerprint that a document's keywords name; null if they name none. */
export function fingerprintSignatureIn(keywords: string): FingerprintSignature | null {
  const [, ed25519, key_id] = /\bed25519:([\w-]+) key:([0-9a-f]{16})\b/.exec(keywords) ?? []
  return ed25519 && key_id ? { ed25519, key_id } : null
}

/** Whether a published key signed this fingerprint (Ed25519 over its 64 hex digits). */
export function signsFingerprint({ key }: PublishedKey, { ed25519 }: FingerprintSignature, fingerprint: string): boolean {
  return key.asymmetricKeyType === 'ed25519' && verify(null, Buffer.from(fingerprint, 'utf8'), key, Buffer.from(ed25519, 'base64url'))
}
