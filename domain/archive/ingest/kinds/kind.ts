import type pg from 'pg'
import type { Import, ImportEngines } from '#domain/archive/ingest/import.ts'
import type { Batch, Contents } from '#domain/archive/sources/source.ts'

/** How files of one kind of contents are imported. A batch, and the end, is one transaction each. */
export interface KindHandler {
  /** Whether a file may be all that its source holds of a year: what it lacks is then withdrawn. */
  can_be_whole_year: boolean
  /** Makes temporary tables before the first batch. */
  prepare?(client: pg.ClientBase): Promise<void>
  /** Writes or stages a batch. */
  addBatch(app: ImportEngines, run: Import, batch: Batch): Promise<void>
  /** Does what waits until the whole file has come. */
  finish(app: ImportEngines, run: Import, contents: Contents): Promise<void>
}
