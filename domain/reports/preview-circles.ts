import { Refusal } from '#domain/kernel/refusal.ts'

/** Circles narrower than its own that one preview searches: each costs a search. */
export const NARROWER_MAX = 2

/**
 * Circles within that of a preview, each searched for itself: the largest that radar estimated within ten miles says nothing of the
 * largest within one. A wider one than the preview's is the preview's.
 * @param search searches a narrower circle
 * @returns what answers for a radius; it throws Refusal validation_failed for a third narrower circle
 */
export function circlesWithin<Summary>(
  radius_miles: number,
  whole: Summary,
  search: (radius_miles: number) => Promise<Summary>,
): (miles: number) => Promise<Summary & { radius_miles: number }> {
  const searched = new Map<number, Promise<Summary>>()
  return async (miles) => {
    if (!(miles > 0)) throw refusal('The miles must be more than 0.')
    if (miles >= radius_miles) return { radius_miles, ...whole }
    const known = searched.get(miles)
    if (!known && searched.size === NARROWER_MAX) throw refusal(`A preview searches ${NARROWER_MAX} narrower circles at most.`)
    const summary = known ?? search(miles)
    searched.set(miles, summary)
    return { radius_miles: miles, ...(await summary) }
  }
}

const refusal = (sentence: string) => new Refusal('validation_failed', sentence, { errors: { miles: [sentence] } })
