import assert from 'node:assert'
import type { Caller } from '#domain/access/caller.ts'
import type { App } from '#domain/app.ts'
import { systemClock } from '#domain/engines/clock.ts'
import { openDatabase } from '#domain/engines/database.ts'
import { createTeam } from '#domain/plans/teams.ts'
import { listReports } from '#domain/reports/find.ts'
import { reportColumns } from '#domain/reports/report-rows.ts'
import { configFor } from '#test/support/config-for.ts'
import type { Arm, Bed, Reach } from './frame.ts'

export const claim = 'A page of 25 reports costs what its rows cost when read by hand'

/** Reports of the team. */
export const sizes = { small: [200, 2_000], full: [2_000, 20_000] } as const

const PER_PAGE = 25

interface Stage {
  app: Pick<App, 'pool' | 'config'>
  caller: Pick<Caller, 'team'>
}

export async function setup(bed: Bed): Promise<Stage> {
  const { url } = await bed.database()
  const { db, pool, close } = openDatabase(url)
  bed.closing(close)
  const { id, name, timezone, created_at } = await createTeam(db, systemClock, { name: 'Bench', plan: 'enterprise' })
  await pool.query(
    `INSERT INTO reports (id, team_id, query, window_start, window_end, radius_miles, plan_tier, layout, issued_at, created_at, status, street, city, state,
                          postal_code, latitude, longitude, precision, event_count, headline, fingerprint, generated_at, sources_searched)
     SELECT gen_random_uuid(), $1, n || ' Main St, Frisco, TX', '2024-01-01', '2024-12-31', 5, 'enterprise', '{"sections":[],"imagery":[],"elements":[],"map":null}', now(),
            now() - n * interval '1 minute', 'complete', n || ' Main St', 'Frisco', 'TX', '75034', 33.15, -96.82, 'zip', 3, 'A headline', md5(n::text) || md5(n::text), now(), '{noaa_storm_events}'
       FROM generate_series(1, $2::int) n`,
    [id, bed.size],
  )
  await pool.query(
    `INSERT INTO findings (report_id, team_id, position, family, family_label, event_count, peak_severity, evidence_kinds, evidence_labels, dates, most_recent, any_observed, confidence, confidence_label, statement)
     SELECT id, team_id, 0, 'thunderstorm', 'Thunderstorm: hail, wind, tornado', 3, 'severe', '{ground}', '{Ground report}', '{2024-05-28}', '2024-05-28', true, 'medium', 'Medium: one kind of evidence', 'A statement' FROM reports`,
  )
  await pool.query('ANALYZE reports, findings')
  return {
    app: { pool, config: configFor({ database_url: url }) },
    caller: { team: { id, name, timezone, created_at, on_trial: false, lapsed: false } },
  }
}

const BY_HAND = `SELECT ${reportColumns}, (SELECT count(*)::int FROM reports WHERE team_id = $1) AS total FROM reports r WHERE r.team_id = $1 ORDER BY r.created_at DESC, r.id DESC LIMIT ${PER_PAGE} OFFSET 0`

const listed = ({ app, caller }: Stage) => listReports(app, caller, { page: 1, per_page: PER_PAGE })
const byHand = ({ app, caller }: Stage) => app.pool.query({ name: 'bench_page', text: BY_HAND, values: [caller.team.id] })

export const arms: Arm<Stage>[] = [
  {
    name: 'the listing',
    async run(stage) {
      await listed(stage)
    },
  },
  {
    name: 'its rows by hand',
    peer: true,
    async run(stage) {
      await byHand(stage)
    },
  },
]

export const reach: Reach[] = [{ arm: 'the listing', peer: 'its rows by hand', ratio_at_most: 1.1 }]

export async function check(stage: Stage): Promise<void> {
  const { data, total } = await listed(stage)
  const { rows } = await byHand(stage)
  assert.equal(data.length, PER_PAGE)
  assert.deepEqual(
    data.map(({ id }) => id),
    rows.map(({ id }) => id),
  )
  assert.equal(total, rows[0].total)
}
