import type { Import, ImportEngines } from '#domain/archive/ingest/import.ts'
import { addTouched } from '#domain/archive/ingest/import.ts'
import { upsertRecords } from '#domain/archive/ingest/upsert.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'

interface Options {
  /** True for a selection of records, which proves nothing about the records that it lacks. */
  extract: boolean
  /** Completes the records, or drops those that a correction replaced. */
  transform(app: ImportEngines, run: Import, records: ArchiveRecord[]): Promise<ArchiveRecord[]>
}

/** Upserts the records of a batch, each key once. */
export async function addRecords(app: ImportEngines, run: Import, batch: ArchiveRecord[], { extract, transform }: Options): Promise<void> {
  if (batch.length === 0) return
  const records = lastOfEach(batch)
  const touched = await upsertRecords(run.client, await transform(app, run, records), extract)
  addTouched(run, touched)
  run.counts.unchanged += batch.length - touched.inserted - touched.updated
  for (const { state } of records) if (state) run.states.add(state)
}

/** Keeps one record for a key that a file has twice: the one of the newest product, else the last. */
function lastOfEach(records: ArchiveRecord[]): ArchiveRecord[] {
  const last = new Map<string, ArchiveRecord>()
  for (const record of records) {
    const before = last.get(record.source_key)
    if (!before || (before.issued_at?.getTime() ?? 0) <= (record.issued_at?.getTime() ?? 0)) last.set(record.source_key, record)
  }
  return [...last.values()]
}
