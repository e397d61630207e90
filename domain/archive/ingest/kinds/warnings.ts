import { markDays } from '#domain/archive/coverage/coverage-days.ts'
import { addDays, addTouched, coveredDays, reject } from '#domain/archive/ingest/import.ts'
import type { KindHandler } from '#domain/archive/ingest/kinds/kind.ts'
import { statesOf } from '#domain/archive/warnings/ugc.ts'
import { upsertWarnings } from '#domain/archive/warnings/upsert.ts'
import type { WarningMessage } from '#domain/archive/warnings/warning.ts'
import { daysAt, type StateDay } from '#domain/geo/state-days.ts'

/** Warning messages. */
export const warnings: KindHandler = {
  can_be_whole_year: false,
  stores_at_end: false,
  async addBatch(app, run, { warnings }) {
    if (warnings.length === 0) return
    const { touched, keys, unchanged, rejections } = await upsertWarnings(run.client, warnings, app.clock.now())
    addTouched(run, touched)
    run.fresh_warnings.push(...keys)
    run.counts.unchanged += unchanged
    reject(run, rejections)
    for (const warning of warnings) addDays(run, daysOf(warning))
  },
  /** Covers each state's days that have a message, and the days that a feed of every state vouches for. */
  async finish(_app, run) {
    await markDays(run.client, run.source, [...run.days.values(), ...coveredDays(run)])
  },
}

function daysOf(warning: WarningMessage): StateDay[] {
  return daysAt(statesOf(warning), warning.sent_at)
}
