import type { App } from '#domain/app.ts'
import type { ImportSummary } from '#domain/archive/ingest.ts'

export interface SyncOptions {
  /** The folder that lists the files; the agency's own unless told. */
  folder?: string
  quiet?: boolean
}

export interface SyncSummary {
  year: number
  /** Nothing newer was there than what is held. */
  up_to_date: boolean
  imports: ImportSummary[]
}

/** Brings a year of Storm Events to the newest compile of the agency's folder; rows that it no longer holds are withdrawn. */
export async function syncStormEvents(_app: Pick<App, 'pool' | 'clock' | 'log' | 'http'>, _year: number, _options: SyncOptions = {}): Promise<SyncSummary> {
  throw new Error('not built')
}
