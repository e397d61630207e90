import { hash, randomBytes } from 'node:crypto'

/** 256 random bits for a cookie or a link. */
export function drawSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** SHA-256, hex: what is kept of a secret. It is random, so no slow hash is needed. */
export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}
