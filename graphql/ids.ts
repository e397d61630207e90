import { isUuid } from '#domain/check.ts'
import { Refusal } from '#domain/refusal.ts'

/**
 * The id of a record, fit to be asked for.
 * @throws Refusal not_found: a malformed id is the id of nothing
 */
export function recordId(noun: string, id: string): string {
  if (isUuid(id)) return id
  throw new Refusal('not_found', `There is no ${noun} with this id.`)
}
