import { Refusal } from '#domain/kernel/refusal.ts'
import { isUuid } from '#domain/kernel/validation.ts'

/**
 * Returns the id as stored, in lower case, if it is well-formed.
 * @throws Refusal not_found: no record has a malformed id
 */
export function requireId(noun: string, id: string): string {
  if (isUuid(id)) return id.toLowerCase()
  throw new Refusal('not_found', `There is no ${noun} with this id.`)
}
