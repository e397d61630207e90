import { Readable } from 'node:stream'
import { ingest } from '#domain/archive/ingest/ingest.ts'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { BrowserUnavailable, type Printer } from '#domain/engines/printer.ts'
import { type EventName, eventNames } from '#domain/events/catalogue.ts'
import { stageDigests } from '#domain/integrations/digest.ts'
import { runLane } from '#domain/monitoring/run-lane.ts'
import { generateReport } from '#domain/reports/generate.ts'
import type { Examples, OperationExamples } from '#rest/examples.ts'
import { refuse } from '#rest/refusals.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openFeeds } from '#test/support/feeds.ts'
import { blankPrinter } from '#test/support/printer.ts'
import { openReceiver } from '#test/support/receiver.ts'
import { readTime, stormFeeds } from '#test/support/storm-feeds.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { detailsText } from '../domain/archive/files.ts'
import { frisco, MILE } from '../domain/exposures/storm.ts'
import { stabilize } from './stabilize.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

interface RequestOptions {
  /** Path parameters. */
  ids?: Record<string, string | number>
  query?: Record<string, string | number | boolean>
  body?: unknown
  key?: string
  token?: string
  headers?: Record<string, string>
}

const shape = {
  type: 'Polygon',
  coordinates: [
    [
      [-96.9, 33.1],
      [-96.7, 33.1],
      [-96.7, 33.2],
      [-96.9, 33.2],
      [-96.9, 33.1],
    ],
  ],
}
const { address, window_start, window_end } = sampleStorm
const storm = { address, window_start, window_end, radius_miles: 5 }

/**
 * Calls every operation once for each of its responses, over the made-up storm day and a made-up storm of the
 * feeds, and returns the requests and responses. Ids, secrets and the present are replaced by steady values, so
 * that two journeys return the same.
 */
export async function makeExamples(): Promise<Examples> {
  const feeds = await openFeeds()
  feeds.answer(stormFeeds())
  const receiver = await openReceiver((response, { body }) => response.writeHead(body.includes(`Test of ${REFUSING}`) ? 500 : 204).end())
  const printer: Printer = {
    ...blankPrinter,
    print: (...page) => (printing.works ? blankPrinter.print(...page) : Promise.reject(new BrowserUnavailable('no browser'))),
  }
  const printing = { works: true }
  const world = await openWorld({
    replace: { http: feeds.http, printer },
    config: { rate_limit_per_minute: RATE_LIMIT, webhook_allowed_networks: ['127.0.0.0/8'], contact: 'weather@example.com' },
  })
  world.clock.set(readTime)
  const rest = await openRest(world)
  try {
    const examples = await journey(world, rest, receiver, printing)
    return stabilize(examples, { base_url: world.app.config.base_url, receiver: receiver.url, now: readTime })
  } finally {
    await rest.close()
    await receiver.close()
    await feeds.close()
  }
}

/** Requests a minute: as on installs, and more than the journey needs. */
const RATE_LIMIT = 120
const UNLIMITED = 100_000

/** The destination whose test post the receiver answers with 500. */
const REFUSING = 'Broken'

async function journey(
  world: World,
  rest: Rest,
  receiver: { url: string; posts: { body: string }[] },
  printing: { works: boolean },
): Promise<Examples> {
  const team = await aTeam(world, { name: 'Example Adjusting', timezone: 'America/Chicago' })
  const { token } = await aToken(world, team)
  const examples: Examples = { operations: {}, refusals: {}, webhooks: {} }
  const rows = (await rest.call('GET', '', { token })).body.data.endpoints as { method: string; path: string; name: string }[]

  const ask = async (method: Method, path: string, options: RequestOptions = {}) => {
    const { ids = {}, query, body, key, headers } = options
    const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name]))
    const text = query ? `?${new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))}` : ''
    const sent = {
      token: options.token ?? token,
      ...(body !== undefined && { body }),
      headers: { ...(key && { 'idempotency-key': key }), ...headers },
    }
    const answer = await rest.call(method, named + text, sent)
    const row = rows.find((each) => each.method === method && each.path === `/api/v1${path}`)
    if (!row) throw new Error(`no row ${method} ${path}`)
    note(examples, row.name, { parameters: { ...ids, ...query }, body }, answer)
    return answer.body
  }

  await seedSample(world.app)
  await ask('GET', '')
  world.app.config.rate_limit_per_minute = UNLIMITED
  for (const path of ['/account', '/team', '/credits']) await ask('GET', path)

  // Monitoring.
  const wanted = { name: 'CRM', channel: 'webhook', url: receiver.url, events: eventNames }
  const integration = (await ask('POST', '/integrations', { body: wanted })).data.id
  await ask('GET', '/integrations', { query: { channel: 'webhook', active: true, per_page: 1 } })
  await ask('GET', '/integrations/{integration}', { ids: { integration } })
  const property = (
    await ask('POST', '/properties', {
      body: { address, label: 'HQ', reference: 'A-7', kind: 'commercial', watch_radius_miles: 2, tags: ['roof'] },
    })
  ).data.id
  await ask('POST', '/properties', { body: { address } })
  const contact = (
    await ask('POST', '/properties/{property}/contacts', {
      ids: { property },
      body: { name: 'Ada Example', role: 'owner', email: 'ada@example.com' },
    })
  ).data.id
  await ask('PATCH', '/properties/{property}/contacts/{contact}', { ids: { property, contact }, body: { phone: '+1 972 555 0100' } })
  await ask('GET', '/properties/{property}/contacts', { ids: { property } })
  await ask('GET', '/properties', { query: { status: 'watching', search: 'main street', per_page: 1 } })
  await ask('GET', '/properties/{property}', { ids: { property } })
  const [place] = (await ask('GET', '/places', { query: { search: 'Frisco, TX' } })).data
  const drawn = { name: 'Frisco', kind: 'polygon', geometry: shape, colour: 'moss' }
  await ask('POST', '/territories/quote', { body: drawn })
  const territory = (await ask('POST', '/territories', { body: drawn, key: 'territory-1' })).data.id
  await ask('POST', '/territories', { body: drawn, key: 'territory-1' })
  await ask('GET', '/territories', { query: { status: 'watching', per_page: 1 } })
  await ask('GET', '/territories/{territory}', { ids: { territory } })
  await ask('PATCH', '/territories/{territory}', { ids: { territory }, body: { kind: 'places', place_ids: [place.id], radius_miles: 5 } })
  await ask('POST', '/territories/{territory}/status', { ids: { territory }, body: { status: 'watching' } })
  await ask('PATCH', '/properties/{property}', { ids: { property }, body: { watch_radius_miles: 5, notes: null } })
  await world.drain()

  // A storm that the feeds report, and what follows from it.
  for (const lane of ['record', 'warnings', 'surfaces'] as const) await runLane(world.app, lane)
  await world.drain()
  await ask('GET', '/monitoring/runs')
  const [warned] = (await ask('GET', '/exposures', { query: { open: true, kind: 'warning', per_page: 1 } })).data
  const exposure = (await rest.call('GET', '/exposures?kind=record&subject=property&from=2026-05-13', { token })).body.data[0].id
  await ask('GET', '/exposures/{exposure}', { ids: { exposure } })
  await ask('GET', '/properties/{property}/exposures', { ids: { property }, query: { kind: 'record', per_page: 1 } })
  await ask('GET', '/territories/{territory}/exposures', { ids: { territory }, query: { since: '2026-05-14T00:00:00Z', per_page: 1 } })
  await ask('POST', '/exposures/{exposure}/acknowledge', { ids: { exposure: warned.id }, body: { dismiss: true } })
  await ask('POST', '/exposures/{exposure}/reopen', { ids: { exposure: warned.id } })
  const larger = {
    BEGIN_YEARMONTH: '202605',
    BEGIN_DAY: '13',
    END_YEARMONTH: '202605',
    END_DAY: '13',
    EVENT_ID: '7',
    MAGNITUDE: '2.75',
    BEGIN_LAT: String(frisco.latitude + MILE / 2),
    BEGIN_LON: String(frisco.longitude),
  }
  await ingest(
    world.app,
    'storm-events',
    Readable.from([Buffer.from(detailsText({ ...larger, END_LAT: larger.BEGIN_LAT, END_LON: larger.BEGIN_LON }))]),
    { file_name: 'StormEvents_details-ftp_v1.0_d2026_c20260514.csv' },
  )
  await world.drain()
  await ask('GET', '/playback', { query: { date: '2025-05-28', south: 33.14, west: -96.83, north: 33.16, east: -96.81 } })
  await ask('GET', '/tiles/{z}/{x}/{y}.mvt', { ids: { z: 8, x: 59, y: 102 } })

  // Reports.
  const report = (await ask('POST', '/reports', { body: { ...storm, reference: 'B-12', property_id: property }, key: 'report-1' })).data.id
  await ask('GET', '/reports/{report}/verification', { ids: { report } })
  await ask('GET', '/reports/{report}/pdf', { ids: { report } })
  await ask('POST', '/reports', { body: { ...storm, radius_miles: 6 }, key: 'report-1' })
  await generateReport(world.app, report)
  await ask('GET', '/reports/{report}/pdf', { ids: { report } })
  await ask('POST', '/reports/{report}/pdf/link', { ids: { report } })
  printing.works = false
  await world.drain().catch(() => undefined)
  // It is attempted again at most once a minute.
  world.clock.advance(61_000)
  await ask('GET', '/reports/{report}/pdf', { ids: { report } })
  printing.works = true
  await world.drain()
  await ask('POST', '/reports', { body: { ...storm, reference: 'B-12', property_id: property }, key: 'report-1' })
  await ask('GET', '/reports', { query: { status: 'complete', per_page: 1 } })
  await ask('GET', '/reports/{report}', { ids: { report } })
  await ask('GET', '/reports/{report}/events', { ids: { report }, query: { type: 'hail', min_hail_in: 1, per_page: 1 } })
  await ask('GET', '/reports/{report}/verification', { ids: { report } })
  await ask('GET', '/reports/{report}/pdf', { ids: { report } })
  await ask('POST', '/reports/{report}/pdf/link', { ids: { report } })
  const rowsOf = (...rows: object[]) => ({ reports: rows, window_start, window_end })
  await ask('POST', '/reports/batch', { body: rowsOf({ address, reference: 'A-8' }), key: 'batch-1' })
  await ask('POST', '/reports/batch', { body: rowsOf({ address, reference: 'A-8' }), key: 'batch-1' })
  await ask('POST', '/reports/batch', { body: rowsOf({ address }, { address: 'x', radius: 5 }) })
  const about = { window_start, window_end, recipient: 'Ada Example' }
  await ask('POST', '/reports', { body: { ...storm, address: '1 Nowhere Lane, Nosuchtown, ZZ' } })
  await ask('POST', '/properties/{property}/reports', { ids: { property }, body: about, key: 'property-report-1' })
  await ask('POST', '/properties/{property}/reports', { ids: { property }, body: about, key: 'property-report-1' })
  await ask('POST', '/properties/{property}/enrich', { ids: { property } })
  const book = { properties: [{ address: '200 Main Street, Frisco, TX 75034', label: 'Shop' }] }
  await ask('POST', '/properties/batch', { body: book, key: 'book-1' })
  await ask('POST', '/properties/batch', { body: book, key: 'book-1' })
  await ask('POST', '/properties/batch', { body: { properties: [...book.properties, { label: 'No address' }] } })
  await ask('GET', '/credits/transactions', { query: { kind: 'spend', per_page: 1 } })
  await world.drain()
  world.clock.set('2026-05-14T12:30:00Z')
  await stageDigests(world.app)
  await ask('PATCH', '/properties/{property}', { ids: { property }, body: { status: 'archived' } })
  await world.drain()

  // Destinations.
  const broken = { name: REFUSING, channel: 'webhook', url: receiver.url, events: ['digest.sent'], active: false }
  const { id: refusing } = (await rest.call('POST', '/integrations', { token, body: broken })).body.data
  await ask('POST', '/integrations/{integration}/test', { ids: { integration } })
  await ask('POST', '/integrations/{integration}/test', { ids: { integration: refusing } })
  await ask('PATCH', '/integrations/{integration}', { ids: { integration }, body: { name: 'CRM of the office' } })
  await ask('PATCH', '/integrations/{integration}', { ids: { integration }, body: { channel: 'chat_a' } })
  await ask('GET', '/integrations/events')
  await ask('GET', '/integrations/{integration}/secret', { ids: { integration } })
  await ask('POST', '/integrations/{integration}/secret', { ids: { integration } })
  await ask('GET', '/integrations/{integration}/deliveries', { ids: { integration }, query: { status: 'sent', per_page: 1 } })
  await ask('GET', '/integrations/deliveries', { query: { status: 'failed', per_page: 1 } })
  const chat = { name: 'Chat', channel: 'chat_b', url: 'https://hooks.example.com/chat', events: ['digest.sent'] }
  const { id: keyless } = (await rest.call('POST', '/integrations', { token, body: chat })).body.data
  await ask('GET', '/integrations/{integration}/secret', { ids: { integration: keyless } })
  for (let more = 0; more < 10; more++) await ask('POST', '/integrations', { body: chat })

  await refusals(world, rest, ask, team.id)
  examples.refusals.server_error = JSON.parse(String(refuse(new Error('made up'), 'made up').body))
  const { paths, webhooks, components, ...openapi } = (await rest.call('GET', '/openapi.json', { token })).body
  const { operationId, summary } = paths['/api/v1/account'].get
  const one = { paths: { '/api/v1/account': { get: { operationId, summary } } }, webhooks: {}, components: {} }
  examples.operations.openapi = { parameters: {}, answers: { 200: { ...openapi, tags: openapi.tags.slice(0, 1), ...one } } }
  for (const { body } of receiver.posts) {
    const payload = JSON.parse(body) as { event: EventName }
    examples.webhooks[payload.event] ??= payload
  }
  await ask('DELETE', '/properties/{property}/contacts/{contact}', { ids: { property, contact } })
  await ask('DELETE', '/properties/{property}', { ids: { property } })
  await ask('DELETE', '/territories/{territory}', { ids: { territory } })
  await ask('DELETE', '/integrations/{integration}', { ids: { integration } })
  await ask('DELETE', '/reports/{report}', { ids: { report } })
  return examples
}

type Ask = (method: Method, path: string, options?: RequestOptions) => Promise<unknown>

/** A refusal for each code that no row above has. */
async function refusals(world: World, rest: Rest, ask: Ask, team_id: string): Promise<void> {
  await ask('GET', '/account', { token: 'wt_none' })
  await ask('GET', '/reports', { token: (await aToken(world, await aTeam(world, { plan: 'starter' }))).token })
  await ask('GET', '/reports', { token: (await aToken(world, await aTeam(world), ['maps:read'])).token })
  await ask('GET', '/reports/{report}', { ids: { report: '00000000-0000-4000-8000-000000000000' } })
  await ask('POST', '/reports', { headers: { 'content-type': 'application/json', 'content-length': '9999999' } })
  await ask('POST', '/reports', { headers: { 'content-type': 'text/plain' }, body: storm })
  await ask('POST', '/reports', { headers: { 'transfer-encoding': 'gzip, chunked' }, body: storm })
  await ask('POST', '/reports', { headers: { 'content-type': 'application/json' }, body: [storm] })
  await ask('POST', '/reports', { body: { ...storm, radius_miles: 500, radius: 5 } })
  const unlocated = (await ask('POST', '/properties', { body: { address: 'Nowhere at all 99999999' } })) as { data: { id: string } }
  await ask('POST', '/properties/{property}/enrich', { ids: { property: unlocated.data.id } })
  // The first request of the key is still running.
  await world.app.db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`${team_id} slow`}, 24))::text`
    await ask('POST', '/reports', { body: storm, key: 'slow' })
  })
  world.app.config.rate_limit_per_minute = RATE_LIMIT
  const limitedToken = (await aToken(world, { id: team_id })).token
  for (let nth = 0; nth < RATE_LIMIT; nth++) await rest.call('GET', '/account', { token: limitedToken })
  await ask('GET', '/account', { token: limitedToken })
  world.app.config.rate_limit_per_minute = UNLIMITED
}

function note(
  examples: Examples,
  name: string,
  request: { parameters: object; body: unknown },
  { status, body }: { status: number; body: unknown },
): void {
  if (status >= 400 && status !== 502) {
    const { code } = body as { code: keyof Examples['refusals'] }
    examples.refusals[code] ??= body
    return
  }
  const made: OperationExamples = (examples.operations[name] ??= { parameters: {}, answers: {} })
  made.parameters = { ...request.parameters, ...made.parameters }
  if (request.body !== undefined) made.request ??= request.body
  if (body !== null) made.answers[status] ??= body
}
