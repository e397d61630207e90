import type { IdempotentRequest } from '#domain/idempotency.ts'
import { refuseField } from '#domain/check.ts'

/** Visible ASCII: a key that survives every proxy and log unchanged. */
const KEY = /^[\x21-\x7e]{1,255}$/

/**
 * What an Idempotency-Key makes of a request; null where none was sent.
 * @throws Refusal validation_failed for a key that is no key
 */
export function idempotentRequest(header: string | string[] | undefined, request: Omit<IdempotentRequest, 'key'>): IdempotentRequest | null {
  if (header === undefined) return null
  const key = String(header)
  if (!KEY.test(key)) refuseField('idempotency_key', 'The Idempotency-Key must be 1 to 255 visible ASCII characters.')
  return { key, ...request }
}
