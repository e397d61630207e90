import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Config } from '#domain/kernel/config.ts'

/** Lifetime of a document link. */
export const LINK_MINUTES = 15

/** The claim of a link: the report whose document it opens, and its expiry. */
export interface LinkClaim {
  report_id: string
  expires_at: Date
}

/** Layout: 16 bytes of report id, 6 bytes of expiry in milliseconds, then the signature. */
const ID_BYTES = 16
const EXPIRY_BYTES = 6
const CLAIM_BYTES = ID_BYTES + EXPIRY_BYTES
const DIGEST_BYTES = 32

/** Returns a token for a report and an expiry that only this install can create. */
export function signLink(config: Pick<Config, 'secret_keys'>, { report_id, expires_at }: LinkClaim): string {
  const claim = Buffer.alloc(CLAIM_BYTES)
  Buffer.from(report_id.replaceAll('-', ''), 'hex').copy(claim)
  claim.writeUIntBE(expires_at.getTime(), ID_BYTES, EXPIRY_BYTES)
  return signClaim(config, 'weather document link', claim)
}

/** Returns a token's claim, expired or not; null if no secret key of this install signed it. */
export function readLink(config: Pick<Config, 'secret_keys'>, token: string): LinkClaim | null {
  const claim = readClaim(config, 'weather document link', token, CLAIM_BYTES)
  return claim && { report_id: uuidOf(claim), expires_at: new Date(claim.readUIntBE(ID_BYTES, EXPIRY_BYTES)) }
}

/** Returns the UUID at the start of a claim. */
export function uuidOf(claim: Buffer): string {
  const hex = claim.toString('hex', 0, ID_BYTES)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** Purpose of a signed claim: a claim is invalid for any other purpose. */
type Purpose = 'weather document link' | 'weather alert stop link'

/** Returns the claim with its signature by the first secret key. */
export function signClaim({ secret_keys }: Pick<Config, 'secret_keys'>, purpose: Purpose, claim: Buffer): string {
  return Buffer.concat([claim, digest(secret_keys[0].bytes, purpose, claim)]).toString('base64url')
}

/** Returns a token's claim of `length` bytes; null if no secret key of this install signed it for the purpose. */
export function readClaim({ secret_keys }: Pick<Config, 'secret_keys'>, purpose: Purpose, token: string, length: number): Buffer | null {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== length + DIGEST_BYTES || bytes.toString('base64url') !== token) return null
  const claim = bytes.subarray(0, length)
  const signature = bytes.subarray(length)
  return secret_keys.some((key) => timingSafeEqual(signature, digest(key.bytes, purpose, claim))) ? claim : null
}

/** Signs with a separate key, derived from the install's: code that signs posts or seals URLs cannot create a link. */
function digest(secret_key: Buffer, purpose: Purpose, claim: Buffer): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret_key, Buffer.alloc(0), purpose, DIGEST_BYTES))
  return createHmac('sha256', key).update(claim).digest()
}
