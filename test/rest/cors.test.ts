import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashToken } from '#domain/access/tokens.ts'
import type { Team } from '#generated/prisma/client.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { type BrowserSession, signIn } from '#test/support/browser-session.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { statementsOf } from '#test/support/statements.ts'
import { openWorld, type World } from '#test/support/world.ts'

const MAPS = 'https://maps.example.com'
const OTHERS = 'https://maps.example.org'
const SET = 'mutation ($origins: [String!]!) { setAllowedOrigins(origins: $origins) }'

let world: World
let rest: Rest
let team: Team
let owner: BrowserSession
let token: string
let others: string

beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  rest = await openRest(world)
  team = await aTeam(world)
  token = (await aToken(world, team)).token
  owner = await signIn(world, rest.fastify, team.id, 'ann@example.com', 'owner')
  await allow([MAPS, 'http://localhost:3000'])
  const other = await aTeam(world)
  others = (await aToken(world, other)).token
  await (await signIn(world, rest.fastify, other.id, 'bea@example.com', 'owner')).ask(SET, { origins: [OTHERS] })
})
afterAll(() => rest.close())

const allow = async (origins: unknown) => {
  const { data, errors } = await owner.ask(SET, { origins })
  return errors ? errors[0].extensions.errors : data.setAllowedOrigins
}

type Method = 'GET' | 'HEAD' | 'POST' | 'OPTIONS'
type Sent = { method?: Method; origin?: string | undefined; of?: string | null; headers?: Record<string, string> }

function ask(url: string, { method = 'GET', origin = MAPS, of = token, headers = {} }: Sent = {}) {
  const sent = { ...(of && { authorization: `Bearer ${of}` }), ...(origin && { origin }), ...headers }
  return rest.fastify.inject({ method, url, headers: sent })
}

/** A browser's preflight request before it sends a token. */
const preflight = (url: string, { origin = MAPS, method = 'GET', names = 'authorization' } = {}) =>
  ask(url, {
    method: 'OPTIONS',
    origin,
    of: null,
    headers: { 'access-control-request-method': method, 'access-control-request-headers': names },
  })

const READS = [
  '/api/v1',
  '/api/v1/reports?per_page=1',
  '/api/v1/tiles/0/0/0.mvt',
  '/exports/properties.csv',
  '/exports/territories.geojson',
  '/swaths/2025-05-28.geojson',
  '/ogc',
  '/ogc/collections',
]
/** Headers with which a browser lets a page read the response. */
const letting = (headers: object) => Object.keys(headers).filter((name) => name.startsWith('access-control-'))

describe('the response to a web page', () => {
  it.each(READS)('allows an origin that the token’s team allows: %s', async (url) => {
    for (const method of ['GET', 'HEAD'] as const) {
      const { statusCode, headers } = await ask(url, { method })
      expect([statusCode, headers['access-control-allow-origin']]).toEqual([200, MAPS])
      expect(String(headers.vary).toLowerCase().split(/, */)).toContain('origin')
      expect(headers['access-control-expose-headers']).toContain('x-ratelimit-remaining')
      expect(headers['access-control-allow-credentials']).toBeUndefined()
    }
  })

  it.each(READS)('does not allow an origin of another team, or of none: %s', async (url) => {
    for (const [origin, of] of [
      [MAPS, others],
      [OTHERS, token],
      ['https://example.com', token],
      ['https://maps.example.com:8443', token],
      ['https://a.maps.example.com', token],
      ['http://maps.example.com', token],
      ['null', token],
      ['*', token],
    ] as const) {
      const { statusCode, headers } = await ask(url, { origin, of })
      expect([origin, statusCode, letting(headers)]).toEqual([origin, 200, []])
      expect(String(headers.vary).toLowerCase()).toContain('origin')
    }
  })

  it('lets the page read a refusal', async () => {
    const narrow = (await aToken(world, team, ['maps:read'])).token
    for (const [url, of, status] of [
      ['/api/v1/reports', narrow, 403],
      ['/api/v1/nothing', token, 404],
      ['/exports/reports.csv?status=done', token, 422],
    ] as const) {
      const { statusCode, headers } = await ask(url, { of })
      expect([statusCode, headers['access-control-allow-origin']]).toEqual([status, MAPS])
    }
  })

  it.each(READS)('lets the page of an origin that any team allows read why its token is not admitted: %s', async (url) => {
    const busy = (await aToken(world, team)).token
    await world.app.limiter.hit(hashToken(busy), 100_000, 100_000, world.clock.now())
    const free = (await aToken(world, await aTeam(world, { plan: 'free' }))).token
    for (const [of, status] of [
      ['wt_unknown', 401],
      [null, 401],
      [busy, 429],
      [free, 402],
    ] as const) {
      for (const origin of [MAPS, OTHERS]) {
        const { statusCode, headers } = await ask(url, { of, origin })
        expect([statusCode, headers['access-control-allow-origin']]).toEqual([status, origin])
        expect(headers['access-control-expose-headers']).toContain('retry-after')
        expect(headers['access-control-allow-credentials']).toBeUndefined()
      }
      for (const origin of ['https://example.com', 'null', '*']) {
        const { statusCode, headers } = await ask(url, { of, origin })
        expect([statusCode, letting(headers)]).toEqual([status, []])
        expect(String(headers.vary).toLowerCase()).toContain('origin')
      }
    }
  })

  it('keeps the other Vary values, and is unchanged for requests that come from no page', async () => {
    const tile = await ask('/api/v1/tiles/0/0/0.mvt')
    expect(String(tile.headers.vary).toLowerCase()).toBe('accept-encoding, origin')
    const { headers } = await ask('/api/v1/reports', { origin: '' })
    expect([letting(headers), headers.vary]).toEqual([[], undefined])
  })

  it('is complete for an origin that is no longer allowed: after a 304 the browser would show its copy', async () => {
    const { headers } = await ask('/api/v1/reports')
    const again = { headers: { 'if-none-match': String(headers.etag) } }
    expect((await ask('/api/v1/reports', again)).statusCode).toBe(304)
    expect((await ask('/api/v1/reports', { ...again, origin: '' })).statusCode).toBe(304)
    expect((await ask('/api/v1/reports', { ...again, origin: OTHERS })).statusCode).toBe(200)
  })

  it('to a write has no CORS headers', async () => {
    const { statusCode, headers } = await ask('/api/v1/territories/quote', { method: 'POST' })
    expect([statusCode, letting(headers)]).toEqual([422, []])
    const refused = await ask('/api/v1/territories/quote', { method: 'POST', of: 'wt_unknown' })
    expect([refused.statusCode, letting(refused.headers)]).toEqual([401, []])
  })
})

describe('a preflight', () => {
  it.each(READS)('for reading with a token is allowed for the origins of any team, without a token: %s', async (url) => {
    for (const origin of [MAPS, OTHERS, 'http://localhost:3000']) {
      const { statusCode, headers, body } = await preflight(url, { origin, names: 'Authorization, If-None-Match' })
      expect([statusCode, body]).toEqual([204, ''])
      expect(headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'GET, HEAD',
        'access-control-allow-headers': 'authorization, if-none-match',
        'access-control-max-age': '600',
        vary: 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers',
      })
      expect(headers['access-control-allow-credentials']).toBeUndefined()
    }
  })

  it.each(READS)('for an origin that no team allows, for writing, or for another header is refused: %s', async (url) => {
    for (const options of [
      { origin: 'https://example.com' },
      { origin: 'null' },
      { origin: '*' },
      { method: 'POST' },
      { method: 'DELETE' },
      { names: 'authorization, idempotency-key' },
      { names: 'authorization, cookie' },
    ]) {
      const { statusCode, headers } = await preflight(url, options)
      expect([options, statusCode, letting(headers)]).toEqual([options, url.startsWith('/api') ? 401 : 404, []])
    }
  })

  it('is looked up together with those that arrive with it', async () => {
    const origins = [MAPS, OTHERS, ...Array.from({ length: 50 }, (_, n) => `https://${n}.example.com`)]
    let allowed: unknown[] = []
    const statements = await statementsOf(async () => {
      const responses = await Promise.all(origins.map((origin) => preflight('/api/v1/reports', { origin })))
      allowed = responses.flatMap(({ headers }) => headers['access-control-allow-origin'] ?? [])
    })
    expect(allowed).toEqual([MAPS, OTHERS])
    expect(statements.filter((text) => text.includes('allowed_origins')).length).toBeLessThan(10)
  })

  it('for GraphQL and the console is never allowed', async () => {
    for (const url of ['/graphql', '/app/tiles/0/0/0.mvt', '/operator/archive/sample', '/sources/00'])
      expect([url, letting((await preflight(url)).headers)]).toEqual([url, []])
  })
})

describe('the origins of a team', () => {
  it('are none at first; each is stored once, in order', async () => {
    const fresh = await aTeam(world)
    const session = await signIn(world, rest.fastify, fresh.id, 'cy@example.com', 'owner')
    expect((await session.ask('{ allowedOrigins }')).data.allowedOrigins).toEqual([])
    const kept = [
      'http://127.0.0.1:8080',
      'http://[::1]:3000',
      'http://localhost:3000',
      'https://a.example.com',
      'https://b.example.com:8443',
    ]
    const { data } = await session.ask(SET, { origins: [...kept.toReversed(), ...kept] })
    expect(data.setAllowedOrigins).toEqual(kept)
    expect((await session.ask('{ allowedOrigins }')).data.allowedOrigins).toEqual(kept)
  })

  it('are exact, over https or on this machine, and at most 20; each fault is named by its position', async () => {
    for (const [origin, sentence] of [
      ['maps.example.com', 'written like'],
      ['', 'written like'],
      ['null', 'written like'],
      ['https://*.example.com', 'a wildcard is not allowed'],
      ['*', 'written like'],
      ['http://maps.example.com', 'begin with https://'],
      ['http://localhost.example.com', 'begin with https://'],
      ['http://127.0.0.1.example.com', 'begin with https://'],
      ['ftp://maps.example.com', 'begin with https://'],
      ['file:///etc/passwd', 'begin with https://'],
      ['https://maps.example.com/', 'without a path: https://maps.example.com.'],
      ['https://maps.example.com/a', 'without a path: https://maps.example.com.'],
      ['https://MAPS.example.com', 'exact, without a path: https://maps.example.com.'],
      ['https://maps.example.com:443', 'exact, without a path: https://maps.example.com.'],
      ['https://ann:secret@maps.example.com', 'exact, without a path: https://maps.example.com.'],
      ['https://b\u00fccher.example', 'exact, without a path: https://xn--bcher-kva.example.'],
      [`https://${'a'.repeat(300)}.example`, 'written like'],
    ] as const)
      expect(await allow([MAPS, origin])).toEqual({ 'origins.1': [expect.stringContaining(sentence)] })
    const many = Array.from({ length: 21 }, (_, place) => `https://${place}.example.com`)
    expect(await allow(many)).toEqual({ origins: ['A team allows at most 20 origins.'] })
    expect((await owner.ask('{ allowedOrigins }')).data.allowedOrigins).toEqual(['http://localhost:3000', MAPS])
  })

  it('can be set by an owner, and the log records the change without the origins', async () => {
    const analyst = await signIn(world, rest.fastify, team.id, 'dee@example.com', 'analyst')
    for (const document of ['{ allowedOrigins }', 'mutation { setAllowedOrigins(origins: []) }'])
      expect((await analyst.ask(document)).errors?.[0].extensions.code).toBe('missing_role')
    await allow((await owner.ask('{ allowedOrigins }')).data.allowedOrigins)
    const entries = await world.app.db.auditEntry.findMany({
      where: { operation: 'setAllowedOrigins', team_id: team.id },
      orderBy: { sequence: 'asc' },
    })
    const [entry] = entries
    expect(entries.at(-1)).toMatchObject({ changed: [] })
    expect(entry).toMatchObject({ target_kind: 'team', target_id: team.id, changed: ['allowed_origins'] })
    expect(JSON.stringify([entry?.before, entry?.after])).not.toContain('example.com')
  })

  it('lose access once they are removed', async () => {
    await allow([])
    expect(letting((await ask('/api/v1/reports')).headers)).toEqual([])
    expect((await preflight('/api/v1/reports')).statusCode).toBe(401)
    expect((await preflight('/api/v1/reports', { origin: OTHERS })).statusCode).toBe(204)
  })
})
