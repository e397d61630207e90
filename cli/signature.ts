import { createHmac, timingSafeEqual } from 'node:crypto'

/** A timestamp that differs more than this from now is refused. */
const TOLERANCE_SECONDS = 300

/** Whether an X-Service-Signature signs these bytes with this secret: `t=<unix_seconds>,v1=<hex>`, HMAC-SHA256 of `<t>.<body>`. */
export function isSigned(secret: string, header: string | undefined, body: Buffer, now: Date): boolean {
  const [, seconds, signature] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? []
  if (!seconds || !signature) return false
  if (Math.abs(now.getTime() / 1000 - Number(seconds)) > TOLERANCE_SECONDS) return false
  const expected = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest()
  return timingSafeEqual(expected, Buffer.from(signature, 'hex'))
}
