import { contentColumns, originColumns } from '#domain/archive/record-columns.ts'
import { REVISION } from '#domain/archive/versions/revision.ts'

/** The columns of a record that a version keeps. */
export const versionColumns = [...contentColumns, ...originColumns] as const

/**
 * Returns SQL that keeps records as they are before the enclosing statement changes them: the rows of a table `changed`
 * with their `id`, if its column `where` is true. Withdrawn records get no version, nor do rows that this revision wrote
 * itself.
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
 * Returns SQL that keeps the cells of such records, so that a search as of an earlier time looks there too. Cells that are
 * already kept are locked, so that nobody deletes them with an older version in the meantime.
 */
export function keepRecordCells(changed: string, where = 'true'): string {
  return `
    INSERT INTO record_past_cells (cell, occurred_on, ends_on, record_id)
    SELECT c.cell, c.occurred_on, coalesce(c.ends_on, c.occurred_on), c.record_id
      FROM ${changed} JOIN record_cells c ON c.record_id = ${changed}.id WHERE ${where}
    ON CONFLICT (cell, occurred_on, ends_on, record_id) DO UPDATE SET record_id = excluded.record_id`
}
