import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { describe, expect, expectTypeOf, it } from 'vitest'
import {
  createWeatherClient,
  type PathOf,
  type RetryPolicy,
  WeatherApiError,
  WeatherConnectionError,
  WeatherTimeoutError,
} from 'weather-report-client'

interface Try {
  url: string
  method: string
  key: string | null
  body: string
  authorization: string | null
  redirect: RequestRedirect
}

/** A service that responds to each try as given: a status, headers and a body, or a lost connection. */
function answering(answers: (Response | Error)[], more: { retry?: Partial<RetryPolicy>; timeoutMs?: number } = {}) {
  const tries: Try[] = []
  const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const { url, method, headers, redirect } = request
    const [key, authorization] = [headers.get('idempotency-key'), headers.get('authorization')]
    tries.push({ url, method, key, authorization, redirect, body: await request.text() })
    const answer = answers[tries.length - 1]
    if (answer === undefined) await aborted(init?.signal)
    if (answer instanceof Error) throw answer
    return answer as Response
  }
  const retry = { pausesMs: [1, 1], ...more.retry }
  return { tries, client: createWeatherClient({ baseUrl: 'http://weather.test/', token: 'wt_x', fetch, ...more, retry }) }
}

/** Throws the signal's reason as soon as it has one. */
async function aborted(signal: AbortSignal | null | undefined): Promise<never> {
  if (!signal?.aborted) await new Promise((resolve) => signal?.addEventListener('abort', resolve))
  throw signal?.reason
}

/** A server on this machine, and its URL. */
async function serve(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, [Symbol.dispose]: () => server.close() }
}

const ok = () => Response.json({ data: { balance: 3 } })
const refused = (status: number, code: string, more = {}) =>
  Response.json(
    { object: 'error', status, code, message: 'No.', errors: null, request_id: '01J', retry_after: 0, required_plan: null, ...more },
    { status },
  )
const lost = () => Object.assign(new TypeError('fetch failed'), { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) })
const cutShort = () =>
  new Response(
    new ReadableStream({
      start: (body) => body.enqueue(new TextEncoder().encode('{"da')),
      pull: (body) => body.error(new Error('terminated')),
    }),
  )

describe('a request is retried', () => {
  it.each([
    ['429', () => refused(429, 'rate_limited')],
    ['503', () => refused(503, 'engine_unavailable')],
    ['a connection that was lost', lost],
    ['an answer that broke off', cutShort],
  ])('after %s, if it only reads', async (_, fault) => {
    const { client, tries } = answering([fault(), fault(), ok()])
    expect(await client.get('/api/v1/credits')).toEqual({ data: { balance: 3 } })
    expect(tries.map(({ authorization }) => authorization)).toEqual(Array(3).fill('Bearer wt_x'))
  })

  it('with one key and one body, if it creates under a key', async () => {
    const body = { address: '1 Main St', window_start: '2025-01-01', window_end: '2025-12-31' }
    const { client, tries } = answering([lost(), refused(409, 'idempotency_in_flight'), ok()])
    await client.post('/api/v1/reports', { body })
    expect(new Set(tries.map(({ key }) => key)).size).toBe(1)
    expect(tries[0]?.key).toMatch(/^[0-9a-f-]{36}$/)
    expect(tries.map((one) => JSON.parse(one.body))).toEqual([body, body, body])
    await expect(answering([lost(), ok()]).client.post('/api/v1/reports', { body })).resolves.toBeDefined()
  })

  it('with the key that the caller chose', async () => {
    const { client, tries } = answering([lost(), ok()])
    const body = { name: 'North', kind: 'polygon' as const }
    await client.post('/api/v1/territories', { body, headers: { 'Idempotency-Key': 'order-7' } })
    expect(tries.map(({ key }) => key)).toEqual(['order-7', 'order-7'])
  })

  it('as often as the pauses allow, and then fails with the last response', async () => {
    const { client, tries } = answering([lost(), lost(), refused(503, 'engine_unavailable'), ok()])
    await expect(client.get('/api/v1/credits')).rejects.toMatchObject({ status: 503, code: 'engine_unavailable' })
    expect(tries).toHaveLength(3)
  })

  it('within a time that begins when its first attempt has ended', async () => {
    const hanging = undefined as unknown as Response
    const { client, tries } = answering([hanging, ok()], { timeoutMs: 200, retry: { withinMs: 100 } })
    expect(await client.get('/api/v1/credits')).toEqual({ data: { balance: 3 } })
    expect(tries).toHaveLength(2)
  })

  it('when Retry-After allows, unless that is beyond its time limit', async () => {
    const soon = answering([refused(429, 'rate_limited', { retry_after: 1 }), ok()])
    const startedAt = Date.now()
    await soon.client.get('/api/v1/credits')
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(1000)
    const late = answering([refused(429, 'rate_limited', { retry_after: 61 }), ok()])
    await expect(late.client.get('/api/v1/credits')).rejects.toMatchObject({ retry_after: 61 })
    expect(late.tries).toHaveLength(1)
  })
})

it('a report is waited for no longer than asked, even without a response', async () => {
  const { client } = answering([])
  await expect(client.waitForReport('x', { withinMs: 100 })).rejects.toBeInstanceOf(WeatherTimeoutError)
})

it('has no timeout that is longer than a timer can be', async () => {
  const slow: typeof fetch = async (_, init) => {
    await sleep(50, undefined, { signal: init?.signal ?? undefined })
    return Response.json({ data: { status: 'complete' } })
  }
  for (const longest of [Number.POSITIVE_INFINITY, 2 ** 31]) {
    const client = createWeatherClient({
      ...{ baseUrl: 'http://weather.test', token: 'wt_x' },
      ...{ fetch: slow, timeoutMs: longest, retry: { pausesMs: [] } },
    })
    expect(await client.waitForReport('x', { withinMs: longest })).toMatchObject({ status: 'complete' })
  }
  const stop = new AbortController()
  const waiting = answering([refused(503, 'engine_unavailable', { retry_after: 2 ** 31 }), ok()], {
    retry: { withinMs: Number.POSITIVE_INFINITY },
  })
  const request = waiting.client.get('/api/v1/credits', { signal: stop.signal })
  await sleep(50)
  stop.abort(new Error('enough'))
  await expect(request).rejects.toThrow('enough')
  expect(waiting.tries).toHaveLength(1)
})

describe('the document of a report', () => {
  const preparing = (seconds: number) =>
    Response.json(
      { object: 'pdf', status: 'preparing', retry_after: seconds },
      { status: 202, headers: { 'retry-after': String(seconds) } },
    )

  it('is read once it is rendered: what the service says until then is not taken for it', async () => {
    const document = new Response('%PDF-1.7', { headers: { 'content-type': 'application/pdf' } })
    const { client, tries } = answering([preparing(1), document])
    expect(new TextDecoder().decode(await client.reportPdf('x'))).toBe('%PDF-1.7')
    expect(tries).toHaveLength(2)
  })

  it('is no result of a typed call, which has no status that distinguishes it from the JSON before', () => {
    expectTypeOf<'/api/v1/reports/{report}/pdf'>().not.toExtend<PathOf<'get'>>()
    expectTypeOf<'/api/v1/reports/{report}'>().toExtend<PathOf<'get'>>()
    expectTypeOf<'/api/v1/reports/{report}/pdf/link'>().toExtend<PathOf<'post'>>()
  })

  it('is waited for no longer than asked; a refusal is thrown', async () => {
    await expect(answering([preparing(5)]).client.reportPdf('x', { withinMs: 100 })).rejects.toBeInstanceOf(WeatherTimeoutError)
    const missing = answering([refused(404, 'not_found')]).client.reportPdf('x')
    await expect(missing).rejects.toMatchObject({ name: 'WeatherApiError', code: 'not_found' })
    const page = new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })
    await expect(answering([page]).client.reportPdf('x')).rejects.toMatchObject({ name: 'WeatherApiError', status: 200 })
  })
})

it('a page that is no JSON, and the detail of a failed test, are errors with a status', async () => {
  const page = answering([new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } })])
  await expect(page.client.get('/api/v1/credits')).rejects.toMatchObject({
    name: 'WeatherApiError',
    status: 200,
    message: 'The response is not JSON: is baseUrl the address of the service?',
  })
  const failed = answering([Response.json({ object: 'integration_test', detail: 'It answered 404.' }, { status: 502 })])
  const params = { path: { integration: 'x' } }
  await expect(failed.client.post('/api/v1/integrations/{integration}/test', { params })).rejects.toThrow('It answered 404.')
})

it('a call has the fetch, the middleware and the base of its client', async () => {
  const { client, tries } = answering([lost(), ok(), refused(404, 'not_found')])
  const used: string[] = []
  const bypass = async () => {
    used.push('fetch')
    return ok()
  }
  const onRequest = () => {
    used.push('middleware')
  }
  // @ts-expect-error the fetch of a client is an option of createWeatherClient
  expect(await client.get('/api/v1/credits', { fetch: bypass })).toEqual({ data: { balance: 3 } })
  // @ts-expect-error the token belongs to one base
  const elsewhere = client.get('/api/v1/credits', { baseUrl: 'http://weather.example.com', middleware: [{ onRequest }] })
  await expect(elsewhere).rejects.toMatchObject({ code: 'not_found' })
  expect(used).toEqual([])
  expect(tries.map(({ url }) => url)).toEqual(Array(3).fill('http://weather.test/api/v1/credits'))
})

describe('the token is sent to the service alone', () => {
  it('by paths with and without a slash, and by URLs that the service returned', async () => {
    const { client, tries } = answering([ok(), ok(), ok()])
    for (const path of ['/exports/reports.csv', 'exports/reports.csv', 'http://weather.test/exports/reports.csv']) await client.fetch(path)
    expect(tries.map(({ url }) => url)).toEqual(Array(3).fill('http://weather.test/exports/reports.csv'))
    await expect(createWeatherClient({ baseUrl: 'no-url', token: 'wt_x' }).fetch('/exports/reports.csv')).rejects.toThrow(TypeError)
  })

  it.each(['https://weather.test/', 'http://weather.test.example.com/', 'http://weather.test:81/', 'data:,x'])('not to %s', async (url) => {
    const { client, tries } = answering([ok()])
    await expect(client.fetch(url)).rejects.toThrow(`${url} is not of http://weather.test: the token is sent to no other origin.`)
    expect(tries).toEqual([])
  })

  it('not to another host by the text of a path', async () => {
    const { client, tries } = answering([ok(), ok(), ok()])
    for (const path of ['.example.com/x', '@example.com/x', '//example.com/x']) await client.fetch(path)
    expect(tries.map(({ url }) => new URL(url).host)).toEqual(Array(3).fill('weather.test'))
    await expect(client.get('.example.com/x' as '/api/v1/credits')).rejects.toThrow('is not of http://weather.test')
    expect(tries).toHaveLength(3)
  })
})

describe('a request is sent once', () => {
  it('if it writes with a key that the operation does not read', async () => {
    const { client, tries } = answering([lost(), ok()])
    const body = { name: 'CRM', channel: 'webhook', url: 'https://crm.example.com/posts', events: ['report.completed'] } as never
    await expect(client.post('/api/v1/integrations', { body, headers: { 'Idempotency-Key': 'k' } })).rejects.toThrow()
    expect(tries.map(({ key }) => key)).toEqual([null])
  })

  it('if it writes without a key', async () => {
    for (const fault of [lost(), refused(503, 'engine_unavailable'), refused(429, 'rate_limited')]) {
      const { client, tries } = answering([fault, ok()])
      await expect(client.post('/api/v1/properties', { body: { address: '1 Main St' } })).rejects.toThrow()
      expect(tries).toMatchObject([{ method: 'POST', key: null }])
    }
  })

  it('if it writes and is redirected: following would turn it into a read', async () => {
    const { client, tries } = answering([new Response(null, { status: 301, headers: { location: 'https://weather.test/' } }), ok()])
    const fault = await client.post('/api/v1/properties', { body: { address: '1 Main St' } }).catch((thrown: unknown) => thrown)
    expect(fault).toBeInstanceOf(WeatherApiError)
    expect(fault).toMatchObject({ status: 301, message: expect.stringContaining('redirects to https://weather.test/') })
    expect(tries).toMatchObject([{ method: 'POST', redirect: 'manual' }])
  })

  it('if the refusal is final', async () => {
    const { client, tries } = answering([refused(402, 'plan_limit', { required_plan: 'starter' })])
    const fault = await client.get('/api/v1/credits').catch((thrown: unknown) => thrown)
    expect(fault).toBeInstanceOf(WeatherApiError)
    expect(fault).toMatchObject({ status: 402, code: 'plan_limit', message: 'No.', required_plan: 'starter', request_id: '01J' })
    expect(tries).toHaveLength(1)
  })

  it('if the caller aborts it, with the caller’s reason', async () => {
    const stop = new AbortController()
    const { client, tries } = answering([])
    const request = client.get('/api/v1/credits', { signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(request).rejects.toThrow('enough')
    expect(tries.length).toBeLessThan(2)
  })
})

it('a streamed download can be aborted after a garbage collection', async () => {
  const program = ['--expose-gc', '--import', 'tsx', 'test/clients/abort-after-gc.ts']
  const { stdout } = await promisify(execFile)(process.execPath, program)
  expect(stdout).toBe('enough\n')
})

describe('a failure states its cause', () => {
  it('a service that never responds times out', async () => {
    const { client } = answering([], { timeoutMs: 20, retry: { pausesMs: [] } })
    await expect(client.get('/api/v1/credits')).rejects.toThrow('http://weather.test cannot be reached: no answer in time')
  })

  it('a lost connection has the system’s error code', async () => {
    const fault = await answering([lost()], { retry: { pausesMs: [] } })
      .client.get('/api/v1/credits')
      .catch((thrown: unknown) => thrown)
    expect(fault).toBeInstanceOf(WeatherConnectionError)
    expect(fault).toMatchObject({ reason: 'ECONNRESET', answer_began: false })
  })

  it('a redirect to another origin is named where the token is missing', async () => {
    const unauthenticated = { object: 'error', code: 'unauthenticated', message: 'Send a token.' }
    const tokens: (string | undefined)[] = []
    using final = await serve(({ headers }, response) => {
      tokens.push(headers.authorization)
      response.writeHead(401, { 'content-type': 'application/json' }).end(JSON.stringify(unauthenticated))
    })
    using first = await serve(({ url = '' }, response) => {
      if (url === '/moved/api/v1/credits') response.writeHead(301, { location: '/api/v1/credits' }).end()
      else if (url === '/api/v1/credits') response.writeHead(401).end(JSON.stringify(unauthenticated))
      else response.writeHead(301, { location: `${final.url}/api/v1/credits` }).end()
    })
    const readFrom = (baseUrl: string) => createWeatherClient({ baseUrl, token: 'wt_x' }).get('/api/v1/credits')
    await expect(readFrom(`${first.url}/away`)).rejects.toMatchObject({
      ...{ status: 401, code: 'unauthenticated' },
      message: `The service redirects to ${final.url}, which is not sent the token: use the final URL of the service.`,
    })
    expect(tokens).toEqual([undefined])
    await expect(readFrom(`${first.url}/moved`)).rejects.toThrow('Send a token.')
  })

  it('a proxy may respond with something other than JSON', async () => {
    const { client } = answering([new Response('<html>', { status: 502, headers: { 'x-request-id': '01K' } })])
    await expect(client.get('/api/v1/credits')).rejects.toMatchObject({
      message: 'The service returned 502 with a body that is not JSON.',
      ...{ code: null, request_id: '01K', body: '<html>' },
    })
  })
})
