import type pg from 'pg'

/** Brings a table's statistics and map of visible rows up to date, or every table's. Over a connection of its own: the pool sends each statement in a transaction. */
export async function vacuum(pool: pg.Pool, table = ''): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query(`VACUUM (ANALYZE) ${table}`)
  } finally {
    client.release()
  }
}
