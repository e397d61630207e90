import type { NearbyRecord } from '#domain/archive/record.ts'
import type { Relevance } from '#domain/closed-sets.ts'

/** Miles: a record this near is evidence for the address itself. */
export const PRIMARY_MILES = 3
/** Miles: a record this near is evidence for the neighbourhood. */
export const SECONDARY_MILES = 10

/** Returns how near a record is, by its unrounded distance. A county or zone record is context, wherever its border runs. */
export function relevanceOf({ distance_miles }: Pick<NearbyRecord, 'distance_miles'>): Relevance {
  if (distance_miles === null || distance_miles > SECONDARY_MILES) return 'context'
  return distance_miles <= PRIMARY_MILES ? 'primary' : 'secondary'
}
