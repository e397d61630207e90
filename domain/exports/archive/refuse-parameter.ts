import { Refusal } from '#domain/kernel/refusal.ts'

/** Refuses a query parameter as OGC API Features asks for: 400, which names it. */
export function refuseParameter(name: string, sentence: string): never {
  throw new Refusal('malformed_request', sentence, { errors: { [name]: [sentence] } })
}
