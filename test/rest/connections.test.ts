import { once } from 'node:events'
import { createServer, get } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { revokeToken } from '#domain/access/tokens.ts'
import { allowLongUpload, boundBodies, closeStalledReaders, shedIdleConnections } from '#rest/connections.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { listen } from '#test/support/listen.ts'
import { openWorld, type World } from '#test/support/world.ts'

/** The connections of a test, closed at its end. */
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

interface Wire {
  socket: Socket
  /** Everything received so far. */
  text(): string
  /** Resolves with everything received when the server closed the connection. */
  closed: Promise<string>
}

async function wire(port: number, ...lines: string[]): Promise<Wire> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes
  })
  socket.on('error', () => {})
  const closed = once(socket, 'close').then(() => text)
  await once(socket, 'connect')
  if (lines.length) socket.write(lines.join('\r\n'))
  return { socket, text: () => text, closed }
}

describe('the API', () => {
  let world: World
  let rest: Rest
  let port: number
  let authorization: string
  beforeAll(async () => {
    world = await openWorld()
    rest = await openRest(world)
    await rest.fastify.listen({ host: '127.0.0.1', port: 0 })
    port = (rest.fastify.server.address() as AddressInfo).port
    authorization = `Authorization: Bearer ${(await aToken(world, await aTeam(world))).token}`
  })
  afterAll(() => rest.close())

  const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1])
  const bodyOf = (text: string) => JSON.parse(text.slice(text.indexOf('\r\n\r\n') + 4))

  it('refuses two Host headers', async () => {
    const { closed } = await wire(port, 'GET /api/v1/account HTTP/1.1', 'Host: one.example', 'Host: two.example', authorization, '', '')
    const answered = await closed
    expect([statusOf(answered), bodyOf(answered).code]).toEqual([400, 'malformed_request'])
  })

  it.each(['http://a.example', 'https://other.example:8443', 'HTTP://[::1]:80'])(
    'serves a target that begins with %s by its path',
    async (host) => {
      const ask = (target: string) =>
        wire(port, `GET ${target} HTTP/1.1`, 'Host: a.example', 'Connection: close', authorization, '', '').then(({ closed }) => closed)
      const [absolute, path] = [
        await ask(`${host}/api/v1/credits/transactions?per_page=1`),
        await ask('/api/v1/credits/transactions?per_page=1'),
      ]
      expect(statusOf(absolute)).toBe(200)
      expect(bodyOf(absolute)).toEqual(bodyOf(path))
      expect(absolute).not.toContain('example')
      expect(statusOf(await ask(`${host}/healthz`))).toBe(200)
      expect(statusOf(await ask(host))).toBe(statusOf(await ask('/')))
      expect(statusOf(await ask(`${host}?a=b`))).toBe(statusOf(await ask('/?a=b')))
      expect(statusOf(await ask(`${host}/operator/archive/records.csv`))).toBe(401)
      expect(statusOf(await ask(`${host}//api/v1/account`))).toBe(404)
    },
  )

  it('authenticates and rate-limits requests with an absolute target like all others', async () => {
    const target = 'http://a.example/api/v1/account'
    const anonymous = await wire(port, `GET ${target} HTTP/1.1`, 'Host: a', 'Connection: close', '', '')
    expect(statusOf(await anonymous.closed)).toBe(401)
    const remaining = (text: string) => Number(/x-ratelimit-remaining: (\d+)/i.exec(text)?.[1])
    const ask = (of: string) => wire(port, `GET ${of} HTTP/1.1`, 'Host: a', 'Connection: close', authorization, '', '')
    const first = await (await ask('/api/v1/account')).closed
    expect(remaining(await (await ask(target)).closed)).toBe(remaining(first) - 1)
  })

  it.each(['http://user@a.example/healthz', 'http:///healthz', 'ftp://a.example/healthz', 'http:/healthz'])(
    'serves nothing at %s',
    async (target) => {
      const { closed } = await wire(port, `GET ${target} HTTP/1.1`, 'Host: a', 'Connection: close', '', '')
      expect([400, 404]).toContain(statusOf(await closed))
    },
  )

  it('refuses two Host headers, or none, with an absolute target', async () => {
    for (const hosts of [[], ['Host: a.example', 'Host: b.example']]) {
      const { closed } = await wire(port, 'GET http://a.example/healthz HTTP/1.1', ...hosts, 'Connection: close', '', '')
      expect(statusOf(await closed)).toBe(400)
    }
  })

  it.each(['gzip, chunked', 'deflate, chunked', 'identity, chunked'])('refuses a body in the transfer coding %s', async (coding) => {
    const lines = ['POST /api/v1/reports HTTP/1.1', 'Host: a', authorization, 'Content-Type: application/json']
    const { closed } = await wire(port, ...lines, `Transfer-Encoding: ${coding}`, '', '2', '{}', '0', '', '')
    const answered = await closed
    expect([statusOf(answered), bodyOf(answered).code]).toEqual([400, 'malformed_request'])
  })

  it.each(['/api/v1/reports', '/graphql'])('refuses a body at %s that is not UTF-8 or declares another charset', async (path) => {
    for (const type of [
      'application/json; charset=iso-8859-1',
      'application/json;charset = utf-16',
      'application/json; charset=x; charset=utf-8',
    ]) {
      const { headers, statusCode } = await post(path, type, '{}')
      expect([type, statusCode, headers['content-type']]).toEqual([type, 415, 'application/json; charset=utf-8'])
    }
    expect((await post(path, 'application/json; charset="UTF-8"', '{}')).statusCode).not.toBe(415)
    const latin = await post(path, 'application/json', Buffer.from([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]))
    expect(latin.body).toContain('malformed_json')
  })

  const post = (url: string, type: string, payload: string | Buffer) =>
    rest.fastify.inject({
      method: 'POST',
      url,
      headers: { authorization: authorization.slice('Authorization: '.length), 'content-type': type },
      payload,
    })

  it.each([
    ['/api/v1/territories', '{}'],
    ['/graphql', '{"query":"{ account { object } }"}'],
  ])('refuses a request to %s whose token was revoked while its body arrived', async (path, body) => {
    const { token, prefix } = await aToken(world, await aTeam(world))
    const lines = ['Host: a', `Authorization: Bearer ${token}`, 'Content-Type: application/json', `Content-Length: ${body.length}`]
    const { socket, closed } = await wire(port, `POST ${path} HTTP/1.1`, ...lines, 'Connection: close', '', body.slice(0, -1))
    await expect.poll(async () => (await world.app.db.token.findUniqueOrThrow({ where: { prefix } })).last_used_at).not.toBeNull()
    await revokeToken(world.app.db, prefix)
    const now = performance.now.bind(performance)
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 1000)
    socket.write(body.slice(-1))
    expect(statusOf(await closed.finally(() => clock.mockRestore()))).toBe(401)
  })

  it('takes a body that its client breaks off for a fault of the client, not of an engine', async () => {
    const logged: Record<string, unknown>[] = []
    const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) })
    const own = await openRest({ app: { ...world.app, log } })
    const own_port = await listen(own.fastify)
    const { origin } = new URL(world.app.config.base_url)
    for (const [path, ...headers] of [
      ['/graphql', authorization],
      ['/app/sign-in', 'X-Weather-Console: 1', `Origin: ${origin}`],
    ]) {
      const { socket } = await wire(
        own_port,
        `POST ${path} HTTP/1.1`,
        'Host: a',
        ...headers,
        'Content-Type: application/json',
        'Content-Length: 9',
        '',
        '{',
      )
      await pause(100)
      socket.destroy()
    }
    await expect.poll(() => logged.filter(({ msg }) => msg === 'answered').length).toBe(2)
    await pause(50)
    expect(logged.filter(({ msg }) => msg === 'an engine is unavailable')).toEqual([])
    await own.close()
  })

  it('returns 503 with a retry time while the database is unavailable', async () => {
    const away = Object.assign(new Error('the database system is shutting down'), { code: '57P01' })
    const pool = { ...world.app.pool, query: () => Promise.reject(away) } as never
    const broken = await openRest({ app: { ...world.app, pool } })
    const headers = { authorization: authorization.slice('Authorization: '.length) }
    const read = await broken.fastify.inject({ method: 'GET', url: '/api/v1/account', headers })
    expect([read.statusCode, read.headers['retry-after'], read.json().code, read.json().retry_after]).toEqual([
      503,
      '5',
      'engine_unavailable',
      5,
    ])
    const response = await broken.fastify.inject({
      method: 'POST',
      url: '/graphql',
      headers,
      payload: { query: '{ credits { balance } }' },
    })
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5'])
    expect(response.json().errors[0].extensions).toMatchObject({ code: 'engine_unavailable', retry_after: 5 })
    await broken.close()
  })
})

/** A server that refuses every POST, as if the token were missing, and serves GET. */
async function refusingServer(bounds: { timeout_ms: number; refused_max: number }) {
  const fastify = Fastify()
  boundBodies(fastify, bounds)
  fastify.addHook('onRequest', async (request, reply) => {
    if (request.method === 'POST') return reply.code(401).send('no token')
  })
  fastify.all('/', async () => 'here')
  await fastify.listen({ host: '127.0.0.1', port: 0 })
  return { port: (fastify.server.address() as AddressInfo).port, server: fastify.server, close: () => fastify.close() }
}

const slowBody = ['POST / HTTP/1.1', 'Host: a', 'Content-Type: application/json', 'Content-Length: 1000', '', '{']

describe('bodies', () => {
  it('that still arrive after their request was refused are cut off in time', async () => {
    const { port, close } = await refusingServer({ timeout_ms: 300, refused_max: 100 })
    const slow = await wire(port, ...slowBody)
    const startedAt = performance.now()
    expect(await slow.closed).toContain('401')
    expect(performance.now() - startedAt).toBeGreaterThan(250)
    await close()
  })

  it('that arrived completely leave the connection open for the next request', async () => {
    const { port, close } = await refusingServer({ timeout_ms: 100, refused_max: 100 })
    const { socket, text } = await wire(port, 'POST / HTTP/1.1', 'Host: a', 'Content-Length: 2', '', '{}')
    await pause(300)
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    await expect.poll(text).toContain('here')
    await close()
  })

  it('of refused requests leave nothing on the connection once they have arrived', async () => {
    const { port, server, close } = await refusingServer({ timeout_ms: 20_000, refused_max: 100 })
    const connected = once(server, 'connection')
    const { socket, text } = await wire(port)
    const [accepted] = (await connected) as [Socket]
    const listeners: number[] = []
    for (let nth = 1; nth <= 3; nth++) {
      socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{')
      await expect.poll(() => text().split('401').length - 1).toBe(nth)
      socket.write('}')
      await pause(50)
      listeners.push(accepted.listenerCount('close'))
    }
    expect(listeners).toEqual(Array(3).fill(listeners[0]))
    await close()
  })

  it('of refused requests are limited in number: one more gets its response and is cut off', async () => {
    const { port, close } = await refusingServer({ timeout_ms: 20_000, refused_max: 3 })
    const slow: Wire[] = []
    for (let nth = 0; nth < 3; nth++) slow.push(await wire(port, ...slowBody))
    await expect.poll(() => slow.every(({ text }) => text().includes('401'))).toBe(true)
    expect(await (await wire(port, ...slowBody)).closed).toContain('401')
    expect(slow.every(({ socket }) => !socket.destroyed)).toBe(true)
    for (const { socket } of slow) socket.destroy()
    await close()
  })
})

describe('uploads of operators', () => {
  /** A server that admits POST /operator/upload and answers after 300 ms, whatever has arrived. */
  async function uploadServer() {
    const fastify = Fastify()
    boundBodies(fastify, { timeout_ms: 100 })
    const receive = async (request: FastifyRequest, reply: FastifyReply) => {
      allowLongUpload(request)
      await pause(300)
      return reply.send('received')
    }
    fastify.post('/operator/upload', { onRequest: receive }, receive)
    await fastify.listen({ host: '127.0.0.1', port: 0 })
    return { port: (fastify.server.address() as AddressInfo).port, close: () => fastify.close() }
  }
  const bodyAt = (path: string) => [`POST ${path} HTTP/1.1`, ...slowBody.slice(1)]

  it('are not cut off while they are received, but are once they have a response', async () => {
    const { port, close } = await uploadServer()
    const { closed } = await wire(port, ...bodyAt('/operator/upload'))
    expect(await closed).toContain('received')
    await close()
  })

  it('are cut off like other bodies if nobody was admitted', async () => {
    const { port, close } = await uploadServer()
    expect(await (await wire(port, ...bodyAt('/operator/x'))).closed).toBe('')
    await close()
  })
})

describe('clients that do not read', () => {
  const LARGE = Buffer.alloc(32 * 1024 * 1024)

  async function largeServer(limits: Parameters<typeof closeStalledReaders>[1] = { timeout_ms: 200 }) {
    const fastify = Fastify()
    closeStalledReaders(fastify, limits)
    fastify.get('/large', async (_request, reply) => reply.send(LARGE))
    fastify.get('/slow', async (_request, reply) => reply.send(Readable.from(slowly(), { objectMode: false })))
    await fastify.listen({ host: '127.0.0.1', port: 0 })
    return { port: (fastify.server.address() as AddressInfo).port, close: () => fastify.close() }
  }

  async function* slowly() {
    yield 'first '
    await pause(600)
    yield 'last'
  }

  it('are disconnected', async () => {
    const { port, close } = await largeServer()
    const { socket } = await wire(port)
    socket.pause()
    socket.write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n')
    await pause(1000)
    let length = 0
    socket.on('data', (bytes) => {
      length += bytes.length
    })
    socket.resume()
    await once(socket, 'close')
    expect(length).toBeLessThan(LARGE.length)
    await close()
  })

  /** Reads one piece each 5 ms until the connection closes; resolves with the number of bytes. */
  async function readSlowly(socket: Socket): Promise<number> {
    let length = 0
    socket.on('data', (bytes) => {
      length += bytes.length
      socket.pause()
    })
    const timer = setInterval(() => socket.resume(), 5)
    await once(socket, 'close')
    clearInterval(timer)
    return length
  }

  /** Reads a large response slowly; returns the bytes that came before the connection closed. */
  async function readLarge(least_bytes_s: number): Promise<number> {
    const { port, close } = await largeServer({ timeout_ms: 1000, least_bytes_s })
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    const read = readSlowly(socket.on('error', () => {}))
    socket.write('GET /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n')
    return read.finally(close)
  }

  it('are disconnected if they read, but too slowly', async () => {
    expect(await readLarge(64 * 1024 * 1024)).toBeLessThan(LARGE.length)
  })

  it('but not those that read fast enough', async () => {
    expect(await readLarge(2 * 1024 * 1024)).toBeGreaterThan(LARGE.length)
  })

  it('but not those that wait for a response that is still being made', async () => {
    const { port, close } = await largeServer()
    const { closed } = await wire(port, 'GET /slow HTTP/1.1', 'Host: a', 'Connection: close', '', '')
    expect(await closed).toContain('last')
    await close()
  })
})

describe('connections', () => {
  it('with a second request in progress are not idle when the first has its response', async () => {
    const answers: (() => void)[] = []
    const server = createServer((_request, response) => void answers.push(() => response.end('answer')))
    shedIdleConnections(server, 1)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const request = ['GET / HTTP/1.1', 'Host: a', '', '']
    const busy = await wire(port, ...request, ...request)
    await expect.poll(() => answers.length).toBe(2)
    answers[0]?.()
    await expect.poll(busy.text).toContain('answer')
    const { closed } = await wire(port)
    await closed
    expect(busy.socket.destroyed).toBe(false)
    answers[1]?.()
    await expect.poll(() => busy.text().split('answer').length).toBe(3)
    busy.socket.destroy()
    server.close()
  })

  it('that are idle are closed for new ones, the longest idle first, and busy ones stay', async () => {
    const MAX = 20
    let answer = () => {}
    const server = createServer((request, response) => {
      if (request.url === '/slow') answer = () => void response.end('slow')
      else response.end('quick')
    })
    shedIdleConnections(server, MAX)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const working = await wire(port, 'GET /slow HTTP/1.1', 'Host: a', '', '')
    const idle: Wire[] = []
    for (let nth = 0; nth < 3 * MAX; nth++) idle.push(await wire(port))
    const [response] = await once(get({ port, host: '127.0.0.1', path: '/', agent: false }), 'response')
    expect(response.statusCode).toBe(200)
    response.resume()
    await expect.poll(() => idle.filter(({ socket }) => !socket.destroyed).length).toBeLessThan(MAX)
    expect(idle.at(-1)?.socket.destroyed).toBe(false)
    answer()
    await expect.poll(working.text).toContain('slow')
    for (const { socket } of [working, ...idle]) socket.destroy()
    server.close()
  })
})
