import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Config } from '#domain/kernel/config.ts'

/** How long a link to a document works. */
export const LINK_MINUTES = 15

/** Who a link lets in: the report whose document it is, and until when. */
export interface LinkClaim {
  report_id: string
  expires_at: Date
}

/** 16 bytes of report id, 6 of the expiry in milliseconds, then the signature. */
const ID_BYTES = 16
const EXPIRY_BYTES = 6
const CLAIM_BYTES = ID_BYTES + EXPIRY_BYTES
const DIGEST_BYTES = 32

/** A token that names a report and a time, and that only this install can make. */
export function signLink(config: Pick<Config, 'secret_keys'>, { report_id, expires_at }: LinkClaim): string {
  const claim = Buffer.alloc(CLAIM_BYTES)
  Buffer.from(report_id.replaceAll('-', ''), 'hex').copy(claim)
  claim.writeUIntBE(expires_at.getTime(), ID_BYTES, EXPIRY_BYTES)
  return signClaim(config, 'weather document link', claim)
}

/** What a token says, whether it has expired or not; null for one that no secret key of this install signed. */
export function readLink(config: Pick<Config, 'secret_keys'>, token: string): LinkClaim | null {
  const claim = readClaim(config, 'weather document link', token, CLAIM_BYTES)
  return claim && { report_id: uuidOf(claim), expires_at: new Date(claim.readUIntBE(ID_BYTES, EXPIRY_BYTES)) }
}

/** The id that a claim begins with. */
export function uuidOf(claim: Buffer): string {
  const hex = claim.toString('hex', 0, ID_BYTES)
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}

/** What a signed claim is for: one of another purpose is none. */
type Purpose = 'weather document link' | 'weather alert stop link'

/** The claim with its signature, by the first of the secret keys. */
export function signClaim({ secret_keys }: Pick<Config, 'secret_keys'>, purpose: Purpose, claim: Buffer): string {
  return Buffer.concat([claim, digest(secret_keys[0].bytes, purpose, claim)]).toString('base64url')
}

/** The claim of a token, of so many bytes; null for one that no secret key of this install signed for the purpose. */
export function readClaim({ secret_keys }: Pick<Config, 'secret_keys'>, purpose: Purpose, token: string, length: number): Buffer | null {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== length + DIGEST_BYTES || bytes.toString('base64url') !== token) return null
  const claim = bytes.subarray(0, length)
  const signature = bytes.subarray(length)
  return secret_keys.some((key) => timingSafeEqual(signature, digest(key.bytes, purpose, claim))) ? claim : null
}

/** A key of its own, derived from the install's: nothing that signs posts or seals addresses can make a link. */
function digest(secret_key: Buffer, purpose: Purpose, claim: Buffer): Buffer {
  const key = Buffer.from(hkdfSync('sha256', secret_key, Buffer.alloc(0), purpose, DIGEST_BYTES))
  return createHmac('sha256', key).update(claim).digest()
}
