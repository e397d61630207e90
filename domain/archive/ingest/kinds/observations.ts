import { markDays } from '#domain/archive/coverage/coverage-days.ts'
import { addCounts, addDays, coveredDays, reject } from '#domain/archive/ingest/import.ts'
import type { KindHandler } from '#domain/archive/ingest/kinds/kind.ts'
import { upsertObservations } from '#domain/archive/observations/upsert.ts'
import { ofKeptYears } from '#domain/archive/observations/years.ts'

/** Stations and their hourly observations. */
export const observations: KindHandler = {
  can_be_whole_year: false,
  stores_at_end: false,
  async addBatch(app, run, { stations, observations }) {
    const { kept, rejections } = ofKeptYears(app, observations)
    reject(run, rejections)
    if (stations.length + kept.length === 0) return
    const upserted = await upsertObservations(run.client, stations, kept)
    addCounts(run.counts, { inserted: upserted.inserted, updated: upserted.updated, withdrawn: 0 })
    run.counts.unchanged += upserted.unchanged
    addDays(run, upserted.days)
    reject(run, upserted.rejections)
  },
  async finish(_app, run) {
    await markDays(run.client, run.source, [...run.days.values(), ...coveredDays(run)])
  },
}
