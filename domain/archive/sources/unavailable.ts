import { Refusal } from '#domain/kernel/refusal.ts'

/** Seconds after which asking an agency again may help. */
const RETRY_AFTER = 60

/** The refusal of what an agency does not give now, in a sentence that says why. */
export function unavailable(sentence: string): Refusal {
  return new Refusal('engine_unavailable', sentence, { retry_after: RETRY_AFTER })
}

/** The same of a source as a whole. @param why without the full stop */
export function unreachable({ label }: { label: string }, why: string): Refusal {
  return unavailable(`${label} cannot be reached: ${why}.`)
}
