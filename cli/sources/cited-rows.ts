import type { Evidence, EvidenceRecord } from '../verify/evidence-shape.ts'

/** A range of bytes in a file, or in the unpacked file if it is gzip. */
export interface Span {
  start: number
  length: number
}

/** An agency's file that a report cites. */
export interface CitedFile {
  /** SHA-256 of the file as the service fetched it. */
  sha256: string
  name: string
  rows: CitedRow[]
}

/** A record of the evidence, and its position in its file. */
export interface CitedRow {
  record: EvidenceRecord
  span: Span
}

/** The files that a report cites, and the records without a known file. */
export interface CitedFiles {
  files: CitedFile[]
  untraced: number
}

const SCHEMA = 'weather-report-sources/1'

/**
 * Reads the list of files beside the evidence of a report.
 * @throws Error with the fault, in words that follow the name of the list
 */
export function readCitedFiles(text: string, evidence: Evidence, fingerprint: string): CitedFiles {
  const list = parse(text)
  if (!isList(list)) throw new Error('is not a list of cited files')
  if (list.fingerprint !== fingerprint) throw new Error('belongs to another report: it names another fingerprint')
  if (list.records.length !== evidence.records.length)
    throw new Error(`lists ${list.records.length} records, but the evidence contains ${evidence.records.length}`)
  const files = list.files.map((file): CitedFile => ({ ...file, rows: [] }))
  let untraced = 0
  for (const [index, record] of evidence.records.entries()) {
    const entry = list.records[index] ?? null
    const file = entry === null ? undefined : files[entry.file]
    if (entry === null) untraced += 1
    else if (!file) throw new Error(`refers to a file that it does not list, for record ${index + 1}`)
    else file.rows.push({ record, span: { start: entry.start, length: entry.length } })
  }
  return { files, untraced }
}

interface SourceList {
  fingerprint: string
  files: { sha256: string; name: string }[]
  records: ({ file: number; start: number; length: number } | null)[]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error('is not JSON')
  }
}

function isList(value: unknown): value is SourceList {
  const list = value as { schema?: unknown; files?: unknown; records?: unknown } | null
  return (
    list?.schema === SCHEMA &&
    Array.isArray(list.files) &&
    list.files.every((file) => /^[0-9a-f]{64}$/.test(file?.sha256) && typeof file.name === 'string') &&
    Array.isArray(list.records) &&
    list.records.every(
      (place) => place === null || [place?.file, place?.start, place?.length].every((one) => Number.isSafeInteger(one) && one >= 0),
    )
  )
}
