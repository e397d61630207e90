import assert from 'node:assert'
import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Pool } from 'undici'
import { abilities } from '#domain/access/abilities.ts'
import { authenticate } from '#domain/access/authenticate.ts'
import { issueToken } from '#domain/access/tokens.ts'
import { type App, closeApp, openApp } from '#domain/app.ts'
import { systemClock } from '#domain/engines/clock.ts'
import { configFor } from '#domain/kernel/config.ts'
import { createTeam } from '#domain/plans/teams.ts'
import { findReport, listReports } from '#domain/reports/find.ts'
import { openApi } from '#rest/host.ts'
import { requestId } from '#rest/request-id.ts'
import type { Arm, Bed, Measured, Reach } from './frame.ts'

export const claim = 'A REST answer made from the table and the GraphQL schema costs little more than one written by hand'

/** Reports in the archive of all teams; the one that asks has a hundredth of them. */
export const sizes = { small: [1_000, 10_000], full: [10_000, 100_000] } as const
/** Requests in flight: a busy server. */
const AT_ONCE = 8
/** Never reached. */
const LIMIT = 100_000_000
const PER_PAGE = 25

interface Stage {
  ours: Pool
  by_hand: Pool
  token: string
  one: string
}

export async function setup(bed: Bed): Promise<Stage> {
  const { url, pool } = await bed.database()
  const app = await openApp(configFor({ database_url: url, rate_limit_per_minute: LIMIT, home: bed.folder }))
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
  const ours = await listening(bed, await openApi(app))
  const by_hand = await listening(bed, writtenByHand(app))
  return { ours, by_hand, token, one: rows[0].id }
}

async function listening(bed: Bed, fastify: FastifyInstance): Promise<Pool> {
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

/** The peer: the same token, limit, rows and headers, answered by two handlers that know what they answer. */
function writtenByHand(app: App): FastifyInstance {
  const fastify = Fastify({ genReqId: () => requestId() })
  fastify.addHook('onSend', async (request, reply, body) => {
    const etag = `"${hash('sha1', body as string, 'base64url')}"`
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff', etag })
  })
  const admit = async (request: FastifyRequest, reply: FastifyReply) => {
    const { caller, rate } = await authenticate(app, request.headers.authorization, request.ip)
    reply.headers({ 'x-ratelimit-limit': rate.limit, 'x-ratelimit-remaining': rate.remaining })
    return caller
  }
  fastify.get('/api/v1/reports', async (request, reply) => {
    const caller = await admit(request, reply)
    const { page = '1', per_page = String(PER_PAGE) } = request.query as { page?: string; per_page?: string }
    const paging = { page: Number(page), per_page: Number(per_page) }
    const { data, total } = await listReports(app, caller, paging)
    const path = `${app.config.base_url}/api/v1/reports`
    const last_page = Math.max(1, Math.ceil(total / paging.per_page))
    const link = (number: number) => `${path}?page=${number}`
    return {
      data,
      links: {
        first: link(1),
        last: link(last_page),
        prev: paging.page > 1 ? link(paging.page - 1) : null,
        next: paging.page < last_page ? link(paging.page + 1) : null,
      },
      meta: { current_page: paging.page, from: 1, last_page, path, per_page: paging.per_page, to: data.length, total },
    }
  })
  fastify.get('/api/v1/reports/:report', async (request, reply) => {
    const caller = await admit(request, reply)
    return { data: await findReport(app, caller, (request.params as { report: string }).report) }
  })
  return fastify
}

async function ask(client: Pool, { token }: Stage, path: string): Promise<{ headers: IncomingHttpHeaders; text: string }> {
  const { statusCode, headers, body } = await client.request({ method: 'GET', path, headers: { authorization: `Bearer ${token}` } })
  const text = await body.text()
  assert.equal(statusCode, 200, text)
  return { headers, text }
}

/** The measure is the time of one among those in flight. */
async function together(client: Pool, stage: Stage, path: string): Promise<Measured> {
  await Promise.all(Array.from({ length: AT_ONCE }, () => ask(client, stage, path)))
  return { operations: AT_ONCE }
}

const cases = { 'a list of 25': () => '/api/v1/reports', one: ({ one }: Stage) => `/api/v1/reports/${one}` }

export const arms: Arm<Stage>[] = Object.entries(cases).flatMap(([title, path]) => [
  { name: 'table and schema', case: title, run: (stage: Stage) => together(stage.ours, stage, path(stage)) },
  { name: 'by hand', case: title, peer: true, run: (stage: Stage) => together(stage.by_hand, stage, path(stage)) },
])

/** 0.9 of the requests in the same time. */
export const reach: Reach[] = Object.keys(cases).map((title) => ({
  case: title,
  arm: 'table and schema',
  peer: 'by hand',
  ratio_at_most: 1 / 0.9,
}))

/**
 * Both send the same, in as many bytes, under the same headers: only a layout's keys come in the order of the column where
 * they are not picked, and the limit's and the request's own values differ.
 */
export async function check(stage: Stage): Promise<void> {
  for (const path of Object.values(cases)) {
    const [ours, by_hand] = [await ask(stage.ours, stage, path(stage)), await ask(stage.by_hand, stage, path(stage))]
    assert.equal(ours.text.length, by_hand.text.length)
    assert.deepEqual(JSON.parse(ours.text), JSON.parse(by_hand.text))
    assert.deepEqual(Object.keys(ours.headers).sort(), Object.keys(by_hand.headers).sort())
  }
}
