import { Refusal } from '#domain/kernel/refusal.ts'
import { isUuid } from '#domain/kernel/validation.ts'

/**
 * The id of a record, fit to be asked for.
 * @throws Refusal not_found: a malformed id is the id of nothing
 */
export function recordId(noun: string, id: string): string {
  if (isUuid(id)) return id
  throw new Refusal('not_found', `There is no ${noun} with this id.`)
}
