import { readFile } from 'node:fs/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { systemClock } from '#domain/engines/clock.ts'
import { emit } from '#domain/events/emit.ts'
import { readConfig } from '#domain/kernel/config.ts'
import { inSpan, runSpan } from '#domain/kernel/trace.ts'
import { details, detailsText } from '#test/domain/archive/files.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { type CollectedSpan, type Collector, openCollector } from '#test/support/collector.ts'
import { exposureContent } from '#test/support/event-content.ts'
import { aDestination, aTeam, aToken } from '#test/support/factories.ts'
import { openReceiver, type Receiver } from '#test/support/receiver.ts'
import { redisIsHere, startRedis } from '#test/support/redis.ts'
import { waitUntil } from '#test/support/wait-until.ts'
import { startTestWorkers } from '#test/support/workers.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { performer } from '#workers/perform.ts'

/** The tracing settings of an environment, as the service reads them. */
function tracesOf(settings: Record<string, string>) {
  const needed = { DATABASE_URL: 'postgresql://localhost/weather', WEATHER_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
  return readConfig({ ...needed, ...settings }).traces
}

const open: { close(): Promise<unknown> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})
function opened<One extends { close(): Promise<unknown> }>(one: One): One {
  open.push(one)
  return one
}

interface Traced {
  world: World
  rest: Rest
  receiver: Receiver
  collector: Collector
}

async function aTracedService(settings: Record<string, string> = {}, redis_url: string | null = null): Promise<Traced> {
  const collector = opened(await openCollector())
  const receiver = opened(await openReceiver())
  const traces = tracesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint, ...settings })
  const world = opened(await openWorld({ config: { traces, redis_url, webhook_allowed_networks: ['127.0.0.0/8'] } }))
  world.clock.set(new Date())
  return { world, receiver, collector, rest: opened(await openRest(world)) }
}

/** Data that no span may contain: about a caller, a place and its people, the addresses of posts, the install. */
const secrets = {
  address: '4417 Secretbrook Lane, Frisco, TX 75034',
  street: 'Secretbrook',
  contact: 'Ann Hiddenname',
  email: 'ann@hidden.example',
  phone: '+1 555 0177',
  reference: 'CLAIM-HIDDEN-9',
  recipient: 'Hidden Insurance Company',
  operator_key: OPERATOR_KEY,
  collector: 'collector-hidden-token',
}

/** A property with a contact and a destination; then a report for its address, and a storm over it. */
async function reportAndStorm({ world, rest, receiver }: Traced, events: string[]): Promise<string[]> {
  const team = await aTeam(world, { plan: 'enterprise' })
  const { token } = await aToken(world, team)
  const ask = async (path: string, body: object) => {
    const { status, body: answered } = await rest.call('POST', path, { token, body })
    expect([path, status, answered.errors]).toEqual([path, path === '/reports' ? 202 : 201, undefined])
    return answered
  }
  const { secret } = await ask('/integrations', { name: 'Hidden desk', channel: 'webhook', url: receiver.url, events })
  const place = { address: secrets.address, latitude: 33.15, longitude: -96.82 }
  const property = await ask('/properties', { ...place, label: 'Hidden house' })
  const { contact: name, email, phone } = secrets
  await ask(`/properties/${property.data.id}/contacts`, { name, role: 'owner', email, phone })
  const { reference, recipient } = secrets
  await ask('/reports', { ...place, window_start: '2025-01-01', window_end: '2025-12-31', reference, recipient })
  // A storm from before a place was watched is its history and is not announced.
  await waitUntil(async () => (await world.app.db.durableJob.count()) === 0)
  const file = await rest.fastify.inject({
    method: 'POST',
    url: `/operator/archive/storm-events?file_name=${details(2019)}`,
    headers: { authorization: `Bearer ${OPERATOR_KEY}` },
    payload: detailsText({ EVENT_ID: '1' }),
  })
  expect([file.statusCode, file.body]).toEqual([200, expect.any(String)])
  return [...Object.values(secrets), token, secret, new URL(receiver.url).pathname, new URL(receiver.url).host, 'Hidden']
}

const postOf = ({ spans }: Collector, event: string) => {
  const attempt = spans.find(({ name, facts }) => name === 'delivery attempt' && facts['weather.event'] === event)
  return spans.find(({ name, parent_id }) => name === 'post' && parent_id === attempt?.span_id) as CollectedSpan
}

/** The ancestors of the attempt to post an event. */
const wayOfPost = (collector: Collector, event: string) => collector.lineage(postOf(collector, event)).slice(2)

describe.each(redisIsHere ? ['database', 'redis'] : ['database'])('with the queue in the %s', (backend) => {
  it('one trace leads from a request to the post, and one from a storm, without secrets', async () => {
    const redis = backend === 'redis' ? await startRedis() : null
    if (redis) opened({ close: () => redis.stop() })
    const traced = await aTracedService(
      {
        OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${secrets.collector}`,
        OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
      },
      redis?.url,
    )
    const { world, receiver, collector } = traced
    const workers = await startTestWorkers({ ...world.app, clock: systemClock })
    const hidden = await reportAndStorm(traced, ['report.completed', 'report.pdf_ready', 'exposure.detected'])
    await waitUntil(async () => receiver.posts.length === 3, 30_000)
    await workers.stop()
    await world.app.traces?.close()

    const report = ['job report.generate', 'outbox report.generate', 'POST reports.create']
    const printed = ['job report.render', 'outbox report.render', ...report]
    const storm = ['job detection.run', 'outbox detection.run', 'POST operator']
    expect(wayOfPost(collector, 'report.completed')).toEqual(report)
    expect(wayOfPost(collector, 'report.pdf_ready')).toEqual(printed)
    expect(wayOfPost(collector, 'exposure.detected')).toEqual(storm)
    const lineages = collector.spans.map((span) => collector.lineage(span).join(' < '))
    const sendings = [report, printed, storm].map((way) => ['job delivery.send', 'outbox delivery.send', ...way].join(' < '))
    expect(lineages.some((lineage) => sendings.includes(lineage))).toBe(true)
    for (const part of ['locate', 'archive search', 'transaction']) expect(lineages).toContain([part, ...report].join(' < '))
    for (const part of ['print', 'store document']) expect(lineages).toContain([part, ...printed].join(' < '))
    expect(lineages).toContain('transaction < POST reports.create')
    expect(postOf(collector, 'exposure.detected').facts).toEqual({ 'http.response.status_code': 204 })
    expect(collector.spans.find(({ name }) => name === 'POST reports.create')).toMatchObject({
      parent_id: '',
      facts: { 'http.response.status_code': 202, 'weather.operation': 'reports.create' },
    })
    expect(collector.spans.filter(({ name }) => name === 'job sweep' || name === 'job maps.refresh')).toEqual([])

    expect(collector.requests[0]).toMatchObject({ path: '/v1/traces', headers: { authorization: `Bearer ${secrets.collector}` } })
    expect(collector.resources[0]).toMatchObject({ 'service.name': 'weather', 'deployment.environment': 'test' })
    const names = new Set(collector.spans.map(({ name }) => name))
    const board = await readFile('ops/traces.json', 'utf8')
    const usedNames = [...board.matchAll(/(?:&& |\{ )name = \\"(.+?)\\"/g)].map(([, name]) => name as string)
    expect([usedNames.length > 3, usedNames.filter((name) => !names.has(name))]).toEqual([true, []])
    const patterns = [...board.matchAll(/span_name=~\\"(.+?)\\"/g)].flatMap(([, alternatives = '']) => alternatives.split('|'))
    expect([patterns.length > 3, patterns.filter((pattern) => ![...names].some((name) => new RegExp(`^${pattern}$`).test(name)))]).toEqual([
      true,
      [],
    ])
    expect(hidden.filter((secret) => !secret || collector.raw().includes(secret))).toEqual([])
  })
})

it('a delivery that another job continues belongs to the trace of its own event, in one trace and in two', async () => {
  const { world, collector, receiver } = await aTracedService()
  const { app } = world
  const team = await aTeam(world)
  await aDestination(world, team, receiver.url, ['exposure.detected'])
  const traces = app.traces as NonNullable<typeof app.traces>
  const emitted = (subject: string) =>
    app.db.$transaction((tx) => emit(tx, 'exposure.detected', { team_id: team.id, subject, exposure_ids: [] }, exposureContent(subject)))
  await runSpan(traces.begin('report', 'internal'), async () => {
    await inSpan('search', {}, () => emitted('first'))
    await inSpan('print', {}, () => emitted('second'))
  })
  await runSpan(traces.begin('storm', 'internal'), () => emitted('third'))
  const [first] = await app.db.outboxJob.findMany({ orderBy: { id: 'asc' } })
  await performer(app)(
    { name: 'delivery.send', id: '1', payload: first?.payload as object, due_at: new Date(), traceparent: first?.traceparent ?? null },
    true,
  )
  await traces.close()
  const attempts = collector.spans.filter(({ name }) => name === 'delivery attempt')
  const report = collector.spans.find(({ name }) => name === 'report')?.trace_id
  expect(attempts.map((attempt) => [collector.lineage(attempt).slice(1), attempt.links])).toEqual([
    [['search', 'report'], [report]],
    [['print', 'report'], [report]],
    [['storm'], [report]],
  ])
})

it('a trace from the client is linked and decides nothing, and an error names only its kind', async () => {
  const { rest, collector, world } = await aTracedService()
  const clientTraceId = 'c'.repeat(32)
  const traceparent = `00-${clientTraceId}-${'d'.repeat(16)}-00`
  await rest.fastify.inject({ method: 'GET', url: '/api/v1/reports', headers: { traceparent } })
  await rest.fastify.inject({ method: 'GET', url: '/api/v1/reports', headers: { traceparent: '00-not-a-trace' } })
  await rest.fastify.inject({ method: 'GET', url: '/readyz' })
  await performer(world.app)(
    { name: 'sign_in_link.mail', id: 'x', payload: { lasting_id: 'Secretbrook 1' }, due_at: new Date() },
    true,
  ).catch(() => {})
  await world.app.traces?.close()
  const spans = collector.spans.filter(({ name }) => name === 'GET unmatched')
  expect(spans.map(({ links, parent_id, facts }) => [links, parent_id, facts['weather.refused']])).toEqual([
    [[clientTraceId], '', 'unauthenticated'],
    [[], '', 'unauthenticated'],
  ])
  expect(collector.spans.map(({ name }) => name)).not.toContain('GET readyz')
  expect(collector.spans.find(({ name }) => name === 'job sign_in_link.mail')).toMatchObject({
    failed: true,
    facts: { 'error.type': '22P02' },
  })
  expect(collector.raw()).not.toContain('Secretbrook')
})

it('the standard variables control sampling, and an unsampled trace stays unsampled through the queue', async () => {
  const { rest, collector, world } = await aTracedService({ OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' })
  const team = await aTeam(world)
  const { token } = await aToken(world, team)
  const body = { address: '100 Main Street, Frisco, TX 75034', window_start: '2025-01-01', window_end: '2025-01-31' }
  expect((await rest.call('POST', '/reports', { token, body })).status).toBe(202)
  const [staged] = await world.app.db.outboxJob.findMany()
  expect(staged?.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
  await world.app.traces?.close()
  expect(collector.spans).toEqual([])
})

it('an unavailable collector fails no request, and delays a stop by at most some seconds', async () => {
  const collector = await openCollector()
  await collector.close()
  const { rest, world } = await aTracedService({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint })
  expect((await rest.fastify.inject({ method: 'GET', url: '/api/v1' })).statusCode).toBe(401)
  const startedAt = Date.now()
  await world.app.traces?.close()
  expect(Date.now() - startedAt).toBeLessThan(5000)
})

it('an unusable tracing setting is refused by name', () => {
  const refused = (settings: Record<string, string>) => () => tracesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1', ...settings })
  expect(refused({ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' })).toThrow(/^OTEL_EXPORTER_OTLP_ENDPOINT must be a URL/)
  expect(refused({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' })).toThrow(/^OTEL_EXPORTER_OTLP_PROTOCOL must be http\/protobuf$/)
  expect(refused({ OTEL_EXPORTER_OTLP_HEADERS: 'a b=c' })).toThrow(/^OTEL_EXPORTER_OTLP_HEADERS must be NAME=VALUE/)
  expect(refused({ OTEL_RESOURCE_ATTRIBUTES: 'a=%' })).toThrow(/^OTEL_RESOURCE_ATTRIBUTES must be NAME=VALUE/)
  expect(refused({ OTEL_TRACES_SAMPLER: 'sometimes' })).toThrow(/^OTEL_TRACES_SAMPLER must be always_on/)
  expect(refused({ OTEL_TRACES_SAMPLER_ARG: '2' })).toThrow(/^OTEL_TRACES_SAMPLER_ARG must be at most 1$/)
  expect(tracesOf({ OTEL_EXPORTER_OTLP_HEADERS: 'a=b' })).toBeNull()
})
