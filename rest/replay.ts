import { checkKey, type IdempotentRequest } from '#domain/access/idempotency.ts'

/**
 * Returns the idempotent request for an Idempotency-Key; null if none was sent.
 * @throws Refusal validation_failed for an invalid key
 */
export function idempotentRequest(
  header: string | string[] | undefined,
  request: Omit<IdempotentRequest, 'key'>,
): IdempotentRequest | null {
  return header === undefined ? null : { key: checkKey(String(header)), ...request }
}
