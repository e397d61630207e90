import type { NearbyRecord } from '#domain/archive/record.ts'
import type { Relevance } from '#domain/closed-sets.ts'

/** Miles: within it a record speaks for the address itself. */
export const PRIMARY_MILES = 3
/** Miles: within it a record speaks for the neighbourhood. */
export const SECONDARY_MILES = 10

/** How near a record is, by its unrounded distance. What names a county or a zone is context, wherever its border runs. */
export function relevanceOf({ distance_miles }: Pick<NearbyRecord, 'distance_miles'>): Relevance {
  if (distance_miles === null || distance_miles > SECONDARY_MILES) return 'context'
  return distance_miles <= PRIMARY_MILES ? 'primary' : 'secondary'
}
