import type pg from 'pg'

/**
 * Updates a table's statistics and visibility map, or every table's. It uses a connection of its own, because the
 * pool sends each statement in a transaction.
 */
export async function vacuum(pool: pg.Pool, table = ''): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(`VACUUM (ANALYZE) ${table}`)
  } finally {
    client.release()
  }
}
