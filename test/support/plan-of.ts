import type pg from 'pg'

/**
 * Returns PostgreSQL's plan for a statement, for whatever values (a generic plan).
 * @param values as EXECUTE takes them: `'{1,2}', 25`
 * @param settings set before, for this statement alone
 */
export async function planOf(pool: pg.Pool, text: string, values: string, settings = ''): Promise<string> {
  const session = await pool.connect()
  try {
    await session.query(`SET plan_cache_mode = force_generic_plan; ${settings}; PREPARE asked AS ${text}`)
    const { rows } = await session.query<Record<string, string>>(`EXPLAIN EXECUTE asked (${values})`)
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  } finally {
    session.release(true)
  }
}
