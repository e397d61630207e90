import { createHash } from 'node:crypto'
import type { App } from '#domain/app.ts'
import { present } from '#domain/kernel/present.ts'
import type { CheckedStep, StoredFault } from '#domain/kernel/stored-fault.ts'

/** Files read in one step; a year file has some ten megabytes. */
const FILES_A_STEP = 10

interface StoredRow {
  sha256: string
  name: string
}

/**
 * Looks for stored copies of agency files that are missing or changed. Only the agency can supply the file again. Repairing
 * marks the copy as not stored, and importing the file again stores it.
 */
export async function checkSourceFiles(
  { pool, source_files }: Pick<App, 'pool' | 'source_files'>,
  after: string | null,
  repair: boolean,
): Promise<CheckedStep> {
  // Files that were stored under a setting since removed do not count as missing.
  if (!source_files) return { checked: 0, faults: [], next: null }
  const { rows } = await pool.query<StoredRow>({ name: 'source_files.check', text: STORED, values: [after ?? '', FILES_A_STEP] })
  const faults: StoredFault[] = []
  for (const { sha256, name } of rows) {
    const bytes = await source_files.read(sha256)
    if (bytes && (await hashOf(bytes)) === sha256) continue
    if (repair) {
      await source_files.remove(sha256)
      await pool.query('UPDATE archive_files SET stored = false WHERE sha256 = $1', [sha256])
    }
    faults.push({ kind: 'source_file', team_id: null, subject: `${name} ${sha256}`, detail: DETAIL, repaired: repair })
  }
  return { checked: rows.length, faults, next: rows.length === FILES_A_STEP ? present(rows.at(-1)).sha256 : null }
}

const DETAIL = 'The copy of this agency file in ARCHIVE_FILES is missing or has changed. Run archive import on the file to store it again.'

async function hashOf(bytes: AsyncIterable<Buffer>): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of bytes) hash.update(piece)
  return hash.digest('hex')
}

const STORED = `
  SELECT DISTINCT ON (sha256) sha256, name FROM archive_files WHERE stored AND sha256 > $1 ORDER BY sha256, id LIMIT $2`
