import { contentColumns, originColumns } from '#domain/archive/record-columns.ts'
import { REVISION } from '#domain/archive/versions/revision.ts'

/** What a version keeps of a record. */
export const versionColumns = [...contentColumns, ...originColumns] as const

/**
 * SQL that keeps records as they are before the statement that it is a part of changes them: those of a table `changed` with
 * their `id`, as far as its column `where` says. A withdrawn record has no version, nor has what a revision wrote itself.
 */
export function keepRecords(changed: string, where = 'true'): string {
  return `
    INSERT INTO record_versions (record_id, from_revision, until_revision, ${versionColumns.join(', ')})
    SELECT r.id, r.revision, ${REVISION}, ${versionColumns.map((column) => `r.${column}`).join(', ')}
      FROM ${changed} JOIN archive_records r ON r.id = ${changed}.id
     WHERE ${where} AND r.withdrawn_at IS NULL AND r.revision <> ${REVISION}
    ON CONFLICT DO NOTHING`
}

/**
 * SQL that keeps the cells under which such records are found: a search of an earlier moment looks there too. Those that are kept already are
 * locked, so that nobody clears them away with an older version in the meantime.
 */
export function keepRecordCells(changed: string, where = 'true'): string {
  return `
    INSERT INTO record_past_cells (cell, occurred_on, ends_on, record_id)
    SELECT c.cell, c.occurred_on, coalesce(c.ends_on, c.occurred_on), c.record_id
      FROM ${changed} JOIN record_cells c ON c.record_id = ${changed}.id WHERE ${where}
    ON CONFLICT (cell, occurred_on, ends_on, record_id) DO UPDATE SET record_id = excluded.record_id`
}
