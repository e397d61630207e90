import { type CsvRow, readCsv } from '#domain/archive/files/csv.ts'
import { withSpan } from '#domain/archive/files/span.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'
import {
  type Batch,
  type Contents,
  type Document,
  type EventCorner,
  emptyBatch,
  type ParsedFile,
  type Rejection,
} from '#domain/archive/sources/source.ts'
import { type FileFacts, recordOf } from '#domain/archive/storm-events/event.ts'
import { type Cells, columnsOf, cornerRow, detailsRow, exportRow, kindOf, type TableKind } from '#domain/archive/storm-events/tables.ts'
import { isDate, refuseField } from '#domain/kernel/validation.ts'
import { isSample } from '#domain/weather/sources.ts'

/**
 * Reads a Storm Events file: details, locations, or an export of the search page. The header determines the kind of file,
 * the name its year and compile date: StormEvents_details-ftp_v1.0_d2019_c20190617.csv.gz.
 * @throws Refusal validation_failed on `file` for any other file, including a fatalities file
 */
export async function readStormEvents(document: Document, facts: Pick<FileFacts, 'source' | 'cite'>): Promise<ParsedFile> {
  const pieces = readCsv(document.bytes)
  const first = await firstRows(pieces)
  const [header] = first
  if (!header) return refuseField('file', 'The file is empty.')
  const columns = header.fields.map((column) => column.trim())
  const found = kindOf(columns)
  if ('unreadable' in found) return refuseField('file', found.unreadable)
  const contents: Contents = {
    kind: contentsOf[found.kind],
    compiled_on: compiledOn(document.file_name),
    year: Number(/_d(\d{4})_/.exec(document.file_name)?.[1]) || null,
    covers: isSample(facts) ? 'states_of_its_records' : 'every_state',
  }
  const file: FileFacts = { ...facts, file_name: document.file_name, compiled_on: contents.compiled_on }
  return { contents, batches: readBatches(found.kind, columnsOf(columns), first.slice(1), pieces, file) }
}

const contentsOf: Record<TableKind, Contents['kind']> = { details: 'records', search_export: 'extract', locations: 'corners' }

/** Returns the compile date in a file's name, YYYY-MM-DD. */
export function compiledOn(file_name: string): string | null {
  const [, year, month, day] = /_c(\d{4})(\d{2})(\d{2})\b/.exec(file_name) ?? []
  const text = `${year}-${month}-${day}`
  return isDate(text) ? text : null
}

async function firstRows(pieces: AsyncGenerator<CsvRow[]>): Promise<CsvRow[]> {
  for (;;) {
    const { value, done } = await pieces.next()
    if (done || value.length > 0) return value ?? []
  }
}

async function* readBatches(
  kind: TableKind,
  cellsOf: (row: CsvRow) => Cells,
  first: CsvRow[],
  rest: AsyncGenerator<CsvRow[]>,
  file: FileFacts,
): AsyncGenerator<Batch> {
  const batchOf = (rows: CsvRow[]): Batch => {
    const batch = emptyBatch(rows.length)
    const months = new Set<string>()
    for (const row of rows) {
      const cells = cellsOf(row)
      const read = row.fault ?? readRow(kind, cells, file)
      if (typeof read === 'string') batch.rejections.push(rejection(kind, row, cells, read))
      else if ('position' in read) batch.corners.push(read)
      else {
        batch.records.push(withSpan(read, row.span))
        if (kind === 'details') months.add(`${cells('BEGIN_YEARMONTH').slice(0, 4)}-${cells('BEGIN_YEARMONTH').slice(4)}`)
      }
    }
    batch.months.push(...months)
    return batch
  }
  yield batchOf(first)
  for await (const rows of rest) yield batchOf(rows)
}

function readRow(kind: TableKind, cells: Cells, file: FileFacts): ArchiveRecord | EventCorner | string {
  if (kind === 'locations') return cornerRow(cells)
  const row = kind === 'details' ? detailsRow(cells) : exportRow(cells)
  return typeof row === 'string' ? row : recordOf(row, file)
}

/** A broken row may still have its id in the right column. */
function rejection(kind: TableKind, { line, fault }: CsvRow, cells: Cells, reason: string): Rejection {
  const id = /^\d{1,12}$/.test(cells('EVENT_ID')) ? cells('EVENT_ID') : null
  const year = /^(19|20)\d{2}/.exec(cells('BEGIN_YEARMONTH') || cells('YEARMONTH'))?.[0]
  const known = id !== null && year !== undefined && kind !== 'search_export'
  return {
    row: id === null || (fault !== null && !known) ? `line ${line}` : `line ${line}, EVENT_ID ${id}`,
    reason,
    source_key: known ? `${year}/${id}` : null,
  }
}
