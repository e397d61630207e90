import type { Fact } from '#domain/integrations/event-post.ts'

/** Exposures listed in one post: nobody reads more in a chat. */
export const ROWS_MAX = 20

/** Returns the pairs that have a value, as facts. */
export function factsOf(pairs: [string, string | null][]): Fact[] {
  return pairs.flatMap(([label, value]) => (value ? [{ label, value }] : []))
}

/** Returns the first names, and how many more there are. */
export function firstOf(names: string[], total: number): string[] {
  const named = names.slice(0, ROWS_MAX)
  return total > named.length ? [...named, `And ${total - named.length} more.`] : named
}

const MORE = /^And (\d+) more\.$/

/** Returns the first rows of a post, and how many more there are: those left out here, and those that its last row counts. */
export function cutRows(rows: string[], count: number): string[] {
  const more = MORE.exec(rows.at(-1) ?? '')
  const named = more ? rows.slice(0, -1) : rows
  return firstOf(named.slice(0, count), named.length + Number(more?.[1] ?? 0))
}

/** Returns the url at which people view an exposure. */
export function activityUrl(base_url: string, exposure_id: number | undefined): string {
  return exposure_id === undefined ? `${base_url}/map` : `${base_url}/map?exposure=${exposure_id}`
}
