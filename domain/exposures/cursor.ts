import type pg from 'pg'

/** Rows taken at once. */
const PAGE = 200

/**
 * The rows of a query page by page, held by the database until they are taken: memory does not grow with their number, and
 * no transaction stays open while the pages are worked through.
 */
export async function* pagesOf<Row extends object>(pool: pg.Pool, text: string, values: unknown[]): AsyncGenerator<Row[]> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    // A plan of some milliseconds is not worth compiling.
    await client.query('SET LOCAL jit = off')
    await client.query(`DECLARE paged NO SCROLL CURSOR WITH HOLD FOR ${text}`, values)
    await client.query('COMMIT')
    for (;;) {
      const { rows } = await client.query<Row>(`FETCH ${PAGE} FROM paged`)
      if (rows.length === 0) return
      yield rows
    }
  } finally {
    // The cursor ends with its session.
    client.release(true)
  }
}
