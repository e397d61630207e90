import assert from 'node:assert'
import type { Pool } from 'undici'
import { abilities } from '#domain/access/abilities.ts'
import { issueToken } from '#domain/access/tokens.ts'
import { closeApp, openApp } from '#domain/app.ts'
import { systemClock } from '#domain/engines/clock.ts'
import { createTeam } from '#domain/plans/teams.ts'
import { createApiServer } from '#rest/host.ts'
import { configFor } from '#test/support/config-for.ts'
import { EXPOSURES, PROPERTIES } from './exposed-properties.ts'
import type { Arm, Bed, Measured, Reach } from './frame.ts'
import { serve } from './served-reports.ts'

export const claim = 'Five hundred exposures are acknowledged in one call within a second'

/** Exposures of the team. */
export const sizes = { small: [1_000, 10_000], full: [10_000, 100_000] } as const
const EXPOSURES_EACH = 10
const MANY = 500
const WHOLE_MS = 1000
/** A limit that is never reached. */
const LIMIT = 100_000_000

interface Stage {
  client: Pool
  token: string
  ids: number[]
}

export async function setup(bed: Bed): Promise<Stage> {
  const { url, pool } = await bed.database()
  const app = await openApp(configFor({ database_url: url, rate_limit_per_minute: LIMIT, home: bed.folder }))
  bed.closing(() => closeApp(app))
  const team = await createTeam(app.db, systemClock, { name: 'Bench', plan: 'enterprise' })
  const granted = { team_id: team.id, name: 'Bench', abilities: abilities.map(({ name }) => name), expires_at: null }
  const { token } = await issueToken(app.db, granted)
  await pool.query(PROPERTIES, [team.id, bed.size / EXPOSURES_EACH])
  await pool.query(EXPOSURES, [team.id, EXPOSURES_EACH])
  await pool.query('ANALYZE properties, exposures')
  const { rows } = await pool.query<{ id: number }>('SELECT id FROM exposures WHERE team_id = $1 ORDER BY md5(id::text) LIMIT $2', [
    team.id,
    MANY,
  ])
  return { client: await serve(bed, await createApiServer(app), 1), token, ids: rows.map(({ id }) => id) }
}

async function post({ client, token }: Stage, path: string, sent: object): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const { statusCode, body } = await client.request({ method: 'POST', path, headers, body: JSON.stringify(sent) })
  const text = await body.text()
  assert.equal(statusCode, 200, text)
  return text
}

const move = (stage: Stage, mutation: string) =>
  post(stage, '/graphql', {
    query: `mutation ($ids: [Int!]!) { moved: ${mutation}(ids: $ids) { id outcome exposure { acknowledged_at headline } } }`,
    variables: { ids: stage.ids },
  })

const inOneCall = (stage: Stage) => move(stage, 'acknowledgeExposures')

async function oneByOne(stage: Stage): Promise<void> {
  for (const id of stage.ids) await post(stage, `/api/v1/exposures/${id}/acknowledge`, {})
}

/** Reopens all, and times only the mutation that acknowledges them. */
async function timed(stage: Stage, acknowledge: (stage: Stage) => Promise<unknown>): Promise<Measured> {
  await move(stage, 'reopenExposures')
  const startedAt = performance.now()
  await acknowledge(stage)
  return { operations: 1, value: performance.now() - startedAt }
}

export const arms: Arm<Stage>[] = [
  { name: '500 in one call', operations: 1, run: (stage) => timed(stage, inOneCall) },
  { name: 'a call each', peer: true, operations: 1, run: (stage) => timed(stage, oneByOne) },
]

export const reach: Reach[] = [
  { arm: '500 in one call', peer: 'a call each', ratio_at_most: 0.2 },
  { arm: '500 in one call', at_most: WHOLE_MS, percentile: 95 },
]

/** Both change every one, and each exposure has its own outcome. */
export async function check(stage: Stage): Promise<void> {
  const outcomes = (text: string) => (JSON.parse(text).data.moved as { outcome: string }[]).map(({ outcome }) => outcome)
  assert.deepEqual(outcomes(await inOneCall(stage)), Array(MANY).fill('moved'))
  assert.deepEqual(outcomes(await move(stage, 'reopenExposures')), Array(MANY).fill('moved'))
  await oneByOne(stage)
  assert.deepEqual(outcomes(await inOneCall(stage)), Array(MANY).fill('unchanged'))
}
