import type { FailureReason } from '#domain/closed-sets.ts'
import { locationFailureTexts } from '#domain/places/location.ts'

/** The sentence for each failure code. */
export const failureSentences: Record<FailureReason, string> = {
  ...locationFailureTexts,
  sources_unavailable: 'The archive did not answer.',
  timed_out: 'The report was not finished in time.',
  internal_error: 'The report could not be compiled.',
}
