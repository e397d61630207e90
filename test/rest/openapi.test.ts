import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { abilityNames } from '#domain/access/abilities.ts'
import { sampleStorm, seedSample } from '#domain/archive/sample/seed.ts'
import { tierIds } from '#domain/closed-sets.ts'
import { eventNames } from '#domain/events/catalogue.ts'
import { present } from '#domain/kernel/present.ts'
import { refusalStatus } from '#domain/kernel/refusal.ts'
import { seedPlaces } from '#domain/places/places.ts'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import type { Sent } from '#test/support/rest-call.ts'
import { openWorld, type World } from '#test/support/world.ts'

let world: World
let rest: Rest
let token: string
// biome-ignore lint/suspicious/noExplicitAny: a document of any shape until it is judged
let document: any
beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  rest = await openRest(world)
  await seedSample(world.app)
  await seedPlaces(world.app.pool)
  token = (await aToken(world, await aTeam(world, { credits: 12 }))).token
  document = (await rest.call('GET', '/openapi.json', { token })).body
})
afterAll(() => rest.close())

describe('the description', () => {
  it('is OpenAPI 3.1.0 and accepted by two validators', async () => {
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.0.0' }, servers: [{ url: world.app.config.base_url }] })
    const source = JSON.stringify(document)
    const problems = await lintFromString({
      source,
      absoluteRef: 'openapi.json',
      config: await createConfig({ extends: ['recommended-strict'] }),
    })
    expect(problems.map(({ message, location }) => `${message} ${location[0]?.pointer}`)).toEqual([])
    expect(await new Validator().validate(JSON.parse(source))).toEqual({ valid: true })
  })

  it('describes every parameter', () => {
    const parameters = operations().flatMap(([name, { parameters = [] }]) => parameters.map((one: object) => ({ ...one, of: name })))
    expect(parameters.length).toBeGreaterThan(100)
    expect(parameters.filter((one: object) => !('description' in one || '$ref' in one))).toEqual([])
  })

  it('allows every page size, since one out of bounds is clamped', async () => {
    const sizes = operations().flatMap(([, { parameters = [] }]) => parameters.filter(({ name }: { name: string }) => name === 'per_page'))
    expect(sizes).toHaveLength(12)
    for (const { schema } of sizes) expect(schema).toEqual({ type: 'integer', default: 25 })
    for (const [query, per_page] of [
      ['per_page=0', 1],
      ['per_page=-1', 1],
      ['per_page=101', 100],
    ] as const)
      expect((await rest.call('GET', `/reports?${query}`, { token })).body.meta.per_page).toBe(per_page)
  })

  it('states the shared refusals, the bearer token and the ability of every operation', () => {
    for (const [, operation] of operations()) {
      expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(['400', '401', '402', '403', '404', '422', '429', '503']))
      const [{ bearer }] = operation.security
      expect(operation.description).toContain(bearer[0] ? `Needs the ability ${bearer[0]}.` : 'Any valid token will do.')
    }
  })

  it.each([
    ['POST /api/v1/reports', ['200', '202', '409']],
    ['POST /api/v1/reports/batch', ['200', '202', '207', '409']],
    ['GET /api/v1/reports/{report}/pdf', ['200', '202', '409']],
    ['POST /api/v1/reports/{report}/pdf/link', ['200', '202', '409']],
    ['DELETE /api/v1/reports/{report}', ['204']],
    ['POST /api/v1/properties', ['201', '409']],
    ['POST /api/v1/properties/batch', ['200', '201', '207', '409']],
    ['POST /api/v1/properties/{property}/reports', ['200', '202', '409']],
    ['POST /api/v1/properties/{property}/enrich', ['202', '409']],
    ['POST /api/v1/integrations', ['201', '409']],
    ['POST /api/v1/integrations/{integration}/test', ['200', '502']],
  ])('%s has the responses %j in addition', (name, statuses) => {
    const [, operation] = operations().find(([title]) => title === name) ?? []
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(statuses))
    const known = ['304', '400', '401', '402', '403', '404', '413', '415', '422', '429', '500', '503', ...statuses]
    expect(Object.keys(operation.responses).filter((status) => !known.includes(status))).toEqual([])
  })

  it.each([
    ['POST /api/v1/reports', '409', ['idempotency_key_reused', 'idempotency_in_flight']],
    ['GET /api/v1/reports/{report}/pdf', '409', ['report_not_ready']],
    ['GET /api/v1/reports/{report}/pdf', '503', ['engine_unavailable']],
    ['POST /api/v1/properties', '409', ['duplicate_address']],
    ['POST /api/v1/properties/{property}/enrich', '409', ['property_not_located', 'duplicate_address']],
    ['POST /api/v1/integrations', '409', ['destination_cap_reached']],
    ['PATCH /api/v1/integrations/{integration}', '409', ['url_required']],
    ['GET /api/v1/integrations/{integration}/secret', '409', ['no_signing_secret']],
    ['GET /api/v1/account', '422', ['validation_failed', 'malformed_json']],
    ['GET /api/v1/account', '401', ['unauthenticated']],
  ])('%s states the codes of its %s', (name, status, codes) => {
    const [, operation] = operations().find(([title]) => title === name) ?? []
    expect(contentOf(operation.responses[status]).schema.allOf[1].properties.code.enum).toEqual(codes)
  })

  it('states the rate headers on every response to a token, and each refusal code somewhere', () => {
    const described = new Set<string>()
    for (const [title, { responses }] of operations()) {
      for (const [status, response] of Object.entries<object>(responses)) {
        const { headers } = found(response)
        const rate = ['X-RateLimit-Limit', 'X-RateLimit-Remaining'].filter((name) => name in headers)
        expect([title, status, rate.length]).toEqual([title, status, ['400', '401'].includes(status) ? 0 : 2])
        for (const code of contentOf(response)?.schema.allOf?.[1].properties.code.enum ?? []) described.add(code)
      }
    }
    const otherCodes = ['method_not_allowed', 'link_expired', 'missing_role']
    expect([...described, ...otherCodes].sort()).toEqual([...Object.keys(refusalStatus), 'server_error'].sort())
  })

  it('has shapes with coordinates, a feature in requests only, and a definition of three shapes', () => {
    const { Territory, TerritoryQuote, Warning, Polygon, MultiPolygon } = document.components.schemas
    const refs = (...names: string[]) => ({ oneOf: names.map((name) => ({ $ref: `#/components/schemas/${name}` })) })
    for (const { properties } of [Territory, TerritoryQuote]) expect(properties.geometry).toMatchObject(refs('Polygon', 'MultiPolygon'))
    expect(Warning.properties.geometry.anyOf).toEqual([refs('Polygon', 'MultiPolygon'), { type: 'null' }])
    const sent = document.paths['/api/v1/territories'].post.requestBody.content['application/json'].schema.properties.geometry
    expect(sent.anyOf[0]).toEqual(refs('Polygon', 'MultiPolygon', 'PolygonFeature'))
    expect(Territory.properties.definition).toMatchObject({ type: 'array', items: refs('DrawnPart', 'CirclePart', 'PlacePart') })
    const valid = ajv.compile(Polygon)
    const ring = [
      [-97, 35],
      [-96.9, 35],
      [-96.9, 35.1],
      [-97, 35],
    ]
    expect([
      valid({ type: 'Polygon', coordinates: [ring] }),
      valid({ type: 'Polygon' }),
      valid({ type: 'Polygon', coordinates: [ring.slice(1)] }),
    ]).toEqual([true, false, false])
    expect(ajv.compile(MultiPolygon)({ type: 'MultiPolygon', coordinates: [[ring]] })).toBe(true)
  })

  it('names the closed sets', () => {
    const { EventName, Tier, Ability, Integration, Report, AccountToken } = document.components.schemas
    expect(EventName.enum).toEqual(eventNames)
    expect(Tier.enum).toEqual(tierIds)
    expect(Ability.enum).toEqual(abilityNames)
    expect(Integration.properties.events.items).toEqual({ $ref: '#/components/schemas/EventName' })
    expect(AccountToken.properties.abilities.items).toEqual({ $ref: '#/components/schemas/Ability' })
    expect(Report.properties.plan_tier).toMatchObject({ $ref: '#/components/schemas/Tier' })
  })
})

describe('the examples of the description', () => {
  it('exist for every request and every JSON response, and match the description without extra keys', () => {
    let checkedCount = 0
    const holds = (about: string, { schema, example, examples }: Content) => {
      const values = example === undefined ? Object.values<{ value: unknown }>(examples ?? {}).map(({ value }) => value) : [example]
      expect([about, values.length > 0]).toEqual([about, true])
      for (const value of values) {
        checkedCount += 1
        const valid = closedly(schema)
        expect([about, valid(value), valid.errors]).toEqual([about, true, null])
      }
    }
    for (const [title, operation] of operations()) {
      if (operation.requestBody) holds(`${title} request`, contentOf(operation.requestBody))
      for (const parameter of operation.parameters ?? []) {
        const { in: where, name, required, example } = found(parameter)
        if (where !== 'header' && required) expect([title, name, example === undefined]).toEqual([title, name, false])
      }
      for (const [status, response] of Object.entries<object>(operation.responses)) {
        const content = contentOf(response)
        if (content) holds(`${title} ${status}`, content)
      }
    }
    expect(Object.keys(document.webhooks)).toEqual(eventNames)
    for (const [event, { post }] of Object.entries<{ post: { requestBody: object } }>(document.webhooks))
      holds(event, contentOf(post.requestBody))
    expect(checkedCount).toBeGreaterThan(600)
  })

  it('of a webhook do not match if any key is missing or of another type', () => {
    let keys = 0
    for (const [event, { post }] of Object.entries<{ post: { requestBody: object } }>(document.webhooks)) {
      const { schema, example } = contentOf(post.requestBody)
      const valid = closedly(schema)
      for (const { at, broken } of breakages(example)) {
        keys += 1
        expect([event, at, valid(broken)]).toEqual([event, at, false])
      }
    }
    expect(keys).toBeGreaterThan(500)
  })

  it('of a property name the changed fields; a new property has none', () => {
    for (const event of ['property.created', 'property.updated', 'property.archived']) {
      const { schema, example } = contentOf(document.webhooks[event].post.requestBody)
      const { changed, ...unnamed } = example
      const valid = closedly(schema)
      expect([event, changed.length > 0, valid(example), valid(unnamed)]).toEqual([event, event !== 'property.created', true, false])
    }
  })

  it('state the body of a create as the contract does', () => {
    const { requestBody, parameters } = document.paths['/api/v1/reports'].post
    const { required, properties } = requestBody.content['application/json'].schema
    expect(required).toEqual(['window_start', 'window_end'])
    expect(Object.keys(properties)).toEqual([
      'address',
      'latitude',
      'longitude',
      'window_start',
      'window_end',
      'radius_miles',
      'as_of',
      'date_of_loss',
      'reference',
      'recipient',
      'property_id',
      'layout',
    ])
    expect(parameters).toEqual([{ $ref: '#/components/parameters/IdempotencyKey' }])
  })

  it('state that a body is required exactly if an empty one would be refused', () => {
    const bodies = Object.entries(document.paths).flatMap(([path, row]: [string, Part]) =>
      Object.entries(row).flatMap(([method, { requestBody }]: [string, Part]) =>
        requestBody ? [[`${method} ${path}`, requestBody.required, !closedly(contentOf(requestBody).schema)({})]] : [],
      ),
    )
    expect(bodies.length).toBeGreaterThan(10)
    expect(bodies.filter(([, required, needed]) => required !== needed)).toEqual([])
  })
})

interface Content {
  schema: object
  example?: unknown
  examples?: Record<string, { value: unknown }>
}

// biome-ignore lint/suspicious/noExplicitAny: a part of the description
type Part = any
const found = (part: Part): Part =>
  part.$ref
    ? part.$ref
        .slice(2)
        .split('/')
        .reduce((inner: Part, key: string) => inner[key], document)
    : part
const contentOf = (part: object) => found(part).content?.['application/json']

/** A validator that refuses undescribed keys. A schema in parts describes one object. */
function closedly(schema: object): ValidateFunction {
  if (!closed) {
    closed = formats.default(new Ajv2020({ strict: false, allErrors: false }))
    closed.addSchema(JSON.parse(JSON.stringify({ components: document.components }), closing), 'closed')
  }
  const text = JSON.stringify({ ...schema, unevaluatedProperties: false }).replaceAll('"#/', '"closed#/')
  const validate = closedJudges.get(text) ?? closed.compile(JSON.parse(text))
  closedJudges.set(text, validate)
  return validate
}
let closed: Ajv2020 | undefined
/** By the schema's text: a refusal has the same description at every operation. */
const closedJudges = new Map<string, ValidateFunction>()

/** Objects with listed keys allow no others; schemas that are parts of another are closed in the combined schema. */
function closing(this: unknown, _key: string, value: unknown): unknown {
  const schema = value as { type?: unknown; properties?: object; additionalProperties?: unknown } | null
  const open = typeof schema !== 'object' || schema === null || schema.type !== 'object' || !schema.properties
  return open || schema.additionalProperties !== undefined ? value : { ...schema, additionalProperties: false }
}

describe('live responses', () => {
  it('match the description, and do not match if any key is missing or of another type', async () => {
    const answers = await journey()
    expect(answers.length).toBeGreaterThan(30)
    let keys = 0
    for (const { operation, status, body } of answers) {
      const valid = validatorFor(operation, status)
      expect([operation, status, valid(body), valid.errors]).toEqual([operation, status, true, null])
      for (const { at, broken } of breakages(body)) {
        keys += 1
        expect([operation, status, at, valid(broken)]).toEqual([operation, status, at, false])
      }
    }
    expect(keys).toBeGreaterThan(1000)
  })
})

// biome-ignore lint/suspicious/noExplicitAny: an operation as described
function operations(): [title: string, operation: any][] {
  return Object.entries<object>(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as [string, unknown]),
  )
}

const ajv = formats.default(new Ajv2020({ strict: false, allErrors: false }))

function validatorFor(operation: string, status: number) {
  if (!ajv.getSchema('openapi')) ajv.addSchema(document, 'openapi')
  const [method = '', path = ''] = operation.split(' ')
  const response = document.paths[path][method.toLowerCase()].responses[status]
  if (!response) throw new Error(`${operation} does not describe ${status}`)
  const pointer = response.$ref ?? `#/paths/${escaped(path)}/${method.toLowerCase()}/responses/${status}`
  const place = `openapi${pointer}/content/application~1json/schema`
  return present(ajv.getSchema(place))
}

const escaped = (path: string) => encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))

/**
 * Every key of the value deleted, and every leaf of another type, one at a time. The sentences of an error are
 * under names that the caller chose.
 */
function* breakages(value: unknown, at = ''): Generator<{ at: string; broken: unknown }> {
  if (typeof value !== 'object' || value === null) return
  const parts = Object.entries(value).filter(([key]) => !(Array.isArray(value) && Number(key) > 1))
  for (const [key, part] of parts) {
    const replaced = (by: unknown) =>
      Array.isArray(value) ? value.map((item, index) => (String(index) === key ? by : item)) : { ...value, [key]: by }
    if (!Array.isArray(value)) {
      const { [key]: _removed, ...rest_of } = value as Record<string, unknown>
      yield { at: `${at}/${key} missing`, broken: rest_of }
    }
    if (typeof part !== 'object') yield { at: `${at}/${key} of another type`, broken: replaced({}) }
    if (key === 'errors') continue
    for (const inner of breakages(part, `${at}/${key}`)) yield { at: inner.at, broken: replaced(inner.broken) }
  }
}

interface Live {
  operation: string
  status: number
  body: unknown
}

/** Responses of the finished rows in every state, and refusals of every kind. */
async function journey(): Promise<Live[]> {
  const live: Live[] = []
  const ask = async (operation: string, ids: Record<string, string> = {}, sent: Sent & { query?: string } = {}) => {
    const [method, template = ''] = operation.split(' ')
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? name) + (sent.query ?? '')
    const { status, body } = await rest.call(method as 'GET', path, { token, ...sent })
    live.push({ operation: `${method} /api/v1${template === '/' ? '' : template}`, status, body })
    return body
  }
  const { address, window_start, window_end } = sampleStorm
  const storm = { address, window_start, window_end }

  for (const path of ['/', '/account', '/team', '/credits', '/monitoring/runs', '/reports', '/integrations/events'])
    await ask(`GET ${path}`)
  await ask('GET /places', {}, { query: '?search=Moore' })
  const pending = (await ask('POST /reports', {}, { body: storm, headers: { 'idempotency-key': 'k' } })).data.id
  const failed = (await ask('POST /reports', {}, { body: { ...storm, address: 'Nowhere at all 99999999' } })).data.id
  await ask('GET /reports/{report}', { report: pending })
  await ask('GET /reports/{report}/verification', { report: pending })
  await ask('GET /reports/{report}/pdf', { report: pending })
  await world.drain()
  await ask('POST /reports', {}, { body: storm, headers: { 'idempotency-key': 'k' } })
  await ask('POST /reports', {}, { body: { ...storm, radius_miles: 6 }, headers: { 'idempotency-key': 'k' } })
  for (const report of [pending, failed]) {
    await ask('GET /reports/{report}', { report })
    await ask('GET /reports/{report}/events', { report })
    await ask('GET /reports/{report}/verification', { report })
  }
  await ask('GET /reports')
  await ask('GET /reports', {}, { query: '?status=complete&per_page=1' })
  await ask('POST /reports/batch', {}, { body: { reports: [storm] } })
  await ask('POST /reports/batch', {}, { body: { reports: [storm, {}] } })
  await ask('POST /reports/batch', {}, { body: { reports: Array(20).fill(storm) } })
  await ask('GET /credits/transactions')
  await ask('POST /reports', {}, { body: storm })
  await ask('POST /reports', {}, { body: {} })
  await ask('GET /reports', {}, { query: '?status=lost' })
  await ask('GET /reports/{report}', { report: 'x' })
  await ask('GET /account', {}, { token: 'wt_x' })
  await ask('GET /team', {}, { token: (await aToken(world, await aTeam(world, { plan: 'free' }))).token })
  await ask('GET /team', {}, { token: (await aToken(world, await aTeam(world), ['maps:read'])).token })
  await ask('POST /reports', {}, { headers: { 'content-type': 'text/plain', 'content-length': '9999999' } })

  const property = (await ask('POST /properties', {}, { body: { address: '1 Main St, Moore, OK 73160', tags: ['a'] } })).data.id
  await ask('POST /properties', {}, { body: { address: '1 Main St, Moore, OK 73160' } })
  await ask('POST /properties/{property}/contacts', { property }, { body: { name: 'Ada' } })
  await ask('GET /properties/{property}/contacts', { property })
  await ask('GET /properties/{property}', { property })
  await ask('GET /properties')
  await ask('GET /properties/{property}/exposures', { property })
  await ask('POST /properties/batch', {}, { body: { properties: [{ address: '2 Main St, Moore, OK 73160' }] } })
  await ask('POST /properties/batch', {}, { body: { properties: [{}, { address: '2 Main St, Moore, OK 73160' }] } })
  return live
}
