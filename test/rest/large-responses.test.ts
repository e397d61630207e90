import { once } from 'node:events'
import { get, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { concurrencyLimit } from '#domain/kernel/concurrency-limit.ts'
import type { Team } from '#generated/prisma/client.ts'
import { runInTurn } from '#graphql/large-operations.ts'
import { restSchema } from '#graphql/schema.ts'
import { mountGraphql } from '#graphql/yoga.ts'
import { boundLargeResponses, sizeCheckOf } from '#rest/large-responses.ts'
import { mountRest } from '#rest/mount.ts'
import { refuseFault } from '#rest/refusals.ts'
import { send } from '#rest/send.ts'
import { aKeptTerritory } from '#test/support/exposures.ts'
import { aCaller, aTeam, aToken } from '#test/support/factories.ts'
import { statementsOf } from '#test/support/statements.ts'
import { openWorld, type World } from '#test/support/world.ts'

const MB = 1024 * 1024
/** More than a socket holds by itself. */
const LARGE = 'x'.repeat(16 * MB)

let fastify: FastifyInstance
let port: number
/** One entry for each response of /measured that was built. */
const built: string[] = []
let inTurn = (run: () => Promise<unknown>) => run()
beforeEach(async () => {
  built.length = 0
  inTurn = (run) => run()
  fastify = Fastify({ trustProxy: true })
  fastify.decorateRequest('logged')
  fastify.addHook('onRequest', async (request) => {
    const team_id = request.headers.team
    request.logged = typeof team_id === 'string' ? { team_id } : {}
  })
  boundLargeResponses(fastify, { reader_max: 40 * MB, process_max: 56 * MB })
  fastify.setErrorHandler((error, request, reply) => send(request, reply, refuseFault(error, request)))
  fastify.get('/large', async (request, reply) =>
    send(request, reply, { status: 200, body: LARGE, content_type: 'text/plain', headers: { 'content-encoding': 'identity' } }),
  )
  fastify.get('/measured', async (request, reply) => {
    const body = await inTurn(async () => {
      await sizeCheckOf(request)?.(() => LARGE.length)
      built.push(LARGE)
      return LARGE
    })
    return send(request, reply, { status: 200, body: String(body), content_type: 'text/plain', headers: {} })
  })
  fastify.get('/small', async () => 'small')
  fastify.get('/document', { config: { own_bytes: true } }, async (_, reply) =>
    reply.header('content-disposition', 'attachment').send(LARGE),
  )
  fastify.post('/large', async () => LARGE)
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  port = (fastify.server.address() as AddressInfo).port
})
afterEach(async () => {
  fastify.server.closeAllConnections()
  await fastify.close()
})

/** Requests a path and reads nothing of its response yet. */
async function ask(path: string, team?: string, address?: string): Promise<IncomingMessage> {
  const headers = { ...(team !== undefined && { team }), ...(address !== undefined && { 'x-forwarded-for': address }) }
  const request = get({ port, path, agent: false, headers })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.on('error', () => {})
  return response
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of response.setEncoding('utf8')) text += piece
  return text
}

it('refuses a large response of a team while too many of its own are being read', async () => {
  const [first] = [await ask('/large', 'a'), await ask('/large', 'a')]
  const refused = await ask('/large', 'a')
  expect(refused.statusCode).toBe(429)
  expect(refused.headers).toMatchObject({ 'retry-after': '5' })
  expect(refused.headers).not.toHaveProperty('etag')
  expect(refused.headers).not.toHaveProperty('content-encoding')
  expect(JSON.parse(await textOf(refused))).toMatchObject({
    code: 'rate_limited',
    message: 'Too many large responses are still being sent. Try again in 5 s.',
    retry_after: 5,
  })
  expect((await ask('/small', 'a')).statusCode).toBe(200)
  expect(await textOf(first)).toHaveLength(LARGE.length)
  expect((await ask('/large', 'a')).statusCode).toBe(200)
})

it('counts a response until its connection closes, and another team on its own', async () => {
  const held = [await ask('/large', 'a'), await ask('/large', 'a')]
  expect((await ask('/large', 'b')).statusCode).toBe(200)
  expect((await ask('/large', 'c')).statusCode).toBe(429)
  for (const response of held) response.destroy()
  await expect.poll(async () => (await ask('/large', 'c')).statusCode).toBe(200)
})

it('counts an injected response no longer than it takes', async () => {
  for (let n = 0; n < 4; n++) {
    const { statusCode, body } = await fastify.inject({ url: '/large', headers: { team: 'a' } })
    expect([statusCode, body.length]).toEqual([200, LARGE.length])
  }
})

it('counts a document that needs no token for the address of its client, and does not offer the refusal as a file', async () => {
  const responses = await Promise.all(Array.from({ length: 4 }, () => ask('/document')))
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 429, 429])
  expect(responses.find(({ statusCode }) => statusCode === 429)?.headers).not.toHaveProperty('content-disposition')
})

it('counts the addresses of one IPv6 network as one client', async () => {
  const from = async (address: string) => (await ask('/document', undefined, address)).statusCode
  const statuses = [await from('2001:db8:0:7::1'), await from('2001:db8:0:7::2'), await from('2001:db8:0:7::3')]
  expect(statuses).toEqual([200, 200, 429])
  expect(await from('2001:db8:0:8::1')).toBe(200)
})

it('refuses no response to a write, which has taken effect', async () => {
  const held = [await ask('/large', 'a'), await ask('/large', 'a')]
  const { statusCode } = await fastify.inject({ method: 'POST', url: '/large', headers: { team: 'a' } })
  expect(statusCode).toBe(200)
  for (const response of held) response.destroy()
})

it('does not count responses to nobody in particular, which all share their bytes', async () => {
  const responses = await Promise.all(Array.from({ length: 6 }, () => ask('/large')))
  expect(responses.map(({ statusCode }) => statusCode)).toEqual(Array(6).fill(200))
})

it('refuses a response whose size is known before it is built, and not one that its client may have', async () => {
  const held = [await ask('/large', 'a'), await ask('/large', 'a')]
  const measured = async (headers: Record<string, string> = {}) => {
    const { statusCode } = await fastify.inject({ url: '/measured', headers: { team: 'a', ...headers } })
    return { statusCode, built: built.splice(0).length }
  }
  expect(await measured()).toEqual({ statusCode: 429, built: 0 })
  expect(await measured({ 'if-none-match': '*' })).toEqual({ statusCode: 304, built: 1 })
  expect(await measured({ team: 'b' })).toEqual({ statusCode: 200, built: 1 })
  for (const response of held) response.destroy()
  await expect.poll(() => measured()).toEqual({ statusCode: 200, built: 1 })
})

it('sees the response whose turn ended just before', async () => {
  const one = concurrencyLimit(1)
  inTurn = async (run) => {
    const body = await one('a', async () => {
      const body = await run()
      // The other requests wait before the first has ended.
      await setTimeout(20)
      return body
    })
    // A response passes through several functions before it is sent.
    for (let step = 0; step < 10; step++) await null
    return body
  }
  const responses = await Promise.all(Array.from({ length: 5 }, () => ask('/measured', 'a')))
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, 200, 429, 429, 429])
  expect(built).toHaveLength(2)
})

describe('with shapes', () => {
  /** A shape of about 500,000 characters. */
  const geometry = JSON.stringify({
    type: 'Polygon',
    coordinates: [Array.from({ length: 10_000 }, (_, n) => [-97.1234567890123 + n / 1e6, 35.1234567890123 + n / 1e7, 100.12345678])],
  })
  const SHAPES = Array.from({ length: 10 }, (_, n) => `shape${n}: geometry`).join(' ')
  let world: World
  let team: Team
  let token: string
  let territory: string
  let host: FastifyInstance
  let held: IncomingMessage
  beforeEach(async () => {
    world = await openWorld()
    team = await aTeam(world)
    token = (await aToken(world, team)).token
    for (let n = 0; n < 3; n++) territory = (await aKeptTerritory(world, team, { geometry })).id
    host = Fastify()
    host.decorateRequest('logged')
    host.addHook('onRequest', async (request) => {
      request.logged = {}
    })
    boundLargeResponses(host, { reader_max: 17 * MB })
    host.get('/held', async (request) => {
      request.logged = { team_id: team.id }
      return LARGE
    })
    mountGraphql(host, world.app)
    mountRest(host, world.app, restSchema)
    await host.listen({ host: '127.0.0.1', port: 0 })
    const { port } = host.server.address() as AddressInfo
    ;[held] = (await once(get({ port, path: '/held', agent: false }), 'response')) as [IncomingMessage]
    held.on('error', () => {})
  })
  afterEach(async () => {
    host.server.closeAllConnections()
    await host.close()
  })
  const authorization = () => `Bearer ${token}`

  it('refuses the large result of a query, and never that of a mutation, which has taken effect', async () => {
    const post = (query: string) =>
      host.inject({ method: 'POST', url: '/graphql', headers: { authorization: authorization() }, payload: { query } })
    expect((await post(`{ territory(territory: "${territory}") { ${SHAPES} } }`)).statusCode).toBe(429)
    const written = await post(`mutation { setTerritoryStatus(territory: "${territory}", status: paused) { status ${SHAPES} } }`)
    expect(written.statusCode).toBe(200)
    expect(written.json().data.setTerritoryStatus.status).toBe('paused')
  })

  it('refuses a page of territories before their shapes are read, and one of small shapes never', async () => {
    const page = async (query: string) => {
      let statusCode: number | undefined
      const statements = await statementsOf(async () => {
        ;({ statusCode } = await host.inject({ url: `/api/v1/territories?${query}`, headers: { authorization: authorization() } }))
      })
      return { statusCode, reads: statements.filter((text) => text.includes('t.definition, t.geometry')).length }
    }
    expect(await page('per_page=100')).toEqual({ statusCode: 429, reads: 0 })
    expect(await page('per_page=1')).toEqual({ statusCode: 200, reads: 1 })
    held.destroy()
    await expect.poll(() => page('per_page=100')).toEqual({ statusCode: 200, reads: 1 })
  })

  const pages = [
    ['REST', () => ({ url: '/api/v1/territories', method: 'GET' }) as const],
    ['GraphQL', () => ({ url: '/graphql', method: 'POST', payload: { query: '{ territories { data { geometry } } }' } }) as const],
  ] as const
  const checks = { hasLeft: () => false, admitted: () => {} }

  it.each(pages)('does not read the page of a token that was revoked while it waited: %s', async (_name, requested) => {
    held.destroy()
    const caller = await aCaller(world, team)
    const statements = await statementsOf(async () => {
      const requestAndRevoke = async () => {
        const status = host.inject({ headers: { authorization: authorization() }, ...requested() }).then(({ statusCode }) => statusCode)
        // Until it is admitted, and waits.
        await setTimeout(200)
        await world.app.db.token.updateMany({ data: { revoked_at: world.clock.now() } })
        return { status }
      }
      const { status } = await runInTurn({ caller }, 51_200, requestAndRevoke, checks)
      expect(await status).toBe(401)
    })
    expect(statements.filter((text) => text.includes('t.definition, t.geometry'))).toEqual([])
  })

  it.each(pages)('does not read the page of a client that has left while it waited: %s', async (_name, requested) => {
    held.destroy()
    const { url, method, ...more } = requested()
    const headers = { authorization: authorization(), ...('payload' in more && { 'content-type': 'application/json' }) }
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const caller = await aCaller(world, team)
    const statements = await statementsOf(async () => {
      const before = runInTurn({ caller }, 51_200, () => released, checks)
      const { port } = host.server.address() as AddressInfo
      const client = request({ port, path: url, method, agent: false, headers })
      client.on('error', () => {})
      client.end('payload' in more ? JSON.stringify(more.payload) : undefined)
      const [, response] = (await once(host.server, 'request')) as [unknown, ServerResponse]
      client.destroy()
      await once(response, 'close')
      const after = host.inject({ url, method, headers, ...more })
      release()
      await before
      expect((await after).statusCode).toBe(200)
    })
    expect(statements.filter((text) => text.includes('t.definition, t.geometry'))).toHaveLength(1)
  })
})
