import { addTouched } from '#domain/archive/ingest/import.ts'
import { finishFeed } from '#domain/archive/ingest/kinds/feed-end.ts'
import type { KindHandler } from '#domain/archive/ingest/kinds/kind.ts'
import { storeFrames } from '#domain/archive/radar/upsert.ts'

/** Radar grids of the whole country. */
export const frames: KindHandler = {
  can_be_whole_year: false,
  stores_at_end: false,
  async addBatch(_app, run, { frames }) {
    if (frames.length === 0) return
    const touched = await storeFrames(run.client, run.source, frames, run.file_id)
    addTouched(run, touched)
    run.counts.unchanged += frames.length - touched.inserted
  },
  finish: (app, run, contents) => finishFeed(app, run, contents, run.months),
}
