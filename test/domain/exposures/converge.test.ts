import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { detect } from '#domain/exposures/detect.ts'
import { cellsWithin } from '#domain/geo/cells.ts'
import type { DetectionTask } from '#domain/kernel/outbox.ts'
import { readCsv } from '../../oracle/csv.ts'
import { aTeam } from '../../support/factories.ts'
import { killOnce, spawnTask } from '../../support/process-task.ts'
import { openWorld, type World } from '../../support/world.ts'
import { type DetailsRow, details, detailsText, importText, present, skipped } from '../archive/files.ts'
import { frisco, storm } from './storm.ts'
import { aWatchedWorld, everything } from './watched-world.ts'

const file = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'storm-events', details(2019))
/** The reports in north Texas that month. */
const rows: DetailsRow[] = present
  ? readCsv(file).filter((row) => row.STATE === 'TEXAS' && row.BEGIN_YEARMONTH === '201903' && Number(row.BEGIN_LAT) > 32.3)
  : []
const quarters = [0, 1, 2, 3].map((quarter) => rows.filter((_, place) => place % 4 === quarter))

/**
 * Each quarter is read once at each position and once right after each other quarter. The fault tests run all 24 orders of a whole file.
 */
const orders = [
  [0, 1, 3, 2],
  [1, 2, 0, 3],
  [2, 3, 1, 0],
  [3, 0, 2, 1],
]

describe.skipIf(!present)(`a month of storms${skipped}`, () => {
  it('creates the same exposures and one event each in any order of its quarters, also when read twice', async () => {
    const seen = new Set<string>()
    for (const order of orders) {
      const world = await aWatchedWorld()
      for (const quarter of order) await storm(world, quarters[quarter] as DetailsRow[])
      const found = await everything(world)
      expect(found.length).toBeGreaterThan(5)
      expect(found.every(({ announced }) => announced === 1)).toBe(true)
      seen.add(JSON.stringify(found))
      await storm(world, rows)
      seen.add(JSON.stringify(await everything(world)))
      await world.close()
    }
    expect(seen.size).toBe(1)
  })
})

describe('a detection that is killed midway', () => {
  /** Enough pages of places that the kill comes between two of them. */
  const PLACES = 1000

  it('leads to the same result as an uninterrupted one, and to no duplicate event', async () => {
    const world = await openWorld()
    const team = await aTeam(world)
    await plant(world, team.id)
    await importText(world, detailsText({ EVENT_ID: '1' }, { EVENT_ID: '2', BEGIN_LAT: '33.16', END_LAT: '33.16', MAGNITUDE: '1.00' }))
    const staged = await world.app.db.outboxJob.findMany({ where: { name: 'detection.run' } })
    const child = spawnTask(world, { now: world.clock.now().toISOString(), detect: staged[0]?.payload as unknown as DetectionTask })
    const count = () => world.app.db.exposure.count()
    expect(await killOnce(child, async () => (await count()) > 0)).toBe(true)
    const half = await count()
    expect(half).toBeGreaterThan(0)
    expect(half).toBeLessThan(PLACES)
    for (const { payload } of staged) await detect(world.app, payload as unknown as DetectionTask)
    const { rows } = await world.app.pool.query(`
      SELECT count(*)::int AS exposures, count(DISTINCT property_id)::int AS places, min(reports) AS least, max(reports) AS most,
             (SELECT count(*)::int FROM events WHERE name = 'exposure.detected') AS announced,
             (SELECT count(DISTINCT exposure_ids)::int FROM events) AS apart FROM exposures`)
    expect(rows).toEqual([{ exposures: PLACES, places: PLACES, least: 2, most: 2, announced: PLACES, apart: PLACES }])
  })

  async function plant(world: World, team_id: string): Promise<void> {
    await world.app.pool.query(
      `WITH made AS (
         INSERT INTO properties (id, team_id, label, query, query_key, address_key, located, latitude, longitude, watch_radius_miles, tags)
         SELECT gen_random_uuid(), $1, 'P' || n, 'P' || n, 'p' || n, 'p' || n, true, $2, $3, 5, '{}' FROM generate_series(1, $4) n RETURNING *)
       INSERT INTO watch_cells (subject_id, cell, team_id, subject, latitude, longitude, radius_miles)
       SELECT id, cell, team_id, 'property', latitude, longitude, watch_radius_miles FROM made CROSS JOIN unnest($5::int[]) cell`,
      [team_id, frisco.latitude, frisco.longitude, PLACES, cellsWithin(frisco.latitude, frisco.longitude, 5)],
    )
  }
})
