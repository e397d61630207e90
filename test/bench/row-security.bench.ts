import assert from 'node:assert'
import type { AddressInfo } from 'node:net'
import pg from 'pg'
import { Pool } from 'undici'
import { abilities } from '#domain/access/abilities.ts'
import { issueToken } from '#domain/access/tokens.ts'
import { type App, closeApp, openApp } from '#domain/app.ts'
import { systemClock } from '#domain/engines/clock.ts'
import { sharedPool } from '#domain/engines/row-scope.ts'
import { grantService } from '#domain/engines/service-role.ts'
import { configFor } from '#domain/kernel/config.ts'
import { createTeam } from '#domain/plans/teams.ts'
import { openApi } from '#rest/host.ts'
import type { Arm, Bed, Measured, Reach } from './frame.ts'

export const claim = 'The wall around a team’s rows costs a read at most a twentieth'

/** Reports in the archive of all teams; the one that asks has a hundredth of them. */
export const sizes = { small: [1_000, 10_000], full: [10_000, 100_000] } as const
/** Requests in flight: a busy server. */
const AT_ONCE = 8
/** Never reached. */
const LIMIT = 100_000_000
const PER_PAGE = 25

interface Stage {
  walled: Pool
  open: Pool
  token: string
  one: string
}

export async function setup(bed: Bed): Promise<Stage> {
  const { url, pool } = await bed.database()
  const serving = Object.assign(new URL(url), { username: 'bench_service', password: 'bench' }).href
  await grantService(url, serving)
  const settings = { rate_limit_per_minute: LIMIT, home: bed.folder }
  const app = await openApp(configFor({ ...settings, database_url: serving }))
  bed.closing(() => closeApp(app))
  const team = await createTeam(app.db, systemClock, { name: 'Bench', plan: 'enterprise' })
  const other = await createTeam(app.db, systemClock, { name: 'Other', plan: 'enterprise' })
  const granted = { team_id: team.id, name: 'Bench', abilities: abilities.map(({ name }) => name), expires_at: null }
  const { token } = await issueToken(app.db, granted)
  const mine = Math.max(PER_PAGE, bed.size / 100)
  await pool.query(REPORTS, [team.id, mine])
  await pool.query(REPORTS, [other.id, bed.size - mine])
  await pool.query(FINDINGS)
  await pool.query('ANALYZE reports')
  await pool.query('ANALYZE findings')
  const { rows } = await pool.query('SELECT id FROM reports WHERE team_id = $1 LIMIT 1', [team.id])
  const bare = await openApp(configFor({ ...settings, database_url: url }), { pool: namingNothing(url, bed) })
  bed.closing(() => closeApp(bare))
  return { walled: await listening(bed, app), open: await listening(bed, bare), token, one: rows[0].id }
}

/** Connections of the owner, whom no wall stops here, that leave out what names a scope. */
function namingNothing(connectionString: string, bed: Bed): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: configFor({ database_url: connectionString }).database_pool })
  bed.closing(() => pool.end())
  const query = ({ name, text, values }: pg.QueryConfig) => pool.query({ name, text, values })
  const bare: pg.Pool = Object.assign(Object.create(pool), { query })
  assert.equal(sharedPool(bare), bare)
  return bare
}

async function listening(bed: Bed, app: App): Promise<Pool> {
  const fastify = await openApi(app)
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  bed.closing(() => fastify.close())
  const client = new Pool(`http://127.0.0.1:${(fastify.server.address() as AddressInfo).port}`, { connections: AT_ONCE })
  bed.closing(() => client.close())
  return client
}

const REPORTS = `
  INSERT INTO reports (id, team_id, status, query, street, city, state, postal_code, county, latitude, longitude, precision, window_start, window_end,
                       radius_miles, event_count, observation_count, coverage_complete, coverage_summary, sources_searched, headline, fingerprint,
                       plan_tier, layout, issued_at, created_at, generated_at)
  SELECT gen_random_uuid(), $1, 'complete', n || ' Main St, Moore, OK 73160', n || ' Main St', 'Moore', 'OK', '73160', 'Cleveland County', 35.3, -97.5,
         'zip', '2024-01-01', '2024-12-31', 5, 12, 3, true, 'Final records through 2024-12-31. 3 sources searched, 2 with records.',
         ARRAY['noaa_storm_events', 'nws_lsr'], '5 ground reports of hail up to 1.75 in within 5 mi', repeat('ab', 32), 'enterprise',
         '{"sections":["summary","findings","map","events"],"imagery":[],"elements":["key_figures"],"map":{"base":"plain","layers":["hail","rings"]}}',
         now(), now() - n * interval '1 minute', now()
    FROM generate_series(1, $2::int) n`

const FINDINGS = `
  INSERT INTO findings (report_id, team_id, position, family, family_label, event_count, peak_severity, evidence_kinds, evidence_labels, dates,
                        most_recent, peak_hail_in, nearest_miles, any_observed, confidence, confidence_label, statement)
  SELECT r.id, r.team_id, p, 'thunderstorm', 'Thunderstorm: hail, wind, tornado', 6, 'severe', ARRAY['ground'], ARRAY['Ground report'],
         ARRAY['2024-05-28', '2024-04-02']::date[], '2024-05-28', 1.75, 0.84, true, 'high', 'High: independent evidence agrees',
         '5 ground reports of hail up to 1.75 in (golf ball; measured or estimated: not stated) within 5 mi; nearest 0.84 mi NNE on 2024-05-28.'
    FROM reports r, generate_series(0, 1) p`

const cases = {
  'a list of 25': () => `/reports?page=1&per_page=${PER_PAGE}`,
  one: ({ one }: Stage) => `/reports/${one}`,
}

/** A burst of as many as are in flight at once. */
async function burst(stage: Stage, client: Pool, path: string): Promise<Measured> {
  await Promise.all(Array.from({ length: AT_ONCE }, () => ask(stage, client, path)))
  return { operations: AT_ONCE }
}

async function ask({ token }: Stage, client: Pool, path: string): Promise<string> {
  const answer = await client.request({ method: 'GET', path: `/api/v1${path}`, headers: { authorization: `Bearer ${token}` } })
  const body = await answer.body.text()
  assert.equal(answer.statusCode, 200, body)
  return body
}

export const arms: Arm<Stage>[] = Object.entries(cases).flatMap(([name, path]) => [
  { name: 'within the wall', case: name, run: (stage: Stage) => burst(stage, stage.walled, path(stage)) },
  { name: 'without', case: name, peer: true, run: (stage: Stage) => burst(stage, stage.open, path(stage)) },
])

export const reach: Reach[] = Object.keys(cases).map((name) => ({
  case: name,
  arm: 'within the wall',
  peer: 'without',
  ratio_at_most: 1.05,
}))

export async function check(stage: Stage): Promise<void> {
  for (const path of Object.values(cases)) {
    const [within, without] = await Promise.all([stage.walled, stage.open].map((client) => ask(stage, client, path(stage))))
    assert.equal(within, without)
  }
}
