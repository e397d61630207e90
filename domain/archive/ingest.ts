import type { Readable } from 'node:stream'
import type { App } from '#domain/app.ts'
import type { SourceId } from '#domain/archive/sources/index.ts'
import type { Contents, Rejection } from '#domain/archive/sources/source.ts'

export interface ImportOptions {
  /** The file's own name, without folders: it may say what the file holds and when it was compiled. */
  file_name: string
  /** The file is all that the source holds of its year: rows that are held and not in it are withdrawn. */
  whole_year?: boolean
  /** What is detected because of this import is recorded without telling anyone. */
  quiet?: boolean
  /** Called after each batch. */
  on_progress?(so_far: Counts): void
}

export interface Counts {
  /** Rows read, those that were rejected too. */
  rows: number
  inserted: number
  updated: number
  unchanged: number
  withdrawn: number
  rejected: number
}

export interface ImportSummary extends Counts {
  run_id: string
  source: SourceId
  file_name: string
  kind: Contents['kind']
  compiled_on: string | null
  /** The first rejected rows. */
  rejections: Rejection[]
  /** First and last local date among the records that changed; null where none did. */
  from: string | null
  to: string | null
  /** The search cells of the records that changed. */
  cells: number[]
}

/**
 * Reads one file of a source into the archive. Repeating it changes nothing; where it fails, what was read before stays.
 * @throws Refusal validation_failed where the file cannot be read, naming why
 */
export async function ingest(_app: Pick<App, 'pool' | 'clock' | 'log'>, _slug: string, _stream: Readable, _options: ImportOptions): Promise<ImportSummary> {
  throw new Error('not built')
}

/** What the operator's upload calls: the request's bytes as they come, gzip or plain. */
export const importArchive = ingest
