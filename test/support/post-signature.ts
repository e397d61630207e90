import { createHmac } from 'node:crypto'
import { TOLERANCE_SECONDS } from '#domain/integrations/signature.ts'

/** The check that a receiver makes: whether a header signs these bytes with this secret, at a time within the tolerance of `now`. */
export function isSigned(secret: string, header: string, body: string, now: Date): boolean {
  const [, seconds, signature] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(header) ?? []
  if (!seconds || !signature) return false
  if (Math.abs(now.getTime() / 1000 - Number(seconds)) > TOLERANCE_SECONDS) return false
  return signature === createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')
}
