import type pg from 'pg'
import type { StoredRecord } from '#domain/archive/record.ts'
import { contentColumns, originColumns } from '#domain/archive/record-columns.ts'
import { asOfStatement } from '#domain/archive/versions/tables-at.ts'

const read: Partial<Record<string, string>> = {
  caveats: `coalesce(caveats, '{}') AS caveats, caveats IS NOT NULL AS judged`,
  // The driver would return a bigint as text.
  span_start: 'span_start::float8',
}
const columns = ['id', 'source', 'source_key', ...contentColumns, ...originColumns].map((column) => read[column] ?? column).join(', ')
/**
 * With one list of ids, PostgreSQL looks them up one after the other and reads their pages in that order. With two lists it
 * builds a bitmap and requests several pages from disk at once, as many as `effective_io_concurrency` allows.
 */
const READ = asOfStatement(
  'held-records',
  ({ records }) => `SELECT ${columns} FROM ${records} r WHERE id = ANY($1::int[]) OR id = ANY($2::int[])`,
)

/**
 * Returns the records with these ids, in no order. Ids that do not exist are left out.
 * @param as_of the point in time to read them at, without withdrawn ones; null for their current state
 */
export async function readRecords(pool: Pick<pg.ClientBase, 'query'>, ids: number[], as_of: Date | null = null): Promise<StoredRecord[]> {
  if (ids.length === 0) return []
  const half = ids.length >> 1
  const { rows } = await pool.query<StoredRecord>(READ(as_of, [ids.slice(0, half), ids.slice(half)]))
  return rows
}
