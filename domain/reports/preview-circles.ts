import { Refusal } from '#domain/kernel/refusal.ts'

/** The most narrower circles that one preview searches: each costs a search. */
export const NARROWER_MAX = 2

/**
 * Provides the circles within a preview's own. Each needs its own search: the largest radar estimate within ten miles does not give the
 * largest within one. A radius as wide as the preview's or wider returns the preview's own circle.
 * @param search searches a narrower circle
 * @returns a function that returns the summary for a radius; it throws Refusal validation_failed for a third narrower circle
 */
export function circlesWithin<Summary>(
  radius_miles: number,
  fullSummary: Summary,
  search: (radius_miles: number) => Promise<Summary>,
): (miles: number) => Promise<Summary & { radius_miles: number }> {
  const summaries = new Map<number, Promise<Summary>>()
  return async (miles) => {
    if (!(miles > 0)) throw refusal('The miles must be more than 0.')
    if (miles >= radius_miles) return { radius_miles, ...fullSummary }
    const cached = summaries.get(miles)
    if (!cached && summaries.size === NARROWER_MAX) throw refusal(`A preview searches at most ${NARROWER_MAX} narrower circles.`)
    const summary = cached ?? search(miles)
    summaries.set(miles, summary)
    return { radius_miles: miles, ...(await summary) }
  }
}

const refusal = (sentence: string) => new Refusal('validation_failed', sentence, { errors: { miles: [sentence] } })
