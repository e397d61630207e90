import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRest, type Rest } from '#test/support/api.ts'
import { aTeam, aToken } from '#test/support/factories.ts'
import { openWorld, type World } from '#test/support/world.ts'

/** The parts of a field's JSON Schema that concern bounds. */
interface Schema {
  $ref?: string
  type?: string | string[]
  format?: string
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  items?: Schema
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
}

interface Field {
  operation: string
  method: 'GET' | 'POST' | 'PATCH'
  path: string
  name: string
  schema: Schema
}

let world: World
let rest: Rest
let token: string
let ids: Record<string, string>
// biome-ignore lint/suspicious/noExplicitAny: the description as it is served
let document: any
beforeAll(async () => {
  world = await openWorld({ config: { rate_limit_per_minute: 100_000 } })
  rest = await openRest(world)
  token = (await aToken(world, await aTeam(world, { credits: 10_000 }))).token
  document = (await rest.call('GET', '/openapi.json', { token })).body
  ids = await records()
})
afterAll(() => rest.close())

async function records(): Promise<Record<string, string>> {
  const made = async (path: string, body: unknown) => (await rest.call('POST', path, { token, body })).body.data.id
  const address = '1 Main St, Moore, OK 73160'
  const property = await made('/properties', { address })
  return {
    property,
    contact: String(await made(`/properties/${property}/contacts`, { name: 'Ada' })),
    report: await made('/reports', { address, window_start: '2024-01-01', window_end: '2024-01-31' }),
    territory: await made('/territories', { name: 'North', kind: 'radius', latitude: 35.3, longitude: -97.5, radius_miles: 3 }),
    integration: await made('/integrations', { name: 'A', channel: 'webhook', url: 'https://example.com/', events: ['digest.sent'] }),
  }
}

const resolved = (schema: Schema): Schema =>
  schema.$ref
    ? (schema.$ref
        .slice(2)
        .split('/')
        .reduce((part, key) => part[key], document) as Schema)
    : schema
const typesOf = (schema: Schema) => [resolved(schema).type ?? []].flat()

/** Whether the schema allows null. */
function takesNull(schema: Schema): boolean {
  return typesOf(schema).includes('null') || (schema.anyOf ?? []).some(takesNull)
}

/** The schema of a value other than null. */
function bare(schema: Schema): Schema {
  const [first] = (schema.anyOf ?? []).filter((choice) => choice.type !== 'null')
  return resolved(first ?? schema)
}

function fields(where: 'body' | 'query'): Field[] {
  return Object.entries<object>(document.paths).flatMap(([path, item]) =>
    // biome-ignore lint/suspicious/noExplicitAny: an operation as described
    Object.entries<any>(item).flatMap(([method, operation]) => {
      const body = operation.requestBody?.content['application/json'].schema.properties ?? {}
      const query = (operation.parameters ?? []).filter((parameter: { in: string }) => parameter.in === 'query')
      const described: [string, Schema][] =
        // biome-ignore lint/suspicious/noExplicitAny: a parameter as described
        where === 'body' ? Object.entries<Schema>(body) : query.map(({ name, schema }: any) => [name, schema])
      return path.includes('{exposure}')
        ? []
        : described.map(([name, schema]) => ({
            operation: operation.operationId,
            method: method.toUpperCase() as 'POST',
            path,
            name,
            schema,
          }))
    }),
  )
}

/** Returns the error sentences about one field, sent alone or with other fields. */
async function sentences({ method, path, name }: Field, value: unknown, otherFields: object = {}): Promise<string[]> {
  const named = path.replace('/api/v1', '').replaceAll(/\{(\w+)\}/g, (_, id: string) => String(ids[id]))
  const answer =
    method === 'GET'
      ? await rest.call(method, `${named}?${name}=${encodeURIComponent(String(value))}`, { token })
      : await rest.call(method, named, { token, body: { ...otherFields, [name]: value } })
  expect(answer.status, `${path} ${name}=${JSON.stringify(value)}: ${answer.text}`).toBeLessThan(500)
  return Object.entries<string[]>(answer.body?.errors ?? {}).flatMap(([at, messages]) =>
    at === name || at.startsWith(`${name}.`) ? messages : [],
  )
}

/** Values beyond a bound, each with one at the bound: the first must be refused, the second accepted. */
function* edges(schema: Schema): Generator<{ beyond: unknown; at: unknown; says: RegExp }> {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, items = {} } = bare(schema)
  const item = itemOf(bare(items))
  if (maxLength !== undefined) yield { beyond: 'x'.repeat(maxLength + 1), at: 'x'.repeat(maxLength), says: /characters/ }
  if (minLength !== undefined && minLength > 1) yield { beyond: 'x'.repeat(minLength - 1), at: 'x'.repeat(minLength), says: /characters/ }
  if (maximum !== undefined) yield { beyond: maximum + 1, at: maximum, says: new RegExp(`to ${maximum}\\b|-${maximum} to`) }
  if (minimum !== undefined) yield { beyond: minimum - 1, at: minimum, says: new RegExp(`be ${minimum} `) }
  if (maxItems !== undefined)
    yield { beyond: Array(maxItems + 1).fill(item), at: Array(maxItems).fill(item), says: new RegExp(`\\b${maxItems} `) }
  if (minItems !== undefined) yield { beyond: [], at: Array(minItems).fill(item), says: /^(Send|Choose) / }
}

const itemOf = (schema: Schema): unknown =>
  schema.enum ? schema.enum[0] : schema.type === 'integer' ? 1 : schema.type === 'string' ? 'x' : {}

describe('the description of request values', () => {
  it('matches the service at every bound of every body', async () => {
    let bounds = 0
    for (const field of fields('body')) {
      for (const { beyond, at, says } of edges(field.schema)) {
        bounds += 1
        const about = `${field.operation} ${field.name}`
        expect([about, (await sentences(field, beyond)).filter((sentence) => says.test(sentence)).length]).toEqual([about, 1])
        expect([about, (await sentences(field, at)).filter((sentence) => says.test(sentence))]).toEqual([about, []])
      }
    }
    expect(bounds).toBeGreaterThan(50)
  })

  it('matches the service at every bound of every filter; a page size is clamped to its bound', async () => {
    let bounds = 0
    for (const field of fields('query')) {
      for (const { beyond, at, says } of edges(field.schema)) {
        bounds += 1
        const about = `${field.path} ${field.name}`
        const refused = (await sentences(field, beyond)).filter((sentence) => says.test(sentence)).length
        expect([about, refused]).toEqual([about, field.name === 'per_page' ? 0 : 1])
        expect([about, (await sentences(field, at)).filter((sentence) => says.test(sentence))]).toEqual([about, []])
      }
    }
    expect(bounds).toBeGreaterThan(25)
  })

  it('allows null where the service accepts null, and nowhere else', async () => {
    let nullable = 0
    for (const field of fields('body')) {
      const about = `${field.operation} ${field.name}`
      if (takesNull(field.schema)) nullable += 1
      // An address may be left out if coordinates are sent.
      const messages = await sentences(field, null, field.name === 'address' ? { latitude: 35.3, longitude: -97.5 } : {})
      expect([about, messages.length > 0]).toEqual([about, !takesNull(field.schema)])
    }
    expect(nullable).toBeGreaterThan(30)
  })

  it('lists every value of a closed set, and other values are refused', async () => {
    let values = 0
    for (const field of [...fields('body'), ...fields('query')]) {
      for (const value of bare(field.schema).enum?.filter((each) => each !== null) ?? []) {
        values += 1
        expect([field.operation, field.name, value, await sentences(field, value)]).toEqual([field.operation, field.name, value, []])
      }
      if (bare(field.schema).enum)
        expect([field.operation, field.name, await sentences(field, 'zzz')]).toEqual([field.operation, field.name, [expect.any(String)]])
    }
    expect(values).toBeGreaterThan(100)
  })

  it('has a type for everything, and a value of another type is refused', async () => {
    for (const field of fields('body')) {
      const types = typesOf(bare(field.schema))
      if (types.length === 0 || types.includes('object')) continue
      const other = types.includes('string') ? 7 : 'x'
      const about = `${field.operation} ${field.name}`
      expect([about, (await sentences(field, other)).length > 0]).toEqual([about, true])
    }
  })
})
