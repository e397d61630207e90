import { markMonths, storedMonths } from '#domain/archive/coverage/coverage-months.ts'
import { addStoredCorners } from '#domain/archive/ingest/event-corners.ts'
import { addTouched, everyState, type Import, type ImportEngines } from '#domain/archive/ingest/import.ts'
import type { KindHandler } from '#domain/archive/ingest/kinds/kind.ts'
import { addRecords } from '#domain/archive/ingest/kinds/record-batch.ts'
import { mayWithdraw, withdrawAbsent } from '#domain/archive/ingest/withdraw.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'
import { supersededBy } from '#domain/archive/search/superseded.ts'
import type { Contents } from '#domain/archive/sources/source.ts'
import { present } from '#domain/kernel/present.ts'
import { refuseField } from '#domain/kernel/validation.ts'

/** Final records: all that a source has of the months in the file. */
export const records: KindHandler = {
  can_be_whole_year: true,
  stores_at_end: false,
  addBatch: (app, run, batch) => addRecords(app, run, batch.records, { extract: false, transform: withCorners }),
  async finish(app, run, contents) {
    const { client, source } = run
    if (run.options.whole_year) await withdrawAbsentOfYear(app, run, contents)
    const covered = contents.covers === 'every_state' ? everyState : [...run.states]
    const months = storedMonths(run.months, contents.compiled_on)
    run.fresh.push(await supersededBy(client, source, covered, months))
    await markMonths(client, source, covered, months, contents.compiled_on)
  },
}

/** A selection of final records. It proves nothing about its months. */
export const extract: KindHandler = {
  can_be_whole_year: false,
  stores_at_end: false,
  addBatch: (app, run, batch) => addRecords(app, run, batch.records, { extract: true, transform: withCorners }),
  finish: async () => {},
}

/** Adds the stored corners to the floods among the records. */
function withCorners(_app: ImportEngines, { client, source }: Import, records: ArchiveRecord[]): Promise<ArchiveRecord[]> {
  return addStoredCorners(client, source, records)
}

async function withdrawAbsentOfYear(app: ImportEngines, run: Import, { year, compiled_on }: Contents): Promise<void> {
  const years = new Set([...run.months].map((month) => Number(month.slice(0, 4))))
  const fullYear = year ?? (years.size === 1 ? present([...years][0]) : null)
  if (fullYear === null || !years.has(fullYear))
    return void refuseField('whole_year', 'The file is not of a single year. Its rows were stored, and none was withdrawn.')
  if (mayWithdraw(run)) addTouched(run, await withdrawAbsent(run.client, run.source, `${fullYear}/`, compiled_on, app.clock.now()))
}
