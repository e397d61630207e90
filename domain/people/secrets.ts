import { hash, randomBytes } from 'node:crypto'

/** Returns 256 random bits for a cookie or a link. */
export function drawSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the SHA-256 of a secret, hex, which is stored instead of it. A secret is random, so no slow hash is needed. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}
