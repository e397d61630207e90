import type { Fact } from '#domain/integrations/event-post.ts'

/** Exposures listed in one post: nobody reads more in a chat. */
const ROWS_MAX = 20

/** Returns the pairs that have a value, as facts. */
export function factsOf(pairs: [string, string | null][]): Fact[] {
  return pairs.flatMap(([label, value]) => (value ? [{ label, value }] : []))
}

/** Returns the first names, and how many more there are. */
export function firstOf(names: string[], total: number): string[] {
  const named = names.slice(0, ROWS_MAX)
  return total > named.length ? [...named, `And ${total - named.length} more.`] : named
}

/** Returns the url at which people view an exposure. */
export function activityUrl(base_url: string, exposure_id: number | undefined): string {
  return exposure_id === undefined ? `${base_url}/map` : `${base_url}/map?exposure=${exposure_id}`
}
