import { addCounts, countUnchanged, type Import, type ImportEngines } from '#domain/archive/ingest/import.ts'
import type { KindHandler } from '#domain/archive/ingest/kinds/kind.ts'
import { lockSourceWithin } from '#domain/archive/ingest/source-lock.ts'
import { prepareZones, stageMembers, upsertZones } from '#domain/archive/ingest/zones.ts'
import { placeWarningsByZones } from '#domain/archive/warnings/place-by-zones.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'

/** The table of forecast zones and the counties that each lies in. */
export const zones: KindHandler = {
  can_be_whole_year: false,
  stores_at_end: true,
  prepare: prepareZones,
  async addBatch(_app, { client }, { members }) {
    if (members.length > 0) await stageMembers(client, members)
  },
  async finish(app, run) {
    await upsertAndPlace(app, run)
    countUnchanged(run)
  },
}

/** A new table of zones places the warnings of this many days, the same span that a new watch looks back. */
const WARNINGS_PLACED_DAYS = 30

/** Stores the zones. If they changed, places recent warnings by them. */
async function upsertAndPlace(app: ImportEngines, run: Import): Promise<void> {
  const { client, counts } = run
  const changes = await upsertZones(client)
  addCounts(counts, changes)
  if (changes.inserted + changes.withdrawn === 0) return
  await lockSourceWithin(client, 'nws_warnings')
  const now = app.clock.now()
  const since = new Date(now.getTime() - WARNINGS_PLACED_DAYS * DAY_MS)
  run.fresh_warnings.push(...(await placeWarningsByZones(client, since, now)))
  // Detection finds warnings by their keys. The days only describe what was touched.
  const days = { from: since.toISOString().slice(0, 10), to: now.toISOString().slice(0, 10) }
  run.fresh.push({ inserted: 0, updated: 0, withdrawn: 0, cells: [], ...days })
}
