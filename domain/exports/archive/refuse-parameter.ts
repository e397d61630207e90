import { Refusal } from '#domain/kernel/refusal.ts'

/** Refuses a query parameter as OGC API Features requires: with a 400 that names it. */
export function refuseParameter(name: string, sentence: string): never {
  throw new Refusal('malformed_request', sentence, { errors: { [name]: [sentence] } })
}
