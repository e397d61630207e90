import assert from 'node:assert'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Pool } from 'undici'
import { abilities } from '#domain/access/abilities.ts'
import { authenticate } from '#domain/access/authenticate.ts'
import { withinTeam } from '#domain/access/scope.ts'
import { issueToken } from '#domain/access/tokens.ts'
import { type App, closeApp, openApp } from '#domain/app.ts'
import { systemClock } from '#domain/engines/clock.ts'
import { createTeam } from '#domain/plans/teams.ts'
import { createApiServer } from '#rest/host.ts'
import { configFor } from '#test/support/config-for.ts'
import { EXPOSURES, PROPERTIES } from './exposed-properties.ts'
import type { Arm, Bed, Measured, Reach } from './frame.ts'
import { REPORTS, serve } from './served-reports.ts'

export const claim = 'A nested question of the graph costs a few times the one statement that a person would write for it'

/** Exposures of the team; it has a tenth as many properties, and a fifth as many reports. */
export const sizes = { small: [1_000, 10_000], full: [10_000, 100_000] } as const
const EXPOSURES_EACH = 10
const REPORTS_EACH = 2
/** Requests in flight: a busy server. */
const AT_ONCE = 8
/** A limit that is never reached. */
const LIMIT = 100_000_000

/** Six levels of records: 10 properties, 30 exposures, their 30 properties, 60 reports, their 60 properties, 120 exposures. */
const QUESTION = `{
  properties(per_page: 10) { data { label exposures(first: 3) { date headline property { label
    reports(first: 2) { headline property { label exposures(first: 2) { date headline } } } } } } }
}`

/** The same result as PostgreSQL writes it; $1 is the team. */
const BY_HAND = `
  WITH one AS (SELECT * FROM properties WHERE team_id = $1 ORDER BY created_at DESC, id DESC LIMIT 10)
  SELECT json_build_object('properties', json_build_object('data', (SELECT json_agg(json_build_object('label', one.label, 'exposures', (
    SELECT json_agg(json_build_object('date', two.date, 'headline', two.headline, 'property', (
      SELECT json_build_object('label', three.label, 'reports', (
        SELECT json_agg(json_build_object('headline', four.headline, 'property', (
          SELECT json_build_object('label', five.label, 'exposures', (
            SELECT json_agg(json_build_object('date', six.date, 'headline', six.headline) ORDER BY six.date DESC, six.id DESC)
              FROM (SELECT * FROM exposures WHERE team_id = $1 AND property_id = five.id ORDER BY date DESC, id DESC LIMIT 2) six))
            FROM properties five WHERE five.team_id = $1 AND five.id = four.property_id)) ORDER BY four.created_at DESC, four.id DESC)
          FROM (SELECT * FROM reports WHERE team_id = $1 AND property_id = three.id ORDER BY created_at DESC, id DESC LIMIT 2) four))
        FROM properties three WHERE three.team_id = $1 AND three.id = two.property_id)) ORDER BY two.date DESC, two.id DESC)
      FROM (SELECT * FROM exposures WHERE team_id = $1 AND property_id = one.id ORDER BY date DESC, id DESC LIMIT 3) two))
    ORDER BY one.created_at DESC, one.id DESC) FROM one))) AS data`

interface Stage {
  service: Pool
  by_hand: Pool
  token: string
}

export async function setup(bed: Bed): Promise<Stage> {
  const { url, pool } = await bed.database()
  const app = await openApp(configFor({ database_url: url, rate_limit_per_minute: LIMIT, home: bed.folder }))
  bed.closing(() => closeApp(app))
  const team = await createTeam(app.db, systemClock, { name: 'Bench', plan: 'enterprise' })
  const granted = { team_id: team.id, name: 'Bench', abilities: abilities.map(({ name }) => name), expires_at: null }
  const { token } = await issueToken(app.db, granted)
  const properties = bed.size / EXPOSURES_EACH
  await pool.query(PROPERTIES, [team.id, properties])
  await pool.query(EXPOSURES, [team.id, EXPOSURES_EACH])
  await pool.query(REPORTS, [team.id, properties * REPORTS_EACH])
  await pool.query(FILED, [team.id, REPORTS_EACH])
  await pool.query('ANALYZE properties, exposures, reports')
  return { service: await serve(bed, await createApiServer(app), AT_ONCE), by_hand: await serve(bed, writtenByHand(app), AT_ONCE), token }
}

const FILED = `
  UPDATE reports r SET property_id = p.id
    FROM (SELECT id, row_number() OVER (ORDER BY id) - 1 AS nth FROM reports WHERE team_id = $1) numbered,
         (SELECT id, row_number() OVER (ORDER BY id) - 1 AS nth FROM properties WHERE team_id = $1) p
   WHERE r.id = numbered.id AND p.nth = numbered.nth / $2::int`

/** The peer: the same token, limit and row-level security for the team's rows, and one statement. */
function writtenByHand(app: App): FastifyInstance {
  const fastify = Fastify()
  fastify.post('/graphql', async (request) => {
    const { caller } = await authenticate(app, request.headers.authorization, request.ip)
    const { rows } = await withinTeam(app, caller).pool.query({ name: 'bench_nested', text: BY_HAND, values: [caller.team.id] })
    return rows[0]
  })
  return fastify
}

async function ask(client: Pool, { token }: Stage): Promise<string> {
  const { statusCode, body } = await client.request({
    method: 'POST',
    path: '/graphql',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: QUESTION }),
  })
  const text = await body.text()
  assert.equal(statusCode, 200, text)
  return text
}

/** The measured value is the time of one request among those in flight. */
async function together(client: Pool, stage: Stage): Promise<Measured> {
  await Promise.all(Array.from({ length: AT_ONCE }, () => ask(client, stage)))
  return { operations: AT_ONCE }
}

export const arms: Arm<Stage>[] = [
  { name: 'six levels over GraphQL', run: (stage) => together(stage.service, stage) },
  { name: 'one statement by hand', peer: true, run: (stage) => together(stage.by_hand, stage) },
]

export const reach: Reach[] = [{ arm: 'six levels over GraphQL', peer: 'one statement by hand', ratio_at_most: 6 }]

/** Both return the same, and nothing in it is empty. */
export async function check(stage: Stage): Promise<void> {
  const [served, by_hand] = [await ask(stage.service, stage), await ask(stage.by_hand, stage)]
  assert.deepEqual(JSON.parse(served), JSON.parse(by_hand))
  assert.equal(served.match(/"headline":"Hail/g)?.length, 30 + 120)
}
