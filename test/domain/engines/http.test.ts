import type { LookupAddress } from 'node:dns'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Http, HttpFailure, openHttp } from '#domain/engines/http.ts'
import { startTestServer, type TestServer } from './test-server.ts'

/** A pause too short to slow a test. */
const PAUSE_MS = 1
/** A deadline that a local server can meet and that a test can wait for. */
const SHORT_MS = 150

type LookupCallback = (fault: Error | null, addresses: LookupAddress[]) => void

let http: Http
let server: TestServer

beforeEach(() => {
  http = openHttp({ contact: 'ops@example.com' }, PAUSE_MS)
})

afterEach(async () => {
  await http.close()
  await server?.close()
})

async function serve(answer: (request: IncomingMessage, response: ServerResponse, turn: number) => void): Promise<void> {
  server = await startTestServer(answer)
}

/** Returns the failure of a request that must fail. */
async function failureOf(promise: Promise<unknown>): Promise<HttpFailure> {
  const fault = await promise.then(
    () => new Error('it was answered'),
    (thrown: unknown) => thrown,
  )
  expect(fault).toBeInstanceOf(HttpFailure)
  return fault as HttpFailure
}

describe('a response', () => {
  it('has its status, headers and whole body; the request names the service and its contact', async () => {
    await serve((_, response) => response.writeHead(404, { 'X-Made-By': 'a test' }).end('not here'))
    const { status, headers, body } = await http.get(`${server.url}/feed?day=1`)
    expect([status, headers['x-made-by'], body.toString()]).toEqual([404, 'a test', 'not here'])
    expect(server.requests[0]?.path).toBe('/feed?day=1')
    expect(server.requests[0]?.headers['user-agent']).toBe('weather-report-service/1.0 (ops@example.com)')
  })

  it('may redirect, but only a few times', async () => {
    await serve((request, response) =>
      response.writeHead(request.url === '/new' ? 200 : 302, { location: request.url === '/loop' ? '/loop' : '/new' }).end('moved'),
    )
    expect((await http.get(`${server.url}/old`)).status).toBe(200)
    await http.get(`${server.url}/loop`).catch(() => {})
    expect(server.requests.filter(({ path }) => path === '/loop').length).toBeLessThanOrEqual(4)
  })

  it('is refused from a metadata service, whether named as a literal, by a redirect or by a host name', async () => {
    await serve((_, response) => response.writeHead(302, { location: 'http://169.254.169.254/latest/meta-data/' }).end())
    for (const url of ['http://[fd00:ec2::254]/', 'http://100.100.100.200/', 'http://0xa9fea9fe/', `${server.url}/feed`])
      expect(await failureOf(http.get(url, { timeout_ms: SHORT_MS, retries: 3 }))).toMatchObject({ reason: 'forbidden' })
    expect(server.requests).toHaveLength(1)
    const rebinding = openHttp({ contact: null }, PAUSE_MS, ((_name: string, _options: object, done: LookupCallback) =>
      done(null, [{ address: '169.254.169.254', family: 4 }])) as never)
    expect(await failureOf(rebinding.get('http://metadata.test/', { timeout_ms: SHORT_MS }))).toMatchObject({ reason: 'forbidden' })
    await rebinding.close()
  })

  it('is fetched only if it has changed', async () => {
    await serve((request, response) => {
      const known = request.headers['if-none-match'] === '"v1"' && request.headers['if-modified-since'] === 'Wed, 28 May 2025 23:10:00 GMT'
      response
        .writeHead(known ? 304 : 200, { etag: '"v1"', 'last-modified': 'Wed, 28 May 2025 23:10:00 GMT' })
        .end(known ? undefined : 'alerts')
    })
    const first = await http.get(server.url)
    const second = await http.get(server.url, { validators: first.validators })
    expect([first.status, second.status, second.body.length]).toEqual([200, 304, 0])
  })

  it('is refused above the size limit, whether or not the size is announced', async () => {
    await serve((request, response) => {
      if (request.url === '/announced') response.setHeader('content-length', 5000)
      response.write(Buffer.alloc(2500))
      response.end(Buffer.alloc(2500))
    })
    for (const path of ['/announced', '/chunked'])
      expect((await failureOf(http.get(server.url + path, { max_bytes: 4999 }))).reason).toBe('too_large')
    expect((await http.get(`${server.url}/chunked`, { max_bytes: 5000 })).body).toHaveLength(5000)
  })
})

describe('the deadline', () => {
  it('stops a request to a server that never responds', async () => {
    await serve(() => {})
    expect((await failureOf(http.get(server.url, { timeout_ms: SHORT_MS }))).reason).toBe('timed_out')
  })

  it('stops a request to a server that drips, and spans all retries', async () => {
    await serve((_, response) => {
      const timer = setInterval(() => response.write('.'), 10)
      response.on('close', () => clearInterval(timer))
    })
    expect((await failureOf(http.get(server.url, { timeout_ms: SHORT_MS, retries: 5 }))).reason).toBe('timed_out')
    expect(server.requests).toHaveLength(1)
  })

  it('does not wait for a Retry-After beyond it', async () => {
    await serve((_, response) => response.writeHead(429, { 'retry-after': '3600' }).end())
    expect((await http.get(server.url, { timeout_ms: SHORT_MS, retries: 5 })).status).toBe(429)
    expect(server.requests).toHaveLength(1)
  })
})

describe('a retry', () => {
  it('recovers from server errors and broken connections', async () => {
    await serve((_, response, turn) => {
      if (turn === 0) response.writeHead(503).end()
      else if (turn === 1) response.destroy()
      else if (turn === 2) response.writeHead(200, { 'content-length': 10 }).write('half', () => response.destroy())
      else response.end('whole')
    })
    const { status, body } = await http.get(server.url, { retries: 3 })
    expect([status, body.toString(), server.requests.length]).toEqual([200, 'whole', 4])
  })

  it('does not follow a response that will not change', async () => {
    await serve((_, response) => response.writeHead(404).end())
    await http.get(server.url, { retries: 3 })
    expect(server.requests).toHaveLength(1)
  })

  it('that fails last returns the last response, or an error that names only the host', async () => {
    await serve((request, response) => (request.url === '/busy' ? response.writeHead(503).end() : response.destroy()))
    expect((await http.get(`${server.url}/busy`, { retries: 2 })).status).toBe(503)
    const failure = await failureOf(http.get(`${server.url}/secret-path?key=secret`, { retries: 2 }))
    expect(failure.reason).toBe('unreachable')
    expect(failure.message).not.toContain('secret')
    expect(server.requests).toHaveLength(6)
  })
})

describe('a stream', () => {
  it('is read as it arrives, after retries of its beginning', async () => {
    await serve((_, response, turn) => (turn === 0 ? response.writeHead(502).end('wait') : response.end('a yearly file')))
    const { status, body } = await http.open(server.url, { retries: 1 })
    const chunks: Buffer[] = []
    for await (const chunk of body) chunks.push(chunk as Buffer)
    expect([status, Buffer.concat(chunks).toString()]).toEqual([200, 'a yearly file'])
  })

  it('fails if it is cut short or grows too large', async () => {
    await serve((request, response) => {
      if (request.url === '/cut') response.writeHead(200, { 'content-length': 10 }).write('half', () => response.destroy())
      else response.end(Buffer.alloc(5000))
    })
    for (const [path, reason] of [
      ['/cut', 'unreachable'],
      ['/large', 'too_large'],
    ] as const) {
      const { body } = await http.open(server.url + path, { max_bytes: 4000 })
      const read = (async () => {
        for await (const _ of body);
      })()
      expect((await failureOf(read)).reason).toBe(reason)
    }
  })

  it('may be left unread', async () => {
    await serve((_, response) => response.end(Buffer.alloc(1_000_000)))
    const { body } = await http.open(server.url)
    body.destroy()
    expect((await http.get(server.url)).body).toHaveLength(1_000_000)
  })
})
