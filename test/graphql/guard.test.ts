import { getIntrospectionQuery, parse, validate } from 'graphql'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { costRule } from '#graphql/cost.ts'
import { ALIASES_MAX, DEPTH_MAX, DIRECTIVES_MAX, TOKENS_MAX } from '#graphql/guard.ts'
import { teamSchema } from '#graphql/schema.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { rootFieldsOf } from '../hostile/graph-cases.ts'
import { type Graph, openGraph } from './graph.ts'
import { countResolverCalls } from './resolver-calls.ts'

let world: World
let graph: Graph
let token: string
let counter: ReturnType<typeof countResolverCalls>

beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 1000 } })
  graph = await openGraph(world.app)
  token = (await aToken(world, await aTeam(world))).token
})
beforeEach(() => {
  counter = countResolverCalls(teamSchema)
})
afterEach(() => counter.stop())
afterAll(() => graph.close())

/** `{ __type(name: "Report") { ofType { ofType { ... name` with the given number of levels. */
function introspection(levels: number): string {
  const beneath = levels - 2
  return `{ __type(name: "Report") { ${'ofType { '.repeat(beneath)}name${' }'.repeat(beneath)} } }`
}

function playback(selection: string): string {
  return `playback(date: "2025-05-28", south: 33, west: -99, north: 38, east: -94) ${selection}`
}

const CELL = '{ latitude longitude mesh_in }'
/** As tools send it, with every field and the name of every type. */
const WHOLE_DAY = `{ __typename date moments { __typename at cells ${CELL.replace('{', '{ __typename')} }
  context { __typename reports { __typename at type magnitude_in latitude longitude } warnings { __typename label issued expires } }
  meta { __typename count available thinned from until } }`

const refusals: [string, string, RegExp][] = [
  ['too deep', introspection(DEPTH_MAX + 1), /depth limit of 12 exceeded, found 13/],
  [
    'too deep by a fragment',
    `{ __schema { types { ...a } } } fragment a on __Type { ${'ofType { '.repeat(DEPTH_MAX)} name ${'} '.repeat(DEPTH_MAX)} }`,
    /depth limit/,
  ],
  [
    'too many aliases',
    `{ ${Array.from({ length: ALIASES_MAX + 1 }, (_, n) => `a${n}: account { object }`).join(' ')} }`,
    /Aliases limit of 15 exceeded, found 16/,
  ],
  ['too many words', `{ account { ${'object '.repeat(TOKENS_MAX)} } }`, /Token limit of 1000 exceeded/],
  [
    'too many directives',
    `{ account { object ${'@include(if: true) '.repeat(DIRECTIVES_MAX + 1)} } }`,
    /[Dd]irectives limit of 10 exceeded|can only be used once/,
  ],
  [
    'too many rows',
    '{ reports(per_page: 100) { data { records(per_page: 100) { data { id type severity family occurred_on } } } } }',
    /Cost limit of 51000 exceeded/,
  ],
  [
    'too many rows by a variable',
    'query ($size: Int) { reports(per_page: $size) { data { records(per_page: $size) { data { id type severity family occurred_on } } } } }',
    /Cost limit/,
  ],
  [
    'too many rows by fragments that double',
    `{ reports(per_page: 100) { data { ...f0 } } } ${Array.from({ length: 12 }, (_, n) => `fragment f${n} on Report { ...f${n + 1} a: findings { ...g } ...f${n + 1} }`).join(' ')} fragment f12 on Report { id } fragment g on Finding { family }`,
    /Cost limit|conflict|limit of/,
  ],
  [
    'for one shape ten thousand times',
    '{ territories(per_page: 1) { data { exposures(first: 100) { territory { exposures(first: 100) { territory { geometry } } } } } } }',
    /Size limit of 100 MB exceeded, found up to 5120 MB/,
  ],
  [
    'for two pages of shapes, one by a fragment',
    '{ a: territories(per_page: 100) { data { ...shape } } b: territories(per_page: 100) { data { geometry } } } fragment shape on Territory { geometry }',
    /Size limit of 100 MB exceeded, found up to 103 MB/,
  ],
  [
    'for the notes of one property forty thousand times',
    `{ properties(per_page: 100) { data { exposures(first: 100) { property { ${[1, 2, 3, 4].map((n) => `n${n}: notes`).join(' ')} } } } } }`,
    /Size limit|Cost limit/,
  ],
  ['for two storm days', `{ one: ${playback('{ meta { count } }')} other: ${playback('{ meta { count } }')} }`, /Cost limit/],
  [
    'for the cells of a storm day twice',
    `{ ${playback(`{ moments { a: cells ${CELL} b: cells ${CELL} } }`)} }`,
    /Cost limit of 51000 exceeded, found 52\d{3}/,
  ],
  ['a NUL character by its escape', '{ places(search: "Mo\\u0000ore") { id } }', /control characters/],
  ['a cycle of fragments', '{ account { ...a } } fragment a on Account { team { name } ...b } fragment b on Account { ...a }', /itself/],
]

test.each(refusals)('a document that asks %s is refused before any resolver', async (_name, document, reason) => {
  const { status, data, errors } = await graph.ask(token, document)
  expect(status).toBe(200)
  expect(data).toBeUndefined()
  expect(errors?.map(({ message }) => message).join(' ')).toMatch(reason)
  expect(errors?.[0]?.extensions).toMatchObject({ code: 'validation_failed', status: 422, request_id: expect.any(String) })
  expect(errors?.[0]?.message).not.toMatch(/^Syntax Error/)
  expect(counter.calls).toBe(0)
})

test('documents just within the limits are executed', async () => {
  const within = [
    `{ ${playback(WHOLE_DAY)} }`,
    introspection(DEPTH_MAX),
    `{ ${Array.from({ length: ALIASES_MAX }, (_, n) => `a${n}: account { object }`).join(' ')} }`,
    '{ reports(per_page: 100) { data { id status address { query city } findings { family statement dates } } meta { total } } }',
    '{ exposures(per_page: 100) { data { id territory { name color geometry notes } warning { event instruction geometry } } } }',
    '{ reports(per_page: 10) { data { records(per_page: 50) { data { id type measurements { hail_size_in } provenance { citation_url } } } } } }',
  ]
  for (const document of within) {
    const { data, errors } = await graph.ask(token, document)
    expect(errors).toBeUndefined()
    expect(data).toBeTruthy()
  }
})

test('the introspection document of tools is accepted in every form they send, and needs a token', async () => {
  const forms = [
    getIntrospectionQuery(),
    getIntrospectionQuery({
      specifiedByUrl: true,
      inputValueDeprecation: true,
      directiveIsRepeatable: true,
      schemaDescription: true,
      oneOf: true,
    }),
    getIntrospectionQuery({ experimentalDirectiveDeprecation: true }),
  ]
  for (const form of forms) {
    const { data, errors } = await graph.ask(token, form)
    expect(errors).toBeUndefined()
    expect(data.__schema.types.map(({ name }: { name: string }) => name)).toContain('Report')
    expect((await graph.ask(null, form)).status).toBe(401)
  }
})

test('a document that only resembles it is checked like any other', async () => {
  const { errors } = await graph.ask(
    token,
    getIntrospectionQuery().replace('queryType { name', `queryType { ${'ofType { '.repeat(DEPTH_MAX)}name ${'} '.repeat(DEPTH_MAX)} name`),
  )
  expect(errors?.[0]?.message).toMatch(/depth limit/)
})

test('GraphQL accepts only POST with JSON, and has no page to look at', async () => {
  const authorization = `Bearer ${token}`
  const get = await graph.fastify.inject({ url: '/graphql?query={account{object}}', headers: { authorization, accept: 'text/html' } })
  expect(get.statusCode).toBe(405)
  expect(get.headers.allow).toBe('POST')
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/plain', 'application/graphql']) {
    const posted = await graph.fastify.inject({
      method: 'POST',
      url: '/graphql',
      headers: { authorization, 'content-type': type },
      payload: 'query={account{object}}',
    })
    expect(posted.statusCode, type).toBe(415)
  }
  expect(counter.calls).toBe(0)
})

test.each([
  ['a list of operations', JSON.stringify([{ query: '{ account { object } }' }]), 400],
  ['what is no JSON', '{"query"', 400],
  [
    'nesting beyond reason',
    JSON.stringify({ query: '{ account { object } }', variables: JSON.parse(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`) }),
    400,
  ],
  ['a key named __proto__', '{"query":"{ account { object } }","variables":{"__proto__":{"x":1}}}', 400],
  ['a NUL character', JSON.stringify({ query: '{ account { object } }', variables: { a: '\u0000' } }), 400],
  ['half a character', '{"query":"{ account { object } }","variables":{"a":"\\ud800"}}', 400],
  ['more than 4 MiB', JSON.stringify({ query: ' '.repeat(4 * 1024 * 1024) }), 413],
])('a body of %s is refused', async (_name, payload, status) => {
  const answer = await graph.fastify.inject({
    method: 'POST',
    url: '/graphql',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    payload,
  })
  expect(answer.statusCode).toBe(status)
  expect(answer.json().errors[0].extensions.request_id).toEqual(expect.any(String))
  expect(counter.calls).toBe(0)
})

test('every root field can be requested in full, with a page of 100 rows, and of reports with 50', () => {
  const refused = rootFieldsOf(teamSchema).fields.flatMap(({ name, document }) =>
    validate(teamSchema, parse(document), [costRule]).map(({ message }) => `${name}: ${message}`),
  )
  expect(refused).toEqual([])
})
