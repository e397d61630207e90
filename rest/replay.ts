import { checkKey, type IdempotentRequest } from '#domain/access/idempotency.ts'

/**
 * What an Idempotency-Key makes of a request; null where none was sent.
 * @throws Refusal validation_failed for a key that is no key
 */
export function idempotentRequest(
  header: string | string[] | undefined,
  request: Omit<IdempotentRequest, 'key'>,
): IdempotentRequest | null {
  return header === undefined ? null : { key: checkKey(String(header)), ...request }
}
