import { once } from 'node:events'
import http from 'node:http'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyPage } from '../../cli/every-page.ts'
import { exits } from '../../cli/failure.ts'
import { bytesOf, call, query } from '../../cli/service.ts'
import type { Connection } from '../../cli/settings.ts'

describe('a listing that takes more requests than a minute allows', () => {
  let server: http.Server
  let requests: (string | undefined)[]
  const limited = { object: 'error', status: 429, code: 'rate_limited', message: 'Too many requests.', errors: null, retry_after: 1 }
  const pageOf = (number: number) => ({
    data: [number],
    links: { next: number < 3 ? 'next' : null },
    meta: { current_page: number, last_page: 3, total: 3 },
  })
  beforeAll(async () => {
    requests = []
    server = http.createServer(({ url }, response) => {
      requests.push(url)
      const refused = requests.length === 2
      response.writeHead(refused ? 429 : 200, { 'content-type': 'application/json', ...(refused && { 'retry-after': '1' }) })
      response.end(JSON.stringify(refused ? limited : pageOf(Number(/page=(\d)/.exec(url ?? '')?.[1]))))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
  })
  afterAll(() => {
    server.close()
  })

  it('continues from the refused page once the service allows it', async () => {
    const { port } = server.address() as { port: number }
    const connection: Connection = { url: `http://127.0.0.1:${port}`, token: 'wt_x', operator_key: null }
    const startedAt = performance.now()
    expect((await everyPage(connection, '/properties', { search: 'a' })).data).toEqual([1, 2, 3])
    expect(performance.now() - startedAt).toBeGreaterThan(990)
    expect(requests.map((url) => /page=(\d)/.exec(url ?? '')?.[1])).toEqual(['1', '2', '2', '3'])
  })
})

describe('a rate limit that does not clear', () => {
  it('is waited for ten times, and then fails the command', async () => {
    let requestCount = 0
    const limited = { object: 'error', status: 429, code: 'rate_limited', message: 'Too many requests.', errors: null, retry_after: 0 }
    const server = http.createServer((_, response) => {
      requestCount++
      response.writeHead(429, { 'content-type': 'application/json', 'retry-after': '0' }).end(JSON.stringify(limited))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as { port: number }
    const connection: Connection = { url: `http://127.0.0.1:${port}`, token: 'wt_x', operator_key: null }
    await expect(everyPage(connection, '/properties')).rejects.toMatchObject({ exit_status: exits.rate_limited })
    server.close()
    expect(requestCount).toBe(11)
  })
})

describe('a service that accepts a call and never responds', () => {
  let server: Server
  let connection: Connection
  beforeAll(async () => {
    server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    connection = {
      url: `http://127.0.0.1:${port}`,
      token: 'wt_x',
      operator_key: null,
      retry: { within_ms: 100, pauses_ms: [] },
    }
  })
  afterAll(() => {
    server.close()
  })

  it.each([
    ['call', () => call(connection, { method: 'GET', path: '/account' })],
    ['query', () => query(connection, '{ account { name } }', {})],
    ['document', () => bytesOf(connection, '/reports/1/pdf')],
  ])('times out: %s', async (_, request) => {
    await expect(request()).rejects.toThrow('no answer in time')
  })
})
