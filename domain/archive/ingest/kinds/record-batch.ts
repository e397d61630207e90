import type { Import, ImportEngines } from '#domain/archive/ingest/import.ts'
import { addTouched } from '#domain/archive/ingest/import.ts'
import { upsertRecords } from '#domain/archive/ingest/upsert.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'

interface Options {
  /** True of a selection of records, which proves nothing about those that it lacks. */
  extract: boolean
  /** Completes the records, or leaves out those that a correction replaced. */
  settle(app: ImportEngines, run: Import, records: ArchiveRecord[]): Promise<ArchiveRecord[]>
}

/** Upserts the records of a batch, each key once. */
export async function addRecords(app: ImportEngines, run: Import, batch: ArchiveRecord[], { extract, settle }: Options): Promise<void> {
  if (batch.length === 0) return
  const records = lastOfEach(batch)
  const touched = await upsertRecords(run.client, await settle(app, run, records), extract)
  addTouched(run, touched)
  run.counts.unchanged += batch.length - touched.inserted - touched.updated
  for (const { state } of records) if (state) run.states.add(state)
}

/** A key that a file gives twice is what its newest product says, else what it says last. */
function lastOfEach(records: ArchiveRecord[]): ArchiveRecord[] {
  const last = new Map<string, ArchiveRecord>()
  for (const record of records) {
    const before = last.get(record.source_key)
    if (!before || (before.issued_at?.getTime() ?? 0) <= (record.issued_at?.getTime() ?? 0)) last.set(record.source_key, record)
  }
  return [...last.values()]
}
