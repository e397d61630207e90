import type pg from 'pg'

/** Reads one named statement: parsed and planned once a connection. */
export async function readNamed<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  name: string,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  return (await pool.query<Row>({ name, text, values })).rows
}
