import { createHmac, randomBytes } from 'node:crypto'

export const SIGNATURE_HEADER = 'X-Service-Signature'
export const SIGNATURE_ALGORITHM = 'HMAC-SHA256 over "<timestamp>.<raw body>", hex, sent as t=<unix_seconds>,v1=<hex>'
/** Receivers reject a timestamp that is further than this from now, in either direction. */
export const TOLERANCE_SECONDS = 300

const PREFIX = 'whsec_'
/** A multiple of three, so that base64 needs no padding: 44 characters. */
const SECRET_BYTES = 33
/** Letters and digits only: every base64 decoder reads them alike, and a double click selects all of them. */
const PLAIN = /^[A-Za-z0-9]{44}$/

/** Returns `whsec_` and 44 letters and digits, about 258 bits, in the form that Standard Webhooks libraries accept. */
export function newSigningSecret(): string {
  for (;;) {
    const text = randomBytes(SECRET_BYTES).toString('base64')
    if (PLAIN.test(text)) return PREFIX + text
  }
}

/** Returns the headers with both signatures of a post, over the same bytes at the same moment. */
export function signatureHeaders(secret: string, delivery_id: string, body: string, at: Date): Record<string, string> {
  const seconds = Math.floor(at.getTime() / 1000)
  return {
    [SIGNATURE_HEADER]: sign(secret, body, at),
    'webhook-id': delivery_id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signStandard(secret, `${delivery_id}.${seconds}.${body}`),
  }
}

/** Returns the header value for these exact bytes: `t=<unix_seconds>,v1=<hex>`, keyed with the whole secret, prefix included. */
export function sign(secret: string, body: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000)
  return `t=${seconds},v1=${digest(secret, seconds, body)}`
}

function digest(secret: string, seconds: number, body: string): string {
  return createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
}

/**
 * Standard Webhooks (standardwebhooks.com): keyed with the decoded bytes. Older secrets are base64url of 32 bytes, which Node
 * also decodes; the libraries reject such a secret until it is rotated.
 */
function signStandard(secret: string, signed: string): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}
