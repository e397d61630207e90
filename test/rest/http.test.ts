import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ORDINARY, openPool } from '#domain/engines/pool.ts'
import { mountHealth } from '#rest/health.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openLink } from '#test/support/link.ts'
import type { Sent } from '#test/support/rest-call.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { differences, errorBody } from './keys.ts'

let world: World
let rest: Rest
let token: string
beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  rest = await openRest(world)
  token = (await aToken(world, await aTeam(world, { credits: 60 }))).token
})
afterAll(() => rest.close())

type Method = 'QUERY' | 'PURGE' | 'PROPFIND' | 'TRACE' | 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
const send = (method: Method, url: string, { headers, payload }: { headers?: Record<string, string>; payload?: string | Buffer } = {}) =>
  rest.fastify.inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${token}`, ...headers },
    ...(payload !== undefined && { payload }),
  })
const post = (payload: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  send('POST', '/api/v1/reports', { headers, payload })
const call = (method: 'GET' | 'POST', path: string, sent: Sent = {}) => rest.call(method, path, { token, ...sent })
const window = { window_start: '2024-01-01', window_end: '2024-01-31' }
const street = '1 Main St, Moore, OK 73160'

describe('the order of checks', () => {
  it('checks identity, then the rate limit, then abilities, before it reads a body', async () => {
    const anonymous = await rest.call('POST', '/nowhere', { headers: { 'content-type': 'text/plain' } })
    expect(anonymous.status).toBe(401)
    const { token: free } = await aToken(world, await aTeam(world, { plan: 'free' }))
    expect((await rest.call('GET', '/nowhere', { token: free })).status).toBe(402)
    expect((await call('GET', '/nowhere')).status).toBe(404)
    const { token: reader } = await aToken(world, await aTeam(world), ['reports:read'])
    expect((await rest.call('POST', '/reports', { token: reader, headers: { 'content-type': 'text/plain' } })).status).toBe(403)
    const large = await send('POST', '/api/v1/reports', { payload: 'x'.repeat(1024 * 1024 + 1), headers: { 'content-type': 'text/plain' } })
    expect(large.statusCode).toBe(413)
    expect((await post('{', { 'content-type': 'text/plain' })).statusCode).toBe(415)
    expect((await post('{')).json().code).toBe('malformed_json')
  })

  it('checks identity before it reports an unknown method or path', async () => {
    for (const method of ['QUERY', 'PURGE', 'PROPFIND', 'TRACE', 'PUT'] as Method[]) {
      const anonymous = await send(method, '/api/v1/account', { headers: { authorization: '' } })
      expect([method, anonymous.statusCode]).toEqual([method, 401])
      const answer = await send(method, '/api/v1/account')
      expect([method, answer.statusCode, answer.headers.allow]).toEqual([method, 405, 'GET, HEAD'])
      expect(answer.headers).toHaveProperty('x-ratelimit-remaining')
      expect((await send(method, '/verify/abc')).statusCode).toBe(404)
    }
    for (const path of ['/api/v1/%zz', '/api/v1/reports/%zz', '/api/v1/reports/%ff']) {
      expect((await send('GET', path, { headers: { authorization: '' } })).statusCode).toBe(401)
      const answer = await send('GET', path)
      expect([path, answer.statusCode]).toEqual([path, 404])
      expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': expect.anything(), 'x-content-type-options': 'nosniff' })
    }
  })

  it('looks up the record before it checks an idempotency key', async () => {
    const unknown = '/properties/00000000-0000-4000-8000-000000000000/reports'
    expect((await call('POST', unknown, { body: window, headers: { 'idempotency-key': '' } })).status).toBe(404)
    expect((await call('POST', '/reports', { body: window, headers: { 'idempotency-key': '' } })).body.errors).toHaveProperty(
      'idempotency_key',
    )
  })

  it('reads the body before it checks the id in the path', async () => {
    const headers = { 'content-type': 'application/json' }
    expect((await send('PATCH', '/api/v1/properties/x', { headers, payload: '[' })).json().code).toBe('malformed_json')
    expect((await send('PATCH', '/api/v1/properties/x', { headers, payload: '{"kind":"castle"}' })).statusCode).toBe(404)
    const unknown = '00000000-0000-4000-8000-000000000000'
    expect((await send('PATCH', `/api/v1/properties/${unknown}`, { headers, payload: '{"kind":"castle"}' })).statusCode).toBe(404)
  })
})

describe('bodies', () => {
  it.each(['', 'null', '[]', '"x"', '{"a":', '{"__proto__":{}}'])('%j is not a valid body of a report', async (payload) => {
    const answer = await post(payload)
    expect(answer.statusCode).toBe(422)
    expect(differences(errorBody, answer.json())).toEqual([])
    if (payload !== '') expect(answer.json()).toMatchObject({ code: 'malformed_json', errors: null })
  })

  it('name every field at fault at once', async () => {
    const { status, body } = await call('POST', '/reports', { body: { address: 5, window_start: null, radius_miles: '5' } })
    expect(status).toBe(422)
    expect(body).toMatchObject({
      code: 'validation_failed',
      message: 'The address must be text. (and 3 more errors)',
      errors: {
        address: ['The address must be text.'],
        window_start: ['The window start is required.'],
        window_end: ['The window end is required.'],
        radius_miles: ['The radius must be a number: 1 to 100 miles.'],
      },
    })
  })

  it('may contain no NUL and no unpaired surrogates, in any field', async () => {
    for (const address of ['1 Main\u0000 St', '1 Main\ud800 St']) {
      const answer = await call('POST', '/reports', { body: { address, ...window } })
      expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, ['address']])
      const batch = await call('POST', '/reports/batch', {
        body: {
          reports: [
            { address: street, ...window },
            { address, ...window },
          ],
        },
      })
      expect(batch.body).toMatchObject({
        accepted: 1,
        rejected: 1,
        results: [{ status: 'accepted' }, { message: 'The address must not contain control characters.' }],
      })
    }
    const filter = await call('GET', '/reports?address=a%00b')
    expect([filter.status, Object.keys(filter.body.errors)]).toEqual([422, ['address']])
  })

  it('of batches may be larger', async () => {
    const notes = 'x'.repeat(2 * 1024 * 1024)
    expect((await call('POST', '/reports/batch', { body: { reports: [], notes } })).body.code).toBe('validation_failed')
    expect((await call('POST', '/reports', { body: { notes } })).status).toBe(413)
    expect((await call('POST', '/reports/batch', { body: { reports: [], notes: 'x'.repeat(4 * 1024 * 1024) } })).status).toBe(413)
  })

  it('may contain keys of a later version if the request costs nothing, and null for absent values', async () => {
    expect((await call('POST', '/properties', { body: { address: street, colour: 'red', label: null } })).status).toBe(201)
    expect((await call('POST', '/reports', { body: { address: street, ...window, radius_miles: null } })).status).toBe(202)
  })
})

describe('responses', () => {
  it('each have their own request id', async () => {
    const ids = (await Promise.all([call('GET', '/account'), call('GET', '/nowhere')])).map(({ headers }) => headers['x-request-id'])
    expect(new Set(ids).size).toBe(2)
    for (const id of ids) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
  })

  it('to a GET have an ETag, and are 304 for a client that has the version', async () => {
    const first = await call('GET', '/team')
    const etag = String(first.headers.etag)
    expect(etag).toMatch(/^"[\w-]+"$/)
    for (const condition of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await call('GET', '/team', { headers: { 'if-none-match': condition } })
      expect([again.status, again.text, again.headers.etag]).toEqual([304, '', etag])
      expect(again.headers).toHaveProperty('x-ratelimit-remaining')
      expect(again.headers).not.toHaveProperty('content-type')
    }
    expect((await call('GET', '/team', { headers: { 'if-none-match': '"other"' } })).status).toBe(200)
    expect((await call('GET', '/nowhere', { headers: { 'if-none-match': '*' } })).status).toBe(404)
  })

  it('to a HEAD are those to a GET without a body', async () => {
    const got = await send('GET', '/api/v1/team')
    const head = await send('HEAD', '/api/v1/team')
    expect([head.statusCode, head.body]).toEqual([200, ''])
    for (const name of ['content-type', 'content-length', 'etag']) expect(head.headers[name]).toBe(got.headers[name])
    expect((await send('HEAD', '/api/v1/nowhere')).statusCode).toBe(404)
    expect((await send('HEAD', '/api/v1/reports/batch')).statusCode).toBe(405)
  })

  it('allow no other origins', async () => {
    const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' }
    for (const answer of [await send('OPTIONS', '/api/v1/team', { headers }), await send('GET', '/api/v1/team', { headers })]) {
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  it('to internal errors contain only the request id', async () => {
    const broken = await openRest({ app: { ...world.app, pool: { query: () => Promise.reject(new Error('secret')) } as never } })
    const { status, body, text } = await broken.call('GET', '/account', { token })
    expect([status, body.code]).toEqual([500, 'server_error'])
    expect(differences(errorBody, body)).toEqual([])
    expect(text).not.toContain('secret')
    await broken.close()
  })
})

describe('paths', () => {
  it.each([
    '/api/v1/reports/',
    '/api/v1//reports',
    '/api/v1/Reports',
    '/api/v1/reports/%2Fevents',
    '/api/v1/webhook',
    '/api/v1/reports/%E0%A4%A',
  ])('%s is not found', async (url) => {
    const answer = await send('GET', url)
    expect(answer.statusCode).toBe(404)
    expect(differences(errorBody, answer.json())).toEqual([])
  })

  it('outside the API are 404 with the same message', async () => {
    const long = 'a'.repeat(8000)
    for (const url of ['/api', '/api/v2', '/nowhere', `/nowhere/${long}`, `/verify/${long}`, `/download/${long}`]) {
      const answer = await rest.fastify.inject({ method: 'GET', url, headers: { accept: 'application/json' } })
      expect([url, answer.statusCode, differences(errorBody, answer.json())]).toEqual([url, 404, []])
    }
  })

  it('outside the API are 404 whatever is sent there, as by programs that look for other software', async () => {
    const bodies: [type: string, payload: string][] = [
      ['text/xml', '<?xml version="1.0"?><methodCall/>'],
      ['application/x-www-form-urlencoded', 'log=admin&pwd=admin'],
      ['application/json', '{'],
      ['application/json', 'x'.repeat(2 ** 20 + 1)],
      ['none', 'x'],
    ]
    for (const [type, payload] of bodies) {
      const answer = await rest.fastify.inject({ method: 'POST', url: '/xmlrpc.php', headers: { 'content-type': type }, payload })
      expect([type, answer.statusCode, answer.json().code]).toEqual([type, 404, 'not_found'])
    }
    const odd = await rest.fastify.inject({
      method: 'DELETE',
      url: '/operator/basemap',
      headers: { 'content-type': 'text/xml' },
      payload: '<a/>',
    })
    expect([odd.statusCode, odd.json().code]).toEqual([415, 'unsupported_media_type'])
  })

  it('outside the API show a page to a browser, which finds its icon', async () => {
    const answer = await rest.fastify.inject({ url: '/nowhere', headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } })
    expect([answer.statusCode, answer.headers['content-type'], answer.headers.vary]).toEqual([404, 'text/html; charset=utf-8', 'accept'])
    expect(answer.body).toContain('<p>There is nothing at this path.</p><p><a href="/">')
    expect(answer.body).toContain('<link rel="icon" href="data:,">')
    expect(answer.headers['content-security-policy']).toContain('img-src data:')
    expect((await rest.fastify.inject('/favicon.ico')).statusCode).toBe(204)
  })

  it('accept ids in upper and lower case', async () => {
    const { body } = await call('POST', '/reports', { body: { address: street, ...window } })
    expect((await call('GET', `/reports/${body.data.id.toUpperCase()}`)).body.data.id).toBe(body.data.id)
  })
})

describe('pages', () => {
  it('are clamped, linked to each other, and empty past the end', async () => {
    for (const [sent, used] of [
      ['1000', 100],
      ['0', 1],
      ['-5', 1],
      ['99999999999', 100],
      ['7', 7],
    ] as const) {
      expect((await call('GET', `/reports?per_page=${sent}`)).body.meta.per_page).toBe(used)
    }
    expect((await call('GET', '/reports')).body.meta.per_page).toBe(25)
    const first = (await call('GET', '/credits/transactions?kind=spend&per_page=1')).body
    expect(first.links.prev).toBeNull()
    expect(new URL(first.links.next).searchParams.get('kind')).toBe('spend')
    const second = (await call('GET', new URL(first.links.next).href.split('/api/v1')[1] as string)).body
    expect(second.meta).toMatchObject({
      current_page: 2,
      from: 2,
      to: 2,
      per_page: 1,
      path: `${world.app.config.base_url}/api/v1/credits/transactions`,
    })
    expect(second.links.prev).toBe(first.links.first)
    expect(Object.keys(second.meta)).toHaveLength(7)
    for (const far of ['999', '99999999999999']) {
      const { status, body } = await call('GET', `/reports?page=${far}`)
      expect([status, body.data, body.meta.from, body.meta.to, body.links.next]).toEqual([200, [], null, null, null])
    }
  })

  it.each(['page=0', 'page=-1', 'page=x', 'page=1.5', 'page=', 'per_page=x', 'per_page=', 'page=1&page=2'])('refuse %s', async (query) => {
    const { status, body } = await call('GET', `/reports?${query}`)
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toEqual([query.split('=')[0]])
  })
})

describe('probes', () => {
  it('are public, outside the API', async () => {
    for (const url of ['/healthz', '/readyz']) expect((await rest.fastify.inject({ method: 'GET', url })).statusCode).toBe(200)
  })

  it('report soon that the database hangs, not when the pool gives it up', async () => {
    const link = await openLink(Number(new URL(world.app.config.database_url).port))
    const url = new URL(world.app.config.database_url)
    url.port = String(link.port)
    const pool = openPool(url.href, { max: 2, application_name: 'weather' })
    const fastify = Fastify()
    mountHealth(fastify, { ...world.app, pool }, { answers_within_ms: 200 })
    const probe = async () => (await fastify.inject({ method: 'GET', url: '/readyz' })).statusCode
    expect(await probe()).toBe(200)
    link.cut()
    const cut_at = performance.now()
    expect(await probe()).toBe(503)
    expect(performance.now() - cut_at).toBeLessThan(ORDINARY.statement / 2)
    expect((await fastify.inject({ method: 'GET', url: '/healthz' })).statusCode).toBe(200)
    await link.close()
    await pool.end()
  })
})
