import type pg from 'pg'
import { isLargestOfHours } from '#domain/archive/radar/cell-records.ts'
import type { Citation } from '#domain/reports/compose.ts'
import type { CitedFileView } from '#domain/reports/view.ts'

type Client = Pick<pg.ClientBase, 'query'>

/**
 * Adds to each citation the file that contains its record, if known. A record has stored its file and its byte range there since it was
 * read. A radar cell belongs to the whole file of its grid; the largest cells of a day, made from many grids, have no file. Leaves out a
 * file that is still being read, or whose reading failed.
 * @param as_of the point in time of the citation: files that were fetched later were not known then; null for now
 */
export async function traceToFiles(client: Client, citations: Citation[], as_of: Date | null): Promise<Citation[]> {
  const [files, grids] = await Promise.all([readFiles(client, citations, as_of), readGrids(client, citations)])
  return citations.map(({ view, record }) => {
    const file = isOfMoment(record) ? grids.get(momentOf(record)) : files.get(record.file_id ?? NO_FILE)
    return { record, view: { ...view, provenance: { ...view.provenance, file: file ? citedFile(file, record) : null } } }
  })
}

/** Whether the record is a radar cell at one moment, which is traced by its frame. */
const isOfMoment = (record: Citation['record']) => record.precision === 'grid' && !isLargestOfHours(record)

/** No row has this id. */
const NO_FILE = 0

interface FileRow {
  sha256: string
  name: string
  unpacked_bytes: number
}

function citedFile({ sha256, name, unpacked_bytes }: FileRow, { span_start, span_length }: Citation['record']): CitedFileView {
  return { sha256, name, span: { start: span_start ?? 0, length: span_length ?? unpacked_bytes } }
}

async function readFiles(client: Client, citations: Citation[], as_of: Date | null): Promise<Map<number, FileRow>> {
  const ids = new Set(citations.flatMap(({ record }) => record.file_id ?? []))
  if (ids.size === 0) return new Map()
  const { rows } = await client.query<FileRow & { id: number }>({ name: 'files.cited', text: FILES, values: [[...ids], as_of] })
  return new Map(rows.map((row) => [row.id, row]))
}

async function readGrids(client: Client, citations: Citation[]): Promise<Map<string, FileRow>> {
  const cells = citations.map(({ record }) => record).filter(isOfMoment)
  if (cells.length === 0) return new Map()
  const values = [[...new Set(cells.map(({ source }) => source))], [...new Set(cells.map(({ begins_at }) => begins_at))]]
  const { rows } = await client.query<FileRow & { source: string; valid_at: Date }>({ name: 'files.of_grids', text: GRIDS, values })
  return new Map(rows.map((row) => [momentOf({ source: row.source, begins_at: row.valid_at }), row]))
}

const momentOf = ({ source, begins_at }: Pick<Citation['record'], 'begins_at'> & { source: string }) => `${source} ${begins_at.getTime()}`

const COLUMNS = 'f.sha256, f.name, f.unpacked_bytes::float8 AS unpacked_bytes'
const FILES = `SELECT f.id, ${COLUMNS} FROM archive_files f WHERE f.id = ANY ($1::int[]) AND f.sha256 IS NOT NULL AND f.fetched_at <= coalesce($2::timestamptz, 'infinity')`
const GRIDS = `
  SELECT g.source, g.valid_at, ${COLUMNS} FROM radar_frames g JOIN archive_files f ON f.id = g.file_id
   WHERE g.source = ANY ($1) AND g.product = 'mesh' AND g.valid_at = ANY ($2::timestamptz[]) AND f.sha256 IS NOT NULL`
