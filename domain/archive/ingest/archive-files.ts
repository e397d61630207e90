import type pg from 'pg'
import type { FileDigest } from '#domain/archive/files/arriving-file.ts'
import type { ActorKind } from '#domain/closed-sets.ts'
import { present } from '#domain/kernel/present.ts'

/** Where a file came from. */
export interface Origin {
  /** The URL that the file was fetched from; null if somebody uploaded it. */
  from: string | null
  by: ActorKind
}

export interface FetchedFile {
  source: string
  /** Without folders. */
  name: string
  origin: Origin
  now: Date
}

/**
 * Opens the row of a file. The imported rows reference it from the start; the reference counts once the whole file was
 * read. Returns its id.
 */
export async function openFile(client: pg.ClientBase, { source, name, origin, now }: FetchedFile): Promise<number> {
  const { rows } = await client.query<{ id: number }>(
    'INSERT INTO archive_files (source, name, fetched_from, fetched_by, fetched_at) VALUES ($1, $2, $3, $4, $5) RETURNING id',
    [source, name, origin.from, origin.by, now],
  )
  return present(rows[0]).id
}

interface ReadFile extends FileDigest {
  /** YYYY-MM-DD */
  compiled_on: string | null
  /** True if stored data came from it. */
  used: boolean
}

/** Closes the row, in the transaction that stores the last of the file's data. */
export async function closeFile(client: pg.ClientBase, id: number, file: ReadFile): Promise<void> {
  const { sha256, bytes, unpacked_sha256, unpacked_bytes, compiled_on, used } = file
  await client.query(
    `UPDATE archive_files SET sha256 = $2, bytes = $3, unpacked_sha256 = $4, unpacked_bytes = $5, compiled_on = $6, used = $7 WHERE id = $1`,
    [id, sha256, bytes, unpacked_sha256, unpacked_bytes, compiled_on, used],
  )
}

/** Deletes files that were fetched before that time, that no stored data came from and that no import references any more. */
export async function deleteUnusedFiles({ pool }: { pool: Pick<pg.ClientBase, 'query'> }, since: Date): Promise<void> {
  await pool.query(DELETE_UNUSED_FILES, [since])
}

/** Worded like the partial index of unused files: the others stay for ever. */
export const DELETE_UNUSED_FILES = `
  DELETE FROM archive_files f WHERE NOT used AND fetched_at < $1 AND NOT EXISTS (SELECT FROM import_runs r WHERE r.file_id = f.id)`

/** Whether stored data came from a file with these bytes. */
export async function isUsedFile(client: pg.ClientBase, sha256: string): Promise<boolean> {
  return ((await client.query('SELECT FROM archive_files WHERE sha256 = $1 AND used LIMIT 1', [sha256])).rowCount ?? 0) > 0
}

/** Marks every file with these bytes as stored. */
export async function noteStored(client: pg.ClientBase, sha256: string): Promise<void> {
  await client.query('UPDATE archive_files SET stored = true WHERE sha256 = $1 AND NOT stored', [sha256])
}

/** Returns those of the hashes that no file of the archive has any more. */
export async function unnamedFiles(client: Pick<pg.ClientBase, 'query'>, hashes: string[]): Promise<string[]> {
  if (hashes.length === 0) return []
  const { rows } = await client.query<{ sha256: string }>(
    'SELECT DISTINCT sha256 FROM unnest($1::text[]) AS gone (sha256) WHERE NOT EXISTS (SELECT FROM archive_files f WHERE f.sha256 = gone.sha256)',
    [hashes],
  )
  return rows.map(({ sha256 }) => sha256)
}
