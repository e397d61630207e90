import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import { Writable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openLog } from '#domain/engines/log.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openReceiver, type Receiver } from '#test/support/receiver.ts'
import { metricNames, parseScrape, type Scrape } from '#test/support/scrape.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { startWorkers } from '#workers/main.ts'

/** The metrics and the log of a service with its workers while a team uses it. */
let world: World
let rest: Rest
let receiver: Receiver
let team_id: string
let token: string
let secret: string
let report_id: string
let refused_id: string
let before: Scrape
let after: Scrape
let text: string
const lines: Record<string, unknown>[] = []

const scrape = async (key = OPERATOR_KEY) =>
  rest.fastify.inject({ method: 'GET', url: '/metrics', headers: { authorization: `Bearer ${key}` } })
const rise = (series: string) => (after.get(series) ?? 0) - (before.get(series) ?? 0)

const until = <T>(read: () => Promise<T>, value: T) =>
  vi.waitFor(async () => expect(await read()).toBe(value), { timeout: 45_000, interval: 50 })

const SECRET_ADDRESS = '4242 Nowhere Street, 99999'
const SECRET_EMAIL = 'jo@private.example'

/** Requests a file over a socket, and closes the connection before there is a response. */
async function disconnectDuring(path: string): Promise<void> {
  await rest.fastify.listen({ host: '127.0.0.1', port: 0 })
  const { port } = rest.fastify.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  const received = once(rest.fastify.server, 'request')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`)
  await received
  socket.destroy()
  await vi.waitFor(() => expect(lines.some(({ aborted }) => aborted)).toBe(true))
}

beforeAll(async () => {
  const log = openLog('debug', new Writable({ write: (line, _encoding, done) => done(void lines.push(JSON.parse(String(line)))) }))
  world = await openWorld({ replace: { log }, config: { webhook_allowed_networks: ['127.0.0.0/8'] } })
  world.app.metrics.watchProcess()
  rest = await openRest(world)
  receiver = await openReceiver((response, _post, nth) => response.writeHead(nth === 1 ? 204 : 500).end())
  const team = await aTeam(world)
  team_id = team.id
  token = (await aToken(world, team)).token
  const reader = (await aToken(world, team, ['reports:read'])).token
  const workers = await startWorkers(world.app)
  before = parseScrape((await scrape()).body)

  const call = (method: 'GET' | 'POST', path: string, body?: unknown, as = token) => rest.call(method, path, { token: as, body })
  const destination = await call('POST', '/integrations', {
    name: 'CRM',
    channel: 'webhook',
    url: receiver.url,
    events: ['property.created'],
  })
  secret = destination.body.data.secret
  const window = { window_start: '2024-01-01', window_end: '2024-01-31' }
  report_id = (await call('POST', '/reports', { address: SECRET_ADDRESS, ...window })).body.data.id
  await until(async () => (await call('GET', `/reports/${report_id}`)).body.data.status, 'failed')
  for (const [street, status] of [
    ['1 Main St', 'sent'],
    ['2 Main St', 'retrying'],
  ] as const) {
    await call('POST', '/properties', { address: `${street}, Moore, OK 73160`, contacts: [{ name: 'Jo', email: SECRET_EMAIL }] })
    await until(() => world.app.db.delivery.count({ where: { status } }), 1)
  }

  refused_id = (await call('POST', '/reports', { address: SECRET_ADDRESS, ...window }, reader)).body.request_id
  await call('POST', '/reports', {})
  await call('GET', '/reports/00000000-0000-4000-8000-000000000000')
  await call('GET', '/reports', undefined, 'wt_nobody')
  await rest.fastify.inject({ method: 'POST', url: '/graphql', payload: { query: '{ credits { balance } }' } })
  await disconnectDuring(`/exports/reports.csv`)
  await rest.fastify.inject({ method: 'GET', url: `/download/${token}` })
  await rest.fastify.inject({ method: 'GET', url: `/no/such/${token}?token=${token}` })
  await rest.fastify.inject({
    method: 'POST',
    url: '/graphql',
    headers: { authorization: `Bearer ${token}` },
    payload: { query: 'query OfMrSecret { one: report(report: "00000000-0000-4000-8000-000000000000") { id } }' },
  })
  text = (await scrape()).body
  after = parseScrape(text)
  await workers.stop()
})
afterAll(async () => {
  await receiver?.close()
  await rest?.close()
})

describe('metrics', () => {
  it('count requests by operation and status, and time them', () => {
    expect(rise('weather_http_request_duration_seconds_count{operation="reports.create",status="202"}')).toBe(1)
    expect(rise('weather_http_request_duration_seconds_count{operation="reports.create",status="403"}')).toBe(1)
    expect(rise('weather_http_request_duration_seconds_count{operation="reports.show",status="404"}')).toBe(1)
    expect(rise('weather_http_request_duration_seconds_count{operation="unmatched",status="401"}')).toBe(1)
    expect(rise('weather_http_request_duration_seconds_count{operation="graphql",status="200"}')).toBe(1)
    expect(rise('weather_http_request_duration_seconds_sum{operation="reports.create",status="202"}')).toBeGreaterThan(0)
  })

  it('count refusals by code, including those of GraphQL', () => {
    expect(rise('weather_refusals_total{code="missing_ability"}')).toBe(1)
    expect(rise('weather_refusals_total{code="validation_failed"}')).toBe(1)
    expect(rise('weather_refusals_total{code="unauthenticated"}')).toBe(2)
    // A report in REST, one in GraphQL, a link and an address, all unknown.
    expect(rise('weather_refusals_total{code="not_found"}')).toBe(4)
  })

  it('count an internal error by its code, whether the response is 500 or, for GraphQL and an upload in lines, 200', async () => {
    const { pool } = world.app
    const query = (statement: { name?: string }) =>
      statement.name === 'admit' ? pool.query(statement as never) : Promise.reject(new Error('away'))
    const broken = await openRest({ app: { ...world.app, pool: { ...pool, query } as never, log: openLog('silent') } })
    const faults = async () =>
      (await world.app.metrics.refusals.get()).values.find(({ labels }) => labels.code === 'server_error')?.value ?? 0
    const before = await faults()
    const headers = { authorization: `Bearer ${token}` }
    expect((await broken.call('GET', '/credits', { token })).status).toBe(500)
    expect((await broken.fastify.inject({ method: 'GET', url: `/verify/${'0'.repeat(64)}` })).statusCode).toBe(500)
    expect(await faults()).toBe(before + 2)
    const payload = { query: '{ credits { balance } }' }
    expect((await broken.fastify.inject({ method: 'POST', url: '/graphql', headers, payload })).statusCode).toBe(200)
    expect(await faults()).toBe(before + 3)
    const upload = await broken.fastify.inject({
      method: 'POST',
      url: '/operator/archive/address-points?file_name=points.csv',
      headers: { authorization: `Bearer ${OPERATOR_KEY}`, accept: 'application/x-ndjson' },
      payload: 'LON,LAT,NUMBER,STREET,CITY,REGION,POSTCODE\n-97.5,35.3,1,Main St,Moore,OK,73160\n',
    })
    expect([upload.statusCode, upload.body]).toEqual([200, expect.stringContaining('server_error')])
    expect(await faults()).toBe(before + 4)
    await broken.close()
  })

  it('report jobs, deliveries and waiting work', () => {
    expect(rise('weather_job_duration_seconds_count{job_name="report.generate",outcome="done"}')).toBe(1)
    expect(rise('weather_job_wait_seconds_count{job_name="report.generate"}')).toBe(1)
    expect(rise('weather_delivery_attempt_duration_seconds_count{channel="webhook",outcome="sent"}')).toBe(1)
    expect(rise('weather_delivery_attempt_duration_seconds_count{channel="webhook",outcome="retrying"}')).toBe(1)
    expect(after.get('weather_deliveries_waiting{status="retrying"}')).toBe(1)
    expect(after.get('weather_reports_pending')).toBe(0)
    expect(after.get('weather_queue_jobs{job_name="report.generate",state="waiting"}')).toBe(0)
    expect(after.get('weather_queue_oldest_seconds{job_name="report.generate"}')).toBe(0)
    expect(after.get('weather_outbox_oldest_seconds')).toBeGreaterThanOrEqual(0)
  })

  it('report the lanes, the connections and the process', () => {
    expect(after.get('weather_database_up')).toBe(1)
    expect(after.get('weather_monitoring_on')).toBe(0)
    expect(after.get('weather_lane_state{lane="warnings",state="off"}')).toBe(1)
    expect(after.get('weather_lane_state{lane="warnings",state="quiet"}')).toBe(0)
    expect(after.get('weather_lane_expected_seconds{lane="warnings"}')).toBe(60)
    expect(after.get('weather_database_pool_max')).toBe(world.app.config.database_pool)
    const open = ['busy', 'idle'].map((state) => after.get(`weather_database_pool_connections{state="${state}"}`) ?? Number.NaN)
    expect(open[0]! + open[1]!).toBeGreaterThan(0)
    expect(after.get('weather_database_pool_waiting')).toBeGreaterThanOrEqual(0)
    expect(after.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
    expect(after.get('process_resident_memory_bytes')).toBeGreaterThan(0)
  })

  it('are for the operator only', async () => {
    expect((await scrape(token)).statusCode).toBe(401)
    expect((await rest.fastify.inject({ method: 'GET', url: '/metrics' })).statusCode).toBe(401)
  })

  it('name no team, address or secret', () => {
    for (const word of [team_id, token, secret, receiver.url, report_id, 'Nowhere', SECRET_EMAIL]) expect(text).not.toContain(word)
  })
})

describe('log lines', () => {
  const find = (message: string, like: object) =>
    lines.filter((line) => line.msg === message && Object.entries(like).every(([key, value]) => line[key] === value))

  it('of requests name the request, the team and the operation', () => {
    expect(find('answered', { request_id: refused_id })).toEqual([
      expect.objectContaining({ team_id, operation: 'reports.create', status: 403, refused: 'missing_ability', path: '/api/v1/reports' }),
    ])
    // Fields of the schema, because the client chooses the operation's name.
    expect(find('answered', { team_id, operation: 'graphql', status: 200 })).toEqual([expect.objectContaining({ fields: ['report'] })])
    expect(find('answered', { operation: 'graphql', status: 401 })).toEqual([expect.objectContaining({ refused: 'unauthenticated' })])
    for (const line of find('answered', {})) expect(line.request_id).toMatch(/^[0-9A-Z]{26}$/)
  })

  it('of a request whose client disconnected are written once', () => {
    expect(find('answered', { aborted: true })).toEqual([
      expect.objectContaining({ path: expect.stringMatching('/exports/'), status: 499 }),
    ])
    const counts = [...after].filter(([series]) => /_seconds_count\{operation="exports.*status="499"/.test(series))
    expect(counts.map(([, count]) => count)).toEqual([1])
  })

  it('of jobs name the job, its id, its subject and the team', () => {
    expect(find('a job is done', { job: 'report.generate', report_id, team_id })).toEqual([
      expect.objectContaining({ job_id: expect.any(String), ms: expect.any(Number) }),
    ])
    expect(find('report failed', { report_id, job: 'report.generate' })).toHaveLength(1)
    expect(find('a job is done', { job: 'delivery.send', team_id }).length).toBeGreaterThan(0)
  })

  it('contain no token, secret, address or contact', () => {
    const all = JSON.stringify(lines)
    expect(lines.length).toBeGreaterThan(10)
    for (const word of [token, secret, 'secret-path', OPERATOR_KEY, 'Nowhere', SECRET_EMAIL]) expect(all).not.toContain(word)
  })
})

/** Every internal error, over any interface. */
const FAULTS = 'weather_refusals_total{code="server_error"}'

describe('files that use the metrics', () => {
  /** The names of metrics in expressions, without the suffixes that a histogram adds. */
  const namesIn = (expressions: string[]) =>
    new Set(
      expressions.flatMap((expression) =>
        [...expression.matchAll(/\b(?:weather|nodejs|process)_\w+/g)].map(([name]) => name.replace(/_(bucket|count|sum)$/, '')),
      ),
    )

  it('the example alert rules use only metrics that exist', async () => {
    const rules = await readFile('ops/alerts.yml', 'utf8')
    const expressions = rules.split(/^ +- alert: /m).slice(1)
    expect(expressions.length).toBeGreaterThan(10)
    const usedMetrics = namesIn(expressions.map((rule) => /expr:([\s\S]*?)\n +(?:for|labels):/.exec(rule)?.[1] ?? ''))
    expect(usedMetrics.size).toBeGreaterThan(10)
    expect([...usedMetrics].filter((name) => !metricNames(text).has(name))).toEqual([])
  })

  it('both query errors in the metrics that count every error', async () => {
    const rules = await readFile('ops/alerts.yml', 'utf8')
    expect(rules.split(/^ +- alert: /m).find((rule) => rule.startsWith('ServerErrors'))).toContain(`rate(${FAULTS}`)
    const { panels } = JSON.parse(await readFile('ops/dashboard.json', 'utf8'))
    expect(panels.find(({ title }: { title: string }) => title === 'Server errors').targets[0].expr).toContain(`rate(${FAULTS}`)
  })

  it('the example dashboard uses only metrics that exist, and every metric of the service', async () => {
    const { panels } = JSON.parse(await readFile('ops/dashboard.json', 'utf8'))
    const usedMetrics = namesIn(panels.flatMap(({ targets = [] }: { targets?: { expr: string }[] }) => targets.map(({ expr }) => expr)))
    const names = metricNames(text)
    expect([...usedMetrics].filter((name) => !names.has(name))).toEqual([])
    expect([...names].filter((name) => name.startsWith('weather_') && !usedMetrics.has(name))).toEqual([])
  })
})
