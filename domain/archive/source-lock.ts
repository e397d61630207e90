import type pg from 'pg'

/**
 * Waits until nobody else reads a source into the archive or forgets it, and keeps others waiting until the session ends. Both
 * take many statements, an import many transactions: two at once would meet in the same rows, or leave half of what was read.
 */
export async function lockSource(client: Pick<pg.ClientBase, 'query'>, source: string): Promise<void> {
  await client.query('SELECT pg_advisory_lock(hashtextextended($1, 0))', [`archive ${source}`])
}
