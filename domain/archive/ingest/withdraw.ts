import type pg from 'pg'
import type { Import } from '#domain/archive/ingest/import.ts'
import type { Touched } from '#domain/archive/ingest/upsert.ts'
import { keepRecordCells, keepRecords } from '#domain/archive/versions/keep-records.ts'
import { REVISION } from '#domain/archive/versions/revision.ts'
import { present } from '#domain/kernel/present.ts'

/** Creates the session's table of the keys in a complete file, including those of rejected rows. */
export async function prepareWithdrawing(client: pg.ClientBase): Promise<void> {
  await client.query('CREATE TEMP TABLE present (source_key text)')
}

/** Notes that a complete file has rows with these keys. */
export async function markPresent(client: pg.ClientBase, keys: string[]): Promise<void> {
  await client.query('INSERT INTO present SELECT unnest($1::text[])', [keys])
}

/**
 * Whether rows that a complete file lacks may be withdrawn. They may not while a rejected row could be any of them; the
 * summary then says so.
 */
export function mayWithdraw({ unidentified, notes }: Pick<Import, 'unidentified' | 'notes'>): boolean {
  if (unidentified > 0)
    notes.push(`Nothing was withdrawn: ${unidentified} rejected row(s) could not be distinguished from the rows that are missing.`)
  return unidentified === 0
}

/**
 * Withdraws what a complete file of a source no longer has. The rows stay, but are no longer searched. Rows of a later
 * compile are left alone. A withdrawn row gets the compile date of the file that withdrew it, so that no earlier file
 * brings it back.
 * @param prefix of the keys that the file has all of: 2019/
 */
export async function withdrawAbsent(
  client: pg.ClientBase,
  source: string,
  prefix: string,
  compiled_on: string | null,
  now: Date,
): Promise<Touched> {
  const { rows } = await client.query<Touched>(WITHDRAW, [source, `${prefix}%`, compiled_on, now])
  return present(rows[0])
}

/** Wraps an UPDATE of `archive_records r` that withdraws: it also keeps the rows' earlier versions and removes them from the search. */
const withdrawing = (update: string) => `
  WITH gone AS (
    ${update} RETURNING r.id, r.occurred_on
  ), kept AS (${keepRecords('gone')}
  ), kept_cells AS (${keepRecordCells('gone')}
  ), before AS (DELETE FROM record_cells c USING gone g WHERE c.record_id = g.id RETURNING c.cell)
  SELECT 0 AS inserted, 0 AS updated, count(*)::int AS withdrawn, min(occurred_on) AS "from", max(occurred_on) AS "to",
         ARRAY(SELECT DISTINCT cell FROM before) AS cells
    FROM gone`

const WITHDRAW = withdrawing(`
    UPDATE archive_records r SET withdrawn_at = $4, revision = ${REVISION}, compiled_on = coalesce($3::date, r.compiled_on)
     WHERE r.source = $1 AND r.source_key LIKE $2 AND r.withdrawn_at IS NULL
       AND coalesce(r.compiled_on, '-infinity') <= coalesce($3::date, '-infinity')
       AND NOT EXISTS (SELECT FROM present p WHERE p.source_key = r.source_key)`)

/** Withdraws single records. The rows stay, but are no longer searched. */
export async function withdrawRecords(client: pg.ClientBase, ids: number[], now: Date): Promise<Touched> {
  const { rows } = await client.query<Touched>(WITHDRAW_THESE, [ids, now])
  return present(rows[0])
}

const WITHDRAW_THESE = withdrawing(
  `UPDATE archive_records r SET withdrawn_at = $2, revision = ${REVISION} WHERE r.id = ANY($1::int[]) AND r.withdrawn_at IS NULL`,
)
