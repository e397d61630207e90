import { markMonths } from '#domain/archive/coverage/coverage-months.ts'
import { addTouched, everyState, type Import, type ImportEngines } from '#domain/archive/ingest/import.ts'
import { finishFeed } from '#domain/archive/ingest/kinds/feed-end.ts'
import type { KindHandler } from '#domain/archive/ingest/kinds/kind.ts'
import { addRecords } from '#domain/archive/ingest/kinds/record-batch.ts'
import { withdrawRecords } from '#domain/archive/ingest/withdraw.ts'
import { reconcile } from '#domain/archive/local-reports/reconcile.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'

/** Preliminary reports. */
export const reports: KindHandler = {
  can_be_whole_year: false,
  stores_at_end: false,
  addBatch: (app, run, batch) => addRecords(app, run, batch.records, { extract: false, transform: withoutCorrected }),
  async finish(app, run, contents) {
    const months = run.options.months ?? []
    await finishFeed(app, run, contents, months)
    await markMonths(run.client, run.source, everyState, months, contents.compiled_on, contents.preliminary)
  },
}

/** Returns the current reports, and withdraws the stored ones that a correction replaced. */
async function withoutCorrected(app: ImportEngines, run: Import, records: ArchiveRecord[]): Promise<ArchiveRecord[]> {
  const { current, corrected } = await reconcile(run.client, run.source, records)
  if (corrected.length > 0) addTouched(run, await withdrawRecords(run.client, corrected, app.clock.now()))
  return current
}
