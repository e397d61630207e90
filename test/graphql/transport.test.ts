import { serverAudits } from 'graphql-http'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aTeam, aToken } from '#test/support/factories.ts'
import { OPERATOR_KEY, openWorld, type World } from '#test/support/world.ts'
import { type Graph, openGraph } from './graph.ts'

let world: World
let graph: Graph

beforeAll(async () => {
  world = await openWorld()
  graph = await openGraph(world.app)
})
afterAll(() => graph.close())

const newToken = async (options: Parameters<typeof aTeam>[1] = {}) => (await aToken(world, await aTeam(world, options))).token

test('the GraphQL over HTTP audit finds no violation of a must or a should', async () => {
  const roomy = await openWorld({ config: { rate_limit_per_minute: 1000 } })
  const audited = await openGraph(roomy.app)
  const { token } = await aToken(roomy, await aTeam(roomy))
  const fetchFn = async (url: string, init: { method?: string; headers?: Record<string, string>; body?: string } = {}) => {
    const { pathname, search } = new URL(url)
    const headers = { ...init.headers, authorization: `Bearer ${token}` }
    const answer = await audited.fastify.inject({
      method: (init.method ?? 'GET') as 'GET',
      url: pathname + search,
      headers,
      ...(init.body !== undefined && { payload: init.body }),
    })
    return new Response(new Uint8Array(answer.rawPayload), { status: answer.statusCode, headers: answer.headers as Record<string, string> })
  }
  const results = await Promise.all(serverAudits({ url: 'http://localhost/graphql', fetchFn }).map((audit) => audit.fn()))
  const found = results.filter(({ status }) => status !== 'ok' && status !== 'notice')
  expect(found.map((audit) => `${audit.id} ${audit.name}: ${'reason' in audit ? audit.reason : ''}`)).toEqual([])
  await audited.close()
})

test('refusals of a whole request have their status, their headers and the common set of keys', async () => {
  const nothing = await graph.ask(null, '{ account { object } }')
  expect(nothing).toMatchObject({
    status: 401,
    headers: { 'www-authenticate': 'Bearer' },
    errors: [{ extensions: { code: 'unauthenticated', status: 401 } }],
  })
  expect(Object.keys(nothing.errors?.[0]?.extensions)).toEqual([
    'code',
    'status',
    'errors',
    'required_ability',
    'required_plan',
    'limit',
    'existing_id',
    'retry_after',
    'request_id',
  ])

  const starter = await graph.ask(await newToken({ plan: 'starter' }), '{ account { object } }')
  expect(starter).toMatchObject({
    status: 402,
    errors: [{ extensions: { code: 'plan_limit', limit: 'api_access', required_plan: 'professional' } }],
  })
})

test('no cache keeps a result or a refusal: a result may contain a secret', async () => {
  for (const token of [null, await newToken(), OPERATOR_KEY])
    expect((await graph.ask(token, '{ __typename }')).headers['cache-control']).toBe('no-store')
})

test('a refused field is null with the reason; its neighbours keep their results', async () => {
  const { token } = await aToken(world, await aTeam(world), ['account:read'])
  const { status, data, errors } = await graph.ask(token, '{ team { name } reports { meta { total } } }')
  expect(status).toBe(200)
  expect(data).toMatchObject({ team: { name: expect.any(String) }, reports: null })
  expect(errors).toMatchObject([
    { path: ['reports'], extensions: { code: 'missing_ability', status: 403, required_ability: 'reports:read' } },
  ])
})

test('a refusal by the domain names its fields, as in REST', async () => {
  const { errors } = await graph.ask(
    await newToken(),
    'mutation { createReport(address: "x", window_start: "soon", window_end: "2020-02-31") { id } }',
  )
  expect(Object.keys(errors?.[0]?.extensions.errors)).toEqual(expect.arrayContaining(['address', 'window_start', 'window_end']))
  expect(errors).toMatchObject([{ path: ['createReport'], extensions: { code: 'validation_failed', status: 422 } }])
})

test('an internal error is logged with the request id, and the response contains nothing else', async () => {
  const lines: string[] = []
  const { pool } = world.app
  const failing = {
    query: (statement: { name: string; text: string }) =>
      statement.name === 'admit' ? pool.query(statement) : Promise.reject(new Error('the database said too much')),
  }
  const broken = await openGraph({
    ...world.app,
    pool: failing as never,
    log: pino({ level: 'error' }, { write: (line) => void lines.push(line) }),
  })
  const { status, data, errors } = await broken.ask(await newToken(), '{ credits { balance } }')
  const request_id = errors?.[0]?.extensions.request_id
  expect({ status, data }).toEqual({ status: 200, data: { credits: null } })
  expect(errors).toMatchObject([
    {
      message: `Something went wrong on our side. Quote request ${request_id} when asking about it.`,
      extensions: { code: 'server_error', status: 500 },
    },
  ])
  expect(lines.join()).toContain('the database said too much')
  expect(lines.join()).toContain(request_id)
  await broken.close()
})

test('each root field beyond the first counts as one more request', async () => {
  const token = await newToken()
  const one = await graph.ask(token, '{ account { object } }')
  expect(one.headers['x-ratelimit-remaining']).toBe('119')
  const three = await graph.ask(
    token,
    'query { account { object } a: account { object } ...more } fragment more on Query { b: account { object } b: account { object } }',
  )
  expect(three.headers['x-ratelimit-remaining']).toBe('116')
  // At most fifteen aliases, so eight documents of 15 fields use up the rest.
  const wide = `{ ${Array.from({ length: 15 }, (_, n) => `a${n}: account { object }`).join(' ')} }`
  for (let n = 0; n < 7; n++) expect((await graph.ask(token, wide)).status).toBe(200)
  const over = await graph.ask(token, wide)
  expect(over).toMatchObject({ status: 429, errors: [{ extensions: { code: 'rate_limited', retry_after: expect.any(Number) } }] })
  expect(over.data ?? null).toBeNull()
  expect(over.headers).toMatchObject({
    'retry-after': expect.any(String),
    'x-ratelimit-limit': '120',
    'x-ratelimit-reset': expect.any(String),
  })
})

test('a refused document counts as one request', async () => {
  const token = await newToken()
  await graph.ask(token, `{ ${Array.from({ length: 40 }, (_, n) => `a${n}: account { object }`).join(' ')} }`)
  expect((await graph.ask(token, '{ account { object } }')).headers['x-ratelimit-remaining']).toBe('118')
})

test("the operator's key is not rate-limited, and a wrong key is refused", async () => {
  for (let n = 0; n < 130; n++) expect((await graph.ask(OPERATOR_KEY, '{ invariantViolations { invariant } }')).status).toBe(200)
  expect((await graph.ask(`${OPERATOR_KEY}x`, '{ invariantViolations { invariant } }')).status).toBe(401)
})

test('in development only, a browser gets a page for queries', async () => {
  const developing = await openGraph({ ...world.app, config: { ...world.app.config, development: true } })
  const looked = { url: '/graphql', headers: { accept: 'text/html,*/*' } }
  const page = await developing.fastify.inject(looked)
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-type']).toContain('text/html')
  expect(page.body).toContain('GraphiQL')
  expect((await graph.fastify.inject(looked)).statusCode).toBe(401)
  await developing.close()
})
