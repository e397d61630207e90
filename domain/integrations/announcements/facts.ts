import type { Fact } from '#domain/integrations/event-post.ts'

/** Exposures named in one post: more would not be read in a chat. */
const ROWS_MAX = 20

/** The pairs that have a value. */
export function factsOf(pairs: [string, string | null][]): Fact[] {
  return pairs.flatMap(([label, value]) => (value ? [{ label, value }] : []))
}

/** The first of what there is in all, and how many more there are. */
export function firstOf(names: string[], total: number): string[] {
  const named = names.slice(0, ROWS_MAX)
  return total > named.length ? [...named, `And ${total - named.length} more.`] : named
}

/** Where people look at an exposure. */
export function activityUrl(base_url: string, exposure_id: number | undefined): string {
  return exposure_id === undefined ? `${base_url}/map` : `${base_url}/map?exposure=${exposure_id}`
}
