import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Ability } from '#domain/access/abilities.ts'
import { sampleStorm } from '#domain/archive/sample/storm-day.ts'
import { createApiServer } from '#rest/host.ts'
import { toolRows } from '#rest/mcp/tools.ts'
import { openSample, type SampleService } from '#test/cli/sample.ts'
import { bundledProgram } from '#test/cli/terminal.ts'
import { aTeam, aToken } from '#test/support/factories.ts'

let sample: SampleService
let token: string
let team_id: string
const open: Client[] = []
beforeAll(async () => {
  sample = await openSample()
})
beforeEach(async () => {
  sample.world.clock.advance(61_000)
  const team = await aTeam(sample.world)
  team_id = team.id
  token = (await aToken(sample.world, team)).token
})
afterAll(async () => {
  for (const client of open) await client.close()
  await sample.close()
})

const input = {
  address: sampleStorm.address,
  window_start: sampleStorm.window_start,
  window_end: sampleStorm.window_end,
  radius_miles: 10,
  date_of_loss: '2025-05-28',
}
const endpoint = () => new URL(`${sample.url}/mcp`)

async function overHttp(bearer = token): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${bearer}` } }
  await client.connect(new StreamableHTTPClientTransport(endpoint(), { requestInit }))
  open.push(client)
  return client
}

async function overStdio(): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const env = { ...(process.env as Record<string, string>), WEATHER_URL: sample.url, WEATHER_TOKEN: token }
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [await bundledProgram(), 'mcp'], env }))
  open.push(client)
  return client
}

// biome-ignore lint/suspicious/noExplicitAny: what each tool answers is what its test looks at
type Answered = any
async function use(client: Client, name: string, sent: object): Promise<{ failed: boolean; content: Answered }> {
  const { content, isError } = await client.callTool({ name, arguments: sent as Record<string, unknown> })
  const [part] = content as { text: string }[]
  return { failed: isError === true, content: JSON.parse(part?.text ?? 'null') }
}
const countCharges = () => sample.world.app.db.creditTransaction.count({ where: { team_id, kind: 'spend' } })

describe.each([
  ['streamable HTTP', overHttp],
  ['standard input and output of weather mcp', overStdio],
] as const)('an assistant over %s', (_name, connect) => {
  it('answers a question step by step: place, preview, report, its figures with their citations, records, verification', async () => {
    const client = await connect()
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toEqual(toolRows.map(({ name }) => name))
    expect((await use(client, 'search_places', { search: 'Frisco, TX' })).content.data[0]).toMatchObject({ name: 'Frisco' })

    const preview = (await use(client, 'preview_report', input)).content.preview
    expect(preview).toMatchObject({ cost: 1, address: { precision: 'zip' } })
    const unconfirmed = await use(client, 'create_report', input)
    expect(unconfirmed.content).toMatchObject({ spent: 0, preview: { event_count: preview.event_count } })
    expect(await countCharges()).toBe(0)

    const created = await use(client, 'create_report', { ...input, confirm: true, idempotency_key: 'claim-7' })
    expect(created.content).not.toHaveProperty('replayed')
    expect((await use(client, 'create_report', { ...input, confirm: true, idempotency_key: 'claim-7' })).content).toMatchObject({
      report: { id: created.content.report.id },
      replayed: true,
    })
    expect(await countCharges()).toBe(1)
    await sample.world.drain()

    const report = created.content.report.id
    const { content } = await use(client, 'read_report', { report })
    expect(content.report).toMatchObject({ status: 'complete', date_of_loss: '2025-05-28', event_count: preview.event_count })
    expect(content.figures.length).toBeGreaterThan(1)
    for (const figure of content.figures)
      expect(figure).toEqual({
        family: expect.any(String),
        what: expect.any(String),
        value: expect.any(String),
        kind: expect.stringMatching(/^(ground|instrument|radar)$/),
        qualifier: figure.qualifier,
        occurred_on: expect.any(String),
        distance_miles: figure.distance_miles,
        citation_url: expect.stringMatching(/^https?:/),
      })
    expect(JSON.stringify(content.report.findings)).not.toMatch(/"peak_(hail_in|wind_mph|tornado)|"nearest_miles/)
    const records = (await use(client, 'report_records', { report, type: 'hail', per_page: 2 })).content
    expect(records.data).toHaveLength(2)
    expect(records.data[0].provenance).toMatchObject({ citation_url: expect.any(String), evidence_kind: expect.any(String) })
    expect((await use(client, 'verify_report', { report })).content.data).toMatchObject({
      report_id: report,
      fingerprint: content.report.fingerprint,
    })
  })
})

it('weather mcp answers a message that the service cannot read, by its id', async () => {
  const client = await overStdio()
  const nested = Array.from({ length: 40 }).reduce((inner: unknown) => ({ inner }), 1)
  await expect(client.callTool({ name: 'list_reports', arguments: { nested } })).rejects.toMatchObject({ code: -32_700 })
})

describe('a tool', () => {
  it('has the same rights as its token over REST, with the same messages', async () => {
    const reader = await overHttp((await aToken(sample.world, { id: team_id }, ['reports:read'] as Ability[])).token)
    const refused = await use(reader, 'create_report', { ...input, confirm: true })
    expect(refused).toMatchObject({ failed: true, content: { status: 403, required_ability: 'reports:write' } })
    expect((await use(reader, 'list_exposures', {})).content).toMatchObject({ status: 403 })
    expect(await countCharges()).toBe(0)
  })

  it('is limited to the team: another team’s report is not found', async () => {
    const otherReport = await sample.world.app.db.report.findFirstOrThrow({ where: { team_id: sample.team.id } })
    const client = await overHttp()
    for (const name of ['read_report', 'report_records', 'verify_report'])
      expect(await use(client, name, { report: otherReport.id })).toMatchObject({ failed: true, content: { status: 404 } })
    for (const uri of [`weather://reports/${otherReport.id}`, `weather://reports/${otherReport.id}/evidence`])
      await expect(client.readResource({ uri })).rejects.toMatchObject({ code: -32602, data: { status: 404, code: 'not_found' } })
  })

  it('refuses invalid input by the field, and nothing is charged', async () => {
    const client = await overHttp()
    const wrong = await use(client, 'create_report', { ...input, window_end: '2024-01-01', radius_miles: 'wide', confirm: true })
    expect(wrong).toMatchObject({ failed: true, content: { code: 'validation_failed', errors: { radius_miles: [expect.any(String)] } } })
    for (const name of ['preview_report', 'create_report'])
      expect(await use(client, name, { ...input, date_of_los: '2025-05-28' })).toMatchObject({
        failed: true,
        content: { code: 'validation_failed', errors: { date_of_los: [expect.any(String)] } },
      })
    for (const report of ['../account', '..', '.', ['..']])
      expect(await use(client, 'read_report', { report })).toMatchObject({
        failed: true,
        content: { status: 404, message: 'There is no report with this id.' },
      })
    await expect(client.callTool({ name: 'drop_tables', arguments: {} })).rejects.toThrow()
    expect(await countCharges()).toBe(0)
  })

  it('refuses a value of another kind by its name, as REST refuses a list, and an id that was left out', async () => {
    const client = await overHttp()
    const errorsOf = async (name: string, sent: object) => {
      const { failed, content } = await use(client, name, sent)
      return [failed, content.status, content.errors]
    }
    const notOne = (field: string, sentence: string) => [true, 422, { [field]: [sentence] }]
    for (const search of [['Frisco'], [], [{ toString: 'x' }]])
      expect(await errorsOf('search_places', { search })).toEqual(notOne('search', 'The search must be one value, not a list.'))
    for (const search of [{}, { toString: 'x' }])
      expect(await errorsOf('search_places', { search })).toEqual(notOne('search', 'The search must be one value, not an object.'))
    for (const sent of [{}, { report: null }, { report: '' }, { report_id: 'x' }])
      for (const name of ['read_report', 'report_records', 'verify_report'])
        expect(await errorsOf(name, sent)).toEqual(notOne('report', 'The report is required.'))
    expect(await errorsOf('read_report', { report: { toString: 'x' } })).toEqual([true, 404, null])
    expect((await use(client, 'create_report', { ...input, radius: 5, days: 2 })).content.message).toContain('(and 1 more error)')
  })

  it('states every argument of its endpoint, with the values of closed sets, in a schema of its own', async () => {
    const client = await overHttp((await aToken(sample.world, sample.team)).token)
    const { tools } = await client.listTools()
    const propertiesOf = (name: string) => tools.find((tool) => tool.name === name)?.inputSchema.properties as Record<string, Answered>
    expect(JSON.stringify(tools)).not.toContain('$ref')
    expect(propertiesOf('list_exposures')).toMatchObject({
      kind: { type: 'string', enum: expect.arrayContaining(['warning']), description: expect.any(String) },
      subject: { enum: ['property', 'territory'] },
    })
    expect(propertiesOf('list_reports').status.enum).toContain('complete')
    expect(propertiesOf('report_records')).toMatchObject({
      type: { enum: expect.arrayContaining(['hail']) },
      family: { enum: expect.arrayContaining(['thunderstorm']) },
    })
    for (const name of ['preview_report', 'create_report']) expect(JSON.stringify(propertiesOf(name).layout)).toContain('"methodology"')
    const { data } = (await use(client, 'list_exposures', { kind: 'warning' })).content
    expect(data.filter(({ kind }: Answered) => kind !== 'warning')).toEqual([])
  })

  it('treats an idempotency key of null as none, and refuses one that is not a text', async () => {
    const client = await overHttp()
    const create = (more: object) => use(client, 'create_report', { ...input, confirm: true, idempotency_key: null, ...more })
    const [first, second] = [await create({}), await create({})]
    expect([first.failed, second.failed, second.content.report.id === first.content.report.id]).toEqual([false, false, false])
    expect((await create({ radius_miles: 3 })).failed).toBe(false)
    for (const idempotency_key of [7, false, ['a'], {}])
      expect(await create({ idempotency_key })).toMatchObject({
        failed: true,
        content: { status: 422, errors: { idempotency_key: ['The idempotency_key must be a text.'] } },
      })
    expect(await countCharges()).toBe(3)
  })

  it('acknowledges exposures and sums up a storm day, with radar apart from reports', async () => {
    const client = await overHttp((await aToken(sample.world, sample.team)).token)
    const [first] = (await use(client, 'list_exposures', { open: true, per_page: 1 })).content.data
    const acknowledged = await use(client, 'acknowledge_exposure', { exposure: first.id })
    expect(acknowledged.content.data).toMatchObject({ id: first.id, acknowledged_at: expect.any(String) })
    const { content } = await use(client, 'storm_day', { date: '2025-05-28', south: 32.9, west: -97.2, north: 33.4, east: -96.5 })
    expect(content).toMatchObject({
      date: '2025-05-28',
      radar_estimated: { moments: content.meta.count, largest: { mesh_in: expect.any(Number) } },
    })
    expect(content.context.reports.length).toBeGreaterThan(0)
    expect(content).not.toHaveProperty('moments')
  })

  it('counts against the rate limit of its token', async () => {
    const used = async () =>
      (await fetch(`${sample.url}/api/v1/account`, { headers: { authorization: `Bearer ${token}` } })).headers.get('x-ratelimit-remaining')
    const before = Number(await used())
    const client = await overHttp()
    await use(client, 'list_reports', {})
    expect(Number(await used())).toBeLessThan(before - 2)
  })
})

describe('the address /mcp', () => {
  const post = (headers: Record<string, string>, body = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}', method = 'POST') =>
    fetch(endpoint(), {
      method,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
      ...(method === 'POST' && { body }),
    })
  const bearer = () => ({ authorization: `Bearer ${token}` })

  it('accepts a token, never a cookie, and no page of another site', async () => {
    const none = await post({})
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
    expect((await post({ cookie: 'weather_session=x' })).status).toBe(401)
    expect((await post({ ...bearer(), origin: 'https://elsewhere.example' })).status).toBe(403)
    expect((await post({ ...bearer(), origin: sample.world.app.config.base_url })).status).toBe(200)
  })

  it('responds to each message and keeps no connection open: it has no changes to stream', async () => {
    const meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} }
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { notifications: { toolsListChanged: true }, _meta: meta },
    }
    const listening = await post(
      { ...bearer(), 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'subscriptions/listen' },
      JSON.stringify(body),
    )
    expect(await listening.text()).toContain('error')
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'old', version: '1' } },
    }
    const old = await post(bearer(), JSON.stringify(initialize))
    expect(await old.text()).toContain('"serverInfo"')
    const notified = await post(bearer(), '{"jsonrpc":"2.0","method":"notifications/initialized"}')
    expect([notified.status, await notified.text()]).toEqual([202, ''])
  })

  it('answers a batch, as protocol 2025-03-26 has it', async () => {
    const messages = [1, 2].map((id) => ({ jsonrpc: '2.0', id, method: 'tools/list' }))
    const answer = await post({ ...bearer(), 'mcp-protocol-version': '2025-03-26' }, JSON.stringify(messages))
    const text = await answer.text()
    expect([answer.status, text.match(/"id":[12]\b/g)?.sort()]).toEqual([200, ['"id":1', '"id":2']])
  })

  it('answers a request that the same batch cancels: a response would else never end', async () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_reports', arguments: {} } }
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }
    const batch = (...messages: object[]) => post({ ...bearer(), 'mcp-protocol-version': '2025-03-26' }, JSON.stringify(messages))
    expect(await (await batch(call, cancelled)).text()).toContain('"id":1')
    expect((await batch(cancelled)).status).toBe(202)
  })

  it('refuses a batch in which two requests have one id: only one of them would get a response, whatever the other spent', async () => {
    const create = { name: 'create_report', arguments: { ...input, confirm: true } }
    const request = (id: unknown, method = 'ping', params = {}) => ({ jsonrpc: '2.0', id, method, params })
    const batch = async (...messages: object[]) => {
      const answer = await post({ ...bearer(), 'mcp-protocol-version': '2025-03-26' }, JSON.stringify(messages))
      return [answer.status, await answer.text()]
    }
    const refusal = { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'Each request of a batch must have an id of its own.' } }
    expect(await batch(request(1, 'tools/call', create), request(1))).toEqual([400, JSON.stringify(refusal)])
    expect(await countCharges()).toBe(0)
    // A number and a text are two ids, and a notification has none.
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' }
    expect((await batch(request(1), request('1'), notification, notification))[0]).toBe(200)
  })

  it('refuses a batch of more than a hundred messages', async () => {
    const batch = (length: number) => JSON.stringify(Array.from({ length }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' })))
    const statusOf = async (length: number) => (await post({ ...bearer(), 'mcp-protocol-version': '2025-03-26' }, batch(length))).status
    expect([await statusOf(100), await statusOf(101)]).toEqual([200, 400])
  })

  it('shows no details of a fault of our own, and logs it', async () => {
    const logged: string[] = []
    const log = pino({ level: 'error' }, { write: (line: string) => void logged.push(line) })
    const api = await createApiServer({ ...sample.world.app, log })
    const url = new URL(`${await api.listen({ host: '127.0.0.1', port: 0 })}/mcp`)
    // An answer that no tool expects.
    vi.spyOn(api, 'inject').mockImplementation((() => Promise.resolve({ statusCode: 200, headers: {}, json: () => null })) as never)
    try {
      const client = new Client({ name: 'test', version: '1' })
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers: bearer() } }))
      const failed = await use(client, 'read_report', { report: 'x' })
      expect(failed).toMatchObject({ failed: true, content: { status: 500, code: 'server_error', request_id: expect.any(String) } })
      await expect(client.readResource({ uri: 'weather://reports/x/evidence' })).rejects.toMatchObject({
        code: -32603,
        message: expect.stringContaining('Something went wrong on our side'),
        data: { status: 500, code: 'server_error', request_id: expect.any(String) },
      })
      expect(failed.content.message).toMatch(/^Something went wrong on our side/)
      expect(logged.filter((line) => line.includes('TypeError'))).toHaveLength(2)
      await client.close()
    } finally {
      await api.close()
    }
  })

  it('limits and reads requests as the API does', async () => {
    expect((await post(bearer(), `{"a":"${'x'.repeat(2 ** 20)}"}`)).status).toBe(413)
    for (const body of ['{', `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`]) {
      const malformed = await post(bearer(), body)
      expect([malformed.status, await malformed.json()]).toMatchObject([400, { jsonrpc: '2.0', id: null, error: { code: -32_700 } }])
    }
    for (const body of ['5', 'null', '"x"', '[]', '[5]', '{}']) expect([body, (await post(bearer(), body)).status]).toEqual([body, 400])
    expect((await post({ ...bearer(), 'content-type': 'text/plain' })).status).toBe(415)
    expect((await post(bearer(), undefined, 'GET')).status).toBe(405)
    expect((await post(bearer(), undefined, 'DELETE')).status).toBe(405)
  })
})

it('offers the resources and the prompt', async () => {
  const client = await overHttp((await aToken(sample.world, sample.team)).token)
  const report = await sample.world.app.db.report.findFirstOrThrow({ where: { team_id: sample.team.id, status: 'complete' } })
  const read = async (uri: string) => JSON.parse(((await client.readResource({ uri })).contents[0] as { text: string }).text)
  expect((await read(`weather://reports/${report.id}`)).data).toMatchObject({ id: report.id })
  expect(await read(`weather://reports/${report.id}/evidence`)).toHaveLength(report.event_count)
  const { messages } = await client.getPrompt({
    name: 'what_happened_at_this_address',
    arguments: { address: sampleStorm.address, date: '2025-05-28' },
  })
  expect(JSON.stringify(messages)).toContain('before create_report')
})
