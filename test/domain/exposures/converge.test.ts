import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { detect } from '#domain/exposures/detect.ts'
import type { DetectionTask } from '#domain/outbox.ts'
import { readCsv } from '../../oracle/csv.ts'
import { aTeam } from '../../support/factories.ts'
import { openWorld, type World } from '../../support/world.ts'
import { type DetailsRow, details, detailsText, importText, present, skipped } from '../archive/files.ts'
import { aProperty, aTerritory, box, frisco, storm } from './storm.ts'

const file = path.resolve(process.env.WEATHER_REAL_DATA ?? '../shared/data', 'storm-events', details(2019))
/** What fell on north Texas that month. */
const rows: DetailsRow[] = present
  ? readCsv(file).filter((row) => row.STATE === 'TEXAS' && row.BEGIN_YEARMONTH === '201903' && Number(row.BEGIN_LAT) > 32.3)
  : []
const quarters = [0, 1, 2, 3].map((quarter) => rows.filter((_, place) => place % 4 === quarter))

/** Watches over the storm's way, with their own names in every world. */
async function aWatchedWorld(): Promise<World> {
  const world = await openWorld()
  world.clock.set('2019-06-20T00:00:00Z')
  const team = await aTeam(world)
  for (const [place, [latitude, longitude]] of [
    [33.2, -96.65],
    [33.1, -96.8],
    [33.3, -97.1],
    [32.9, -97.3],
    [33.6, -96.6],
  ].entries())
    await aProperty(world, team, { label: `W${place}`, latitude, longitude, watch_radius_miles: 10 } as Parameters<typeof aProperty>[2])
  await aTerritory(world, team, box(33.0, -96.85, 33.4, -96.3), 'Collin')
  await world.drain()
  return world
}

/** Every exposure as a whole: ids by what they name, moments by whether they are. */
async function everything(world: World): Promise<unknown[]> {
  const { rows } = await world.app.pool.query<{ exposure: unknown }>(`
    SELECT to_jsonb(e) - '{id,team_id,property_id,territory_id,record_ids,first_seen_at,last_seen_at}'::text[]
           || jsonb_build_object('place', coalesce(p.label, t.name), 'notified_at', e.notified_at IS NOT NULL,
              'records', ARRAY(SELECT r.source_key FROM unnest(e.record_ids) WITH ORDINALITY AS cited (id, place) JOIN archive_records r USING (id) ORDER BY cited.place),
              'told', (SELECT count(*) FROM events v WHERE v.name = 'exposure.detected' AND v.exposure_ids = ARRAY[e.id])) AS exposure
      FROM exposures e LEFT JOIN properties p ON p.id = e.property_id LEFT JOIN territories t ON t.id = e.territory_id
     ORDER BY coalesce(p.label, t.name), e.date`)
  return rows.map(({ exposure }) => exposure)
}

const orders = permutations([0, 1, 2, 3])

function permutations(of: number[]): number[][] {
  return of.length === 0 ? [[]] : of.flatMap((first) => permutations(of.filter((one) => one !== first)).map((rest) => [first, ...rest]))
}

describe.skipIf(!present)(`a month of storms${skipped}`, () => {
  it('leaves the same exposures and one event each in all 24 orders of its quarters, and twice over', async () => {
    const seen = new Set<string>()
    for (const order of orders) {
      const world = await aWatchedWorld()
      for (const quarter of order) await storm(world, quarters[quarter] as DetailsRow[])
      const found = await everything(world)
      expect(found.length).toBeGreaterThan(5)
      expect(found.every((one) => (one as { told: number }).told === 1)).toBe(true)
      seen.add(JSON.stringify(found))
      await storm(world, rows)
      seen.add(JSON.stringify(await everything(world)))
      await world.close()
    }
    expect(orders).toHaveLength(24)
    expect(seen.size).toBe(1)
  }, 240_000)
})

describe('a detection that is killed half-way', () => {
  /** Enough pages of places that the kill falls between two of them. */
  const PLACES = 3000

  it('leaves what a whole one leaves, and no event twice', async () => {
    const world = await openWorld()
    const team = await aTeam(world)
    await plant(world, team.id)
    await importText(world, detailsText({ EVENT_ID: '1' }, { EVENT_ID: '2', BEGIN_LAT: '33.16', END_LAT: '33.16', MAGNITUDE: '1.00' }))
    const staged = await world.app.db.outboxJob.findMany({ where: { name: 'detection.run' } })
    const child = runElsewhere(world, staged[0]?.payload as unknown as DetectionTask)
    const count = () => world.app.db.exposure.count()
    const gone = once(child, 'exit')
    while ((await count()) === 0 && child.exitCode === null) await pause(5)
    child.kill('SIGKILL')
    await gone
    const half = await count()
    expect(half).toBeGreaterThan(0)
    expect(half).toBeLessThan(PLACES)
    for (const { payload } of staged) await detect(world.app, payload as unknown as DetectionTask)
    const { rows } = await world.app.pool.query(`
      SELECT count(*)::int AS exposures, count(DISTINCT property_id)::int AS places, min(reports) AS least, max(reports) AS most,
             (SELECT count(*)::int FROM events WHERE name = 'exposure.detected') AS told,
             (SELECT count(DISTINCT exposure_ids)::int FROM events) AS apart FROM exposures`)
    expect(rows).toEqual([{ exposures: PLACES, places: PLACES, least: 2, most: 2, told: PLACES, apart: PLACES }])
  }, 120_000)

  async function plant(world: World, team_id: string): Promise<void> {
    await world.app.pool.query(
      `WITH made AS (
         INSERT INTO properties (id, team_id, label, query, query_key, address_key, located, latitude, longitude, watch_radius_miles, tags)
         SELECT gen_random_uuid(), $1, 'P' || n, 'P' || n, 'p' || n, 'p' || n, true, $2, $3, 5, '{}' FROM generate_series(1, $4) n RETURNING *)
       INSERT INTO watch_cells (subject_id, cell, team_id, subject, latitude, longitude, radius_miles)
       SELECT id, cell, team_id, 'property', latitude, longitude, watch_radius_miles FROM made CROSS JOIN unnest($5::int[]) cell`,
      [
        team_id,
        frisco.latitude,
        frisco.longitude,
        PLACES,
        (await import('#domain/geo/cells.ts')).cellsWithin(frisco.latitude, frisco.longitude, 5),
      ],
    )
  }

  function runElsewhere(world: World, task: DetectionTask): ChildProcess {
    const script = path.resolve(import.meta.dirname, 'detect-elsewhere.ts')
    return spawn(process.execPath, ['--import', 'tsx', script], {
      env: { ...process.env, DATABASE_URL: world.app.config.database_url, TASK: JSON.stringify(task) },
      stdio: 'inherit',
    })
  }
})
