import {
  holdsCornersOf,
  NO_CORNERS,
  prepareCorners,
  type RemovedCorners,
  removeAbsentCorners,
  stageCorners,
  upsertCorners,
} from '#domain/archive/ingest/event-corners.ts'
import { addCounts, addTouched, countUnchanged, type Import } from '#domain/archive/ingest/import.ts'
import type { KindHandler } from '#domain/archive/ingest/kinds/kind.ts'
import { mayWithdraw } from '#domain/archive/ingest/withdraw.ts'
import { refuseField } from '#domain/kernel/validation.ts'

/** Corners of flood areas, from files separate from those of their events. */
export const corners: KindHandler = {
  can_be_whole_year: true,
  stores_at_end: true,
  prepare: prepareCorners,
  async addBatch(_app, { client }, { corners }) {
    if (corners.length > 0) await stageCorners(client, corners)
  },
  async finish(_app, run, { compiled_on, year }) {
    const absent = run.options.whole_year ? await removeAbsentOfYear(run, year, compiled_on) : NO_CORNERS
    const { inserted, updated, withdrawn, touched } = await upsertCorners(run.client, run.source, compiled_on, absent)
    for (const one of touched) addTouched(run, { ...one, inserted: 0, updated: 0 })
    addCounts(run.counts, { inserted, updated, withdrawn })
    countUnchanged(run)
  },
}

async function removeAbsentOfYear(run: Import, year: number | null, compiled_on: string | null): Promise<RemovedCorners> {
  if (year === null)
    return refuseField('whole_year', 'The file name does not state its year. None of its corners was stored, and none was withdrawn.')
  const prefix = `${year}/`
  // Files of years before 1996 are empty, so a file without corners proves nothing.
  if (await holdsCornersOf(run.client, prefix))
    return mayWithdraw(run) ? removeAbsentCorners(run.client, run.source, prefix, compiled_on) : NO_CORNERS
  run.notes.push(`Nothing was withdrawn: the file has no corner of ${year}.`)
  return NO_CORNERS
}
