import assert from 'node:assert'
import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from 'fastify'
import type { Pool } from 'undici'
import { abilities } from '#domain/access/abilities.ts'
import { authenticate } from '#domain/access/authenticate.ts'
import { withinTeam } from '#domain/access/scope.ts'
import { issueToken } from '#domain/access/tokens.ts'
import { type App, closeApp, openApp } from '#domain/app.ts'
import { systemClock } from '#domain/engines/clock.ts'
import { createTeam } from '#domain/plans/teams.ts'
import { findReport, listReports } from '#domain/reports/find.ts'
import { addToRequestLog } from '#graphql/context.ts'
import { createApiServer } from '#rest/host.ts'
import { requestId } from '#rest/request-id.ts'
import { logRequests } from '#rest/request-log.ts'
import { configFor } from '#test/support/config-for.ts'
import type { Arm, Bed, Measured, Reach } from './frame.ts'
import { FINDINGS, REPORTS, serve } from './served-reports.ts'

export const claim = 'A REST answer made from the table and the GraphQL schema costs little more than one written by hand'

/** Reports of all teams in the database; the measured team has a hundredth of them. */
export const sizes = { small: [1_000, 10_000], full: [10_000, 100_000] } as const
/** Requests in flight: a busy server. */
const AT_ONCE = 8
/** A limit that is never reached. */
const LIMIT = 100_000_000
const PER_PAGE = 25

interface Stage {
  service: Pool
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
  const ownReports = Math.max(PER_PAGE, bed.size / 100)
  await pool.query(REPORTS, [team.id, ownReports])
  await pool.query(REPORTS, [other.id, bed.size - ownReports])
  await pool.query(FINDINGS)
  await pool.query('ANALYZE reports')
  await pool.query('ANALYZE findings')
  const { rows } = await pool.query('SELECT id FROM reports WHERE team_id = $1 LIMIT 1', [team.id])
  const service = await serve(bed, await createApiServer(app), AT_ONCE)
  const by_hand = await serve(bed, writtenByHand(app), AT_ONCE)
  return { service, by_hand, token, one: rows[0].id }
}

/** The peer: the same token, limit, row-level security, rows, headers, log and metrics, served by two handlers with fixed responses. */
function writtenByHand(app: App): FastifyInstance {
  const fastify: FastifyInstance = Fastify({
    loggerInstance: app.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    childLoggerFactory: (logger) => logger,
    genReqId: () => requestId(),
  })
  logRequests(fastify, app)
  fastify.addHook('onSend', async (_request, reply, body) => {
    reply.header('etag', `"${hash('sha1', body as string, 'base64url')}"`)
  })
  const admit = async (request: FastifyRequest, reply: FastifyReply, operation: string) => {
    const { caller, rate } = await authenticate(app, request.headers.authorization, request.ip)
    addToRequestLog(request, { team_id: caller.team.id, operation })
    reply.headers({ 'x-ratelimit-limit': rate.limit, 'x-ratelimit-remaining': rate.remaining })
    return caller
  }
  fastify.get('/api/v1/reports', async (request, reply) => {
    const caller = await admit(request, reply, 'reports.list')
    const { page = '1', per_page = String(PER_PAGE) } = request.query as { page?: string; per_page?: string }
    const paging = { page: Number(page), per_page: Number(per_page) }
    const { data, total } = await listReports(withinTeam(app, caller), caller, paging)
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
    const caller = await admit(request, reply, 'reports.show')
    return { data: await findReport(withinTeam(app, caller), caller, (request.params as { report: string }).report) }
  })
  return fastify
}

async function ask(client: Pool, { token }: Stage, path: string): Promise<{ headers: IncomingHttpHeaders; text: string }> {
  const { statusCode, headers, body } = await client.request({ method: 'GET', path, headers: { authorization: `Bearer ${token}` } })
  const text = await body.text()
  assert.equal(statusCode, 200, text)
  return { headers, text }
}

/** The measured value is the time of one request among those in flight. */
async function together(client: Pool, stage: Stage, path: string): Promise<Measured> {
  await Promise.all(Array.from({ length: AT_ONCE }, () => ask(client, stage, path)))
  return { operations: AT_ONCE }
}

const cases = { 'a list of 25': () => '/api/v1/reports', one: ({ one }: Stage) => `/api/v1/reports/${one}` }

export const arms: Arm<Stage>[] = Object.entries(cases).flatMap(([title, path]) => [
  { name: 'table and schema', case: title, run: (stage: Stage) => together(stage.service, stage, path(stage)) },
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
 * Both send the same number of bytes with the same headers. Only the keys of a layout are in the order of the
 * column if they are not selected, and the values of the rate limit and the request id differ.
 */
export async function check(stage: Stage): Promise<void> {
  for (const path of Object.values(cases)) {
    const [served, by_hand] = [await ask(stage.service, stage, path(stage)), await ask(stage.by_hand, stage, path(stage))]
    assert.equal(served.text.length, by_hand.text.length)
    assert.deepEqual(JSON.parse(served.text), JSON.parse(by_hand.text))
    assert.deepEqual(Object.keys(served.headers).sort(), Object.keys(by_hand.headers).sort())
  }
}
