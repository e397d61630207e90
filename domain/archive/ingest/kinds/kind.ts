import type pg from 'pg'
import type { Import, ImportEngines } from '#domain/archive/ingest/import.ts'
import type { Batch, Contents } from '#domain/archive/sources/source.ts'

/** How files of one kind of contents are imported. Each batch is one transaction, and so is the end. */
export interface KindHandler {
  /** Whether a file may be all that its source has of a year, so that what it lacks is withdrawn. */
  can_be_whole_year: boolean
  /** Whether `finish` stores the rows, so that nothing before it knows whether any of them is new. */
  stores_at_end: boolean
  /** Creates temporary tables before the first batch. */
  prepare?(client: pg.ClientBase): Promise<void>
  /** Writes or stages a batch. */
  addBatch(app: ImportEngines, run: Import, batch: Batch): Promise<void>
  /** Does the work that needs the whole file. */
  finish(app: ImportEngines, run: Import, contents: Contents): Promise<void>
}
