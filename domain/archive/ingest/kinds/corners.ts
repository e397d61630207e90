import { prepareCorners, stageCorners, upsertCorners } from '#domain/archive/ingest/event-corners.ts'
import { addCounts, addTouched, countUnchanged } from '#domain/archive/ingest/import.ts'
import type { KindHandler } from '#domain/archive/ingest/kinds/kind.ts'
import { prepareUpsert } from '#domain/archive/ingest/upsert.ts'

/** Corners of the areas of floods, from files beside those of their events. */
export const corners: KindHandler = {
  can_be_whole_year: false,
  async prepare(client) {
    await prepareUpsert(client)
    await prepareCorners(client)
  },
  async addBatch(_app, { client }, { corners }) {
    if (corners.length > 0) await stageCorners(client, corners)
  },
  async finish(_app, run, { compiled_on }) {
    const { inserted, updated, withdrawn, touched } = await upsertCorners(run.client, run.source, compiled_on)
    for (const one of touched) addTouched(run, { ...one, inserted: 0, updated: 0 })
    addCounts(run.counts, { inserted, updated, withdrawn })
    countUnchanged(run)
  },
}
