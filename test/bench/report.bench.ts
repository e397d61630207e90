import assert from 'node:assert'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { abilities } from '#domain/access/abilities.ts'
import { scopedDb } from '#domain/access/scope.ts'
import { type App, closeApp, openApp } from '#domain/app.ts'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { searchArchive } from '#domain/archive/search.ts'
import type { Caller } from '#domain/caller.ts'
import { configFor } from '#domain/config.ts'
import { locate } from '#domain/places/locate.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { seedPlaces } from '#domain/places/places.ts'
import { topUp } from '#domain/plans/credits.ts'
import { planOf } from '#domain/plans/plans.ts'
import { createTeam } from '#domain/plans/teams.ts'
import { requestReport } from '#domain/reports/request.ts'
import { blankPrinter } from '#test/support/printer.ts'
import { startWorkers } from '#workers/main.ts'
import type { Arm, Bed, Reach } from './frame.ts'

export const claim = 'A report is complete within three times what its own search and writes take by hand'

/** Reports that the team already has: the cost of one more does not grow with them. */
export const sizes = { small: [10, 100], full: [100, 1_000] } as const

interface Stage {
  app: App
  caller: Caller
  place: LocatedPlace
}

const request = {
  address: sampleStorm.address,
  window_start: sampleStorm.window_start,
  window_end: sampleStorm.window_end,
  radius_miles: sampleStorm.radius_miles,
}
const CREDITS = 100_000

export async function setup(bed: Bed): Promise<Stage> {
  const { url } = await bed.database()
  const app = await openApp(configFor({ database_url: url, home: bed.folder, blobs: path.join(bed.folder, 'blobs') }), {
    printer: blankPrinter,
  })
  bed.closing(() => closeApp(app))
  await seedPlaces(app.pool)
  await seedSample(app)
  // Documents are another claim: this one is about the report.
  const workers = await startWorkers(app, ['report.generate'])
  bed.closing(() => workers.stop())
  const team = await createTeam(app.db, app.clock, { name: 'Bench', plan: 'enterprise' })
  await topUp(app.db, team.id, CREDITS, app.clock.now())
  const found = await app.db.team.findUniqueOrThrow({ where: { id: team.id } })
  const caller: Caller = {
    team: { id: found.id, name: found.name, timezone: found.timezone, created_at: found.created_at, on_trial: false, lapsed: false },
    plan: planOf(found, app.clock.now()),
    abilities: new Set(abilities.map(({ name }) => name)),
    token: { id: found.id, name: 'bench', prefix: 'wt_bench0', expires_at: null, last_used_at: app.clock.now() },
    db: scopedDb(app.db, found.id),
  }
  const located = await locate(app, request.address)
  if (!('place' in located)) throw new Error('the address of the sample is not located')
  const stage = { app, caller, place: located.place }
  for (let held = 0; held < bed.size; held++) await complete(stage)
  return stage
}

/** From the request to the row that says complete. */
async function complete({ app, caller }: Stage): Promise<string> {
  const { report } = await requestReport(app, caller, request, null)
  for (;;) {
    const { rows } = await app.pool.query<{ status: string }>({
      name: 'bench_status',
      text: 'SELECT status FROM reports WHERE id = $1',
      values: [report.id],
    })
    if (rows[0]?.status === 'complete') return report.id
    if (rows[0]?.status === 'failed') throw new Error('the report failed')
    await pause(1)
  }
}

/** The same reading and the same rows, with nothing between them. */
async function byHand({ app, caller, place }: Stage): Promise<void> {
  const { window_start: start, window_end: end, radius_miles } = request
  const { records } = await searchArchive(app, place, { start, end, radius_miles })
  const client = await app.pool.connect()
  try {
    await client.query('BEGIN')
    const inserted = await client.query<{ id: string }>({ name: 'bench_copy', text: COPY_REPORT, values: [caller.team.id] })
    const id = inserted.rows[0]?.id
    await client.query({ name: 'bench_findings', text: COPY_FINDINGS, values: [id, caller.team.id] })
    await client.query({ name: 'bench_records', text: COPY_RECORDS, values: [id, caller.team.id] })
    await client.query('ROLLBACK')
    assert.ok(records.length > 0)
  } finally {
    client.release()
  }
}

const NEWEST = "(SELECT id FROM reports WHERE team_id = $1 AND status = 'complete' ORDER BY created_at DESC LIMIT 1)"
const COPY_REPORT = `
  INSERT INTO reports (id, team_id, status, query, street, city, state, postal_code, latitude, longitude, precision, window_start, window_end, radius_miles, plan_tier, layout, issued_at, headline, fingerprint, generated_at, event_count)
  SELECT gen_random_uuid(), team_id, status, query, street, city, state, postal_code, latitude, longitude, precision, window_start, window_end, radius_miles, plan_tier, layout, issued_at, headline, fingerprint, generated_at, event_count
    FROM reports WHERE id = ${NEWEST} RETURNING id`
const COPY_FINDINGS = `
  INSERT INTO findings SELECT $1::uuid, team_id, position, family, family_label, event_count, peak_severity, evidence_kinds, evidence_labels, dates, most_recent, peak_hail_in, peak_wind_mph,
         peak_tornado_ef, nearest_miles, any_observed, confidence, confidence_label, statement FROM findings WHERE report_id = ${NEWEST.replaceAll('$1', '$2')}`
const COPY_RECORDS = `
  INSERT INTO report_records (report_id, team_id, position, record_id, type, family, severity, occurred_on, begins_at, precision, relevance, source, source_label, evidence_kind, is_observed, methodology, citation_url, description)
  SELECT $1::uuid, team_id, position, record_id, type, family, severity, occurred_on, begins_at, precision, relevance, source, source_label, evidence_kind, is_observed, methodology, citation_url, description
    FROM report_records WHERE report_id = ${NEWEST.replaceAll('$1', '$2')}`

export const arms: Arm<Stage>[] = [
  {
    name: 'accepted to complete',
    async run(stage) {
      await complete(stage)
    },
  },
  { name: 'its search and writes by hand', peer: true, run: byHand },
]

export const reach: Reach[] = [
  { arm: 'accepted to complete', peer: 'its search and writes by hand', ratio_at_most: 3 },
  { arm: 'accepted to complete', at_most: 500, percentile: 95 },
]

export async function check(stage: Stage): Promise<void> {
  const id = await complete(stage)
  const report = await stage.app.db.report.findUniqueOrThrow({ where: { id } })
  assert.ok(report.event_count > 0 && report.fingerprint)
  await byHand(stage)
}
