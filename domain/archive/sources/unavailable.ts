import { Refusal } from '#domain/kernel/refusal.ts'

/** Seconds to wait before requesting from an agency again. */
const RETRY_AFTER = 60

/** Returns the refusal for something an agency cannot supply now, with the reason as a sentence. */
export function unavailable(sentence: string): Refusal {
  return new Refusal('engine_unavailable', sentence, { retry_after: RETRY_AFTER })
}

/** The same for a source as a whole. @param why without the full stop */
export function unreachable({ label }: { label: string }, why: string): Refusal {
  return unavailable(`${label} cannot be reached: ${why}.`)
}
