import type pg from 'pg'
import type { Rejection } from '#domain/archive/sources/source.ts'
import { present } from '#domain/kernel/present.ts'

/** Rejected rows that a run lists by name; the rest are only counted. */
export const REJECTIONS_NAMED = 100

/** Imports that the status lists: the newest. */
export const IMPORTS_SHOWN = 20

/** Opens a run. It is called under the source's lock, so a run of the source that is still open died with its process. */
export async function openRun(
  client: pg.ClientBase,
  { source, file_name, file_id }: { source: string; file_name: string; file_id: number },
  now: Date,
): Promise<string> {
  await client.query(
    `UPDATE import_runs SET status = 'failed', failure = 'the process stopped', finished_at = $2 WHERE source = $1 AND status = 'running'`,
    [source, now],
  )
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO import_runs (id, source, file_name, file_id, started_at) VALUES (gen_random_uuid(), $1, $2, $3, $4) RETURNING id`,
    [source, file_name, file_id, now],
  )
  return present(rows[0]).id
}

/** Saves the progress of a run. */
export async function saveProgress(client: pg.ClientBase, id: string, counts: Counts, rejections: Rejection[]): Promise<void> {
  await client.query(
    `UPDATE import_runs SET rows = $2, inserted = $3, updated = $4, unchanged = $5, withdrawn = $6, rejected = $7, rejections = $8 WHERE id = $1`,
    [
      id,
      counts.rows,
      counts.inserted,
      counts.updated,
      counts.unchanged,
      counts.withdrawn,
      counts.rejected,
      JSON.stringify(rejections.map(({ row, reason }) => ({ row, reason }))),
    ],
  )
}

/** Closes a run. `failure` states the reason in words for the operator. */
export async function closeRun(client: pg.ClientBase, id: string, failure: string | null, now: Date): Promise<void> {
  await client.query('UPDATE import_runs SET status = $2, failure = $3, finished_at = $4 WHERE id = $1', [
    id,
    failure === null ? 'complete' : 'failed',
    failure,
    now,
  ])
}

/** Deletes the imports that began before that time, except those that the status lists. */
export async function deleteOldImports({ pool }: { pool: Pick<pg.ClientBase, 'query'> }, since: Date): Promise<void> {
  await pool.query(DELETE_OLD_RUNS, [since])
}

const DELETE_OLD_RUNS = `
  DELETE FROM import_runs
   WHERE started_at < $1
     AND started_at < (SELECT started_at FROM import_runs ORDER BY started_at DESC, id DESC OFFSET ${IMPORTS_SHOWN - 1} LIMIT 1)`

export interface Counts {
  /** Rows read, including rejected ones. */
  rows: number
  inserted: number
  updated: number
  /** Rows that repeat what was already known. */
  unchanged: number
  withdrawn: number
  rejected: number
}
