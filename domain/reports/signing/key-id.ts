import { createHash, type KeyObject } from 'node:crypto'

const KEY_ID_DIGITS = 16

/** Returns the id of a public key on documents and in the published list: the first 16 hex digits of the SHA-256 of its SPKI form. */
export function keyIdOf(public_key: KeyObject): string {
  const spki = public_key.export({ format: 'der', type: 'spki' })
  return createHash('sha256').update(spki).digest('hex').slice(0, KEY_ID_DIGITS)
}
