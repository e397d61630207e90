import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

export const SIGNATURE_HEADER = 'X-Service-Signature'
export const SIGNATURE_ALGORITHM = 'HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>'
/** Receivers refuse a timestamp further than this from now, either way. */
export const TOLERANCE_SECONDS = 300

/** 32 bytes of randomness: as long as the digest, so that guessing the key is no easier than guessing the signature. */
const SECRET_BYTES = 32

export function newSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64url')}`
}

/** The header's value for these exact bytes: `t=<unix_seconds>,v1=<hex>`, keyed with the whole secret, prefix included. */
export function sign(secret: string, body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000)
  return `t=${seconds},v1=${digest(secret, seconds, body)}`
}

/** Whether a header signs these bytes with this secret, at a time within the tolerance of `now`. One t and one v1, no more. */
export function verify(secret: string, header: string, body: string, now: Date): boolean {
  const [, seconds, signature] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? []
  if (!seconds || !signature) return false
  if (Math.abs(now.getTime() / 1000 - Number(seconds)) > TOLERANCE_SECONDS) return false
  return timingSafeEqual(Buffer.from(signature, 'hex'), Buffer.from(digest(secret, Number(seconds), body), 'hex'))
}

function digest(secret: string, seconds: number, body: string): string {
  return createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
}
