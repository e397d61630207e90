import type { App } from '#domain/app.ts'
import type { SourceId } from '#domain/archive/sources/index.ts'

export interface ArchiveStatus {
  sources: SourceStatus[]
  /** Forecast zones in the imported table. */
  zones: number
  recent_imports: ImportRunView[]
}

export interface SourceStatus {
  source: SourceId
  slug: string
  label: string
  records: number
  withdrawn: number
  /** First and last local date of its records. */
  from: string | null
  to: string | null
  states: StateStatus[]
}

export interface StateStatus {
  state: string
  records: number
  /** Months held, as spans: YYYY-MM, both included. */
  held: { from: string; to: string; preliminary: boolean; compiled_on: string | null }[]
}

export interface ImportRunView {
  id: string
  source: string
  file_name: string
  status: string
  rows: number
  inserted: number
  updated: number
  unchanged: number
  withdrawn: number
  rejected: number
  rejections: { row: string; reason: string }[]
  failure: string | null
  started_at: Date
  finished_at: Date | null
}

/** What is held, by source, state and month, and the newest imports. */
export async function archiveStatus(_app: Pick<App, 'pool'>): Promise<ArchiveStatus> {
  throw new Error('not built')
}
