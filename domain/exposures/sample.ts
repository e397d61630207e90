import { scopedDb } from '#domain/access/scope.ts'
import type { App } from '#domain/app.ts'
import { SAMPLE_DELETED, SAMPLE_WATCHED } from '#domain/archive/ingest/delete-source.ts'
import { stageDetection } from '#domain/archive/ingest/stage-detection.ts'
import { sampleStorm } from '#domain/archive/sample/storm-day.ts'
import { planOf, planStatus } from '#domain/plans/plans.ts'
import { createProperty } from '#domain/properties/create.ts'
import { createTerritory } from '#domain/territories/create.ts'
import { MADE_UP } from '#domain/weather/sources.ts'

const NOTE = 'Made up with the sample storm day: it goes with weather archive forget sample.'

/**
 * Creates one property and one territory at the made-up storm day, once, and detects their exposures without announcing them.
 * Later changes by the team are kept.
 */
export async function watchSample(app: App, team_id: string): Promise<void> {
  const known = await app.db.installFact.findMany({ where: { name: { in: [SAMPLE_DELETED, SAMPLE_WATCHED] } } })
  if (known.length > 0) return
  const { id, name, timezone, created_at, ...subscription } = await app.db.team.findUniqueOrThrow({ where: { id: team_id } })
  const now = app.clock.now()
  const caller = {
    team: { id, name, timezone, created_at, ...planStatus(subscription, now) },
    plan: planOf(subscription, now),
    db: scopedDb(app.db, id),
  }
  const property = await createProperty(app, caller, {
    address: sampleStorm.address,
    label: `${MADE_UP}: Main Street`,
    kind: 'commercial',
    watch_radius_miles: sampleStorm.radius_miles,
    notes: NOTE,
  })
  const { territory } = await createTerritory(
    app,
    caller,
    {
      name: `${MADE_UP}: Frisco`,
      kind: 'radius',
      latitude: sampleStorm.latitude,
      longitude: sampleStorm.longitude,
      radius_miles: sampleStorm.radius_miles,
      notes: NOTE,
    },
    null,
  )
  const value = { property_id: property.id, territory_id: territory.id }
  await app.db.installFact.create({ data: { name: SAMPLE_WATCHED, value } })
  await detectSample(app)
}

/** A backfill does not reach as far back as the sample's records. */
async function detectSample({ pool }: Pick<App, 'pool'>): Promise<void> {
  const { rows } = await pool.query<{ cells: number[]; from: string; to: string }>(
    `SELECT array_agg(DISTINCT c.cell) AS cells, min(c.occurred_on) AS "from", max(c.occurred_on) AS "to"
       FROM record_cells c JOIN archive_records r ON r.id = c.record_id WHERE r.source = 'sample' HAVING count(*) > 0`,
  )
  const touched = rows.map((row) => ({ inserted: 0, updated: 0, withdrawn: 0, ...row }))
  await stageDetection(pool, touched, { quiet: true })
}
