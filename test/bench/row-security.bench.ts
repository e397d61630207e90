import assert from 'node:assert'
import pg from 'pg'
import type { Pool } from 'undici'
import { abilities } from '#domain/access/abilities.ts'
import { issueToken } from '#domain/access/tokens.ts'
import { closeApp, openApp } from '#domain/app.ts'
import { systemClock } from '#domain/engines/clock.ts'
import { ignoreLostConnections } from '#domain/engines/pool.ts'
import { sharedPool } from '#domain/engines/row-scope.ts'
import { grantService } from '#domain/engines/service-role.ts'
import { createTeam } from '#domain/plans/teams.ts'
import { createApiServer } from '#rest/host.ts'
import { configFor } from '#test/support/config-for.ts'
import type { Arm, Bed, Measured, Reach } from './frame.ts'
import { FINDINGS, REPORTS, serve } from './served-reports.ts'

export const claim = 'The wall around a team’s rows costs a read at most a twentieth'

/** Reports of all teams in the database; the measured team has a hundredth of them. */
export const sizes = { small: [1_000, 10_000], full: [10_000, 100_000] } as const
/** Requests in flight: a busy server. */
const AT_ONCE = 8
/** A limit that is never reached. */
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
  const ownReports = Math.max(PER_PAGE, bed.size / 100)
  await pool.query(REPORTS, [team.id, ownReports])
  await pool.query(REPORTS, [other.id, bed.size - ownReports])
  await pool.query(FINDINGS)
  await pool.query('ANALYZE reports')
  await pool.query('ANALYZE findings')
  const { rows } = await pool.query('SELECT id FROM reports WHERE team_id = $1 LIMIT 1', [team.id])
  const bare = await openApp(configFor({ ...settings, database_url: url }), { pool: namingNothing(url, bed) })
  bed.closing(() => closeApp(bare))
  return {
    walled: await serve(bed, await createApiServer(app), AT_ONCE),
    open: await serve(bed, await createApiServer(bare), AT_ONCE),
    token,
    one: rows[0].id,
  }
}

/** Connections of the owner, whom row-level security does not restrict here, without the statements that set a scope. */
function namingNothing(connectionString: string, bed: Bed): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: configFor({ database_url: connectionString }).database_pool })
  ignoreLostConnections(pool)
  bed.closing(() => pool.end())
  const query = ({ name, text, values }: pg.QueryConfig) =>
    pool.query({ ...(name !== undefined && { name }), text, ...(values && { values }) })
  const bare: pg.Pool = Object.assign(Object.create(pool), { query })
  assert.equal(sharedPool(bare), bare)
  return bare
}

const cases = {
  'a list of 25': () => `/reports?page=1&per_page=${PER_PAGE}`,
  one: ({ one }: Stage) => `/reports/${one}`,
}

/** A burst of as many requests as are in flight at once. */
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
