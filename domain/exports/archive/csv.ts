import { type ArchiveColumn, archiveColumns, momentSql } from '#domain/exports/archive/columns.ts'
import type { ExportPage } from '#domain/exports/archive/records.ts'
import { csvFile } from '#domain/exports/csv-file.ts'
import { csvCellSql } from '#domain/kernel/csv.ts'

/** Returns the SQL that writes the records of a page as lines of a CSV, in one text. */
export function csvPage(): string {
  const cells = Object.values(archiveColumns).map((column) => `coalesce(${cellSql(column)}, '')`)
  return `string_agg(concat_ws(',', ${cells.join(', ')}) || E'\\r\\n', '') AS lines`
}

export interface CsvRow {
  lines: string
}

/** Yields the column names with the lines of the first page, then the lines of each page. */
export function csvOf(pages: AsyncIterable<ExportPage<CsvRow>>): AsyncGenerator<string> {
  return csvFile(Object.keys(archiveColumns), pages, ({ row }) => row.lines)
}

/** Writes null as an empty cell, and numbers and values of a closed set without quotes. The CASE is cheap because few records have a caveat. */
function cellSql({ type, sql, values }: ArchiveColumn): string {
  if (type === 'moment') return momentSql(sql)
  if (type === 'texts') return `CASE WHEN cardinality(${sql}) = 0 THEN '[]' ELSE ${csvCellSql(`to_json(${sql})::text`)} END`
  return type === 'text' && !values ? csvCellSql(sql) : `${sql}::text`
}
