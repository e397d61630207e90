import fc from 'fast-check'
import type { Request } from './client.ts'
import type { Description, Operation } from './description.ts'
import { oddHeaders, oddMethods, oddPaths, oddTexts } from './malformed.ts'
import { nasty, nastyGeometry, nastyText, textOf } from './nasty.ts'
import type { Ids, RecordNoun, Stock } from './stock.ts'
import { box, objectOf, territoryOf, tileAddress } from './values.ts'

/** fit: as described, with meaningful values. sampled: written from the description's schema alone. The others are damaged in one way. */
export type Kind = 'fit' | 'sampled' | 'field' | 'extra' | 'text' | 'query' | 'path' | 'header' | 'method' | 'large'

export interface RestCase {
  kind: Kind
  /** Null if the request reaches no operation. */
  operation: Operation | null
  /** A record whose id is filled into the path when the request is sent, and which may be removed. */
  spare: RecordNoun | null
  request(ids: Ids): Request
  /** True if the description does not allow the body: no response may be a success. */
  forbidden: boolean
}

/** The parts of a request before it is serialised. */
interface Parts {
  path: Record<string, string> | null
  query: [string, string][]
  headers: [string, string][]
  body: unknown
}

/** Returns requests for every operation in equal shares; half of them are valid. */
export function restCases({ operations, resolve, example, allows }: Description, stock: Stock, token: string): fc.Arbitrary<RestCase> {
  const bearer: [string, string] = ['authorization', `Bearer ${token}`]
  const json: [string, string] = ['content-type', 'application/json']

  const made = (kind: Kind, operation: Operation, parts: Parts, text?: Buffer): RestCase => {
    const body = text ?? (parts.body === undefined ? null : Buffer.from(textOf(parts.body)))
    const headers = [bearer, ...(body ? [json] : []), ...parts.headers]
    const query = parts.query.map((pair) => pair.map(encoded).join('=')).join('&')
    return {
      kind,
      operation,
      spare: parts.path === null && operation.method === 'DELETE' ? (namesIn(operation.path).at(-1) as RecordNoun) : null,
      forbidden: text === undefined && operation.body !== null && !allows(operation, jsonOf(parts.body ?? {})),
      request: (ids) => ({
        method: operation.method,
        path: filled(operation, parts.path ?? ids) + (query && `?${query}`),
        headers,
        body,
      }),
    }
  }

  const fit = (operation: Operation): fc.Arbitrary<Parts> => {
    const queries = operation.parameters.filter((parameter) => parameter.in === 'query')
    const schema = {
      properties: Object.fromEntries(queries.map(({ name, schema }) => [name, schema])),
      required: queries.filter(({ required }) => required).map(({ name }) => name),
    }
    const query = fc
      .tuple(objectOf(schema, stock, resolve), operation.id === 'maps.playback' ? box : fc.constant({}))
      .map(([first, more]) => Object.entries({ ...first, ...more }).map(([name, value]): [string, string] => [name, String(value)]))
    const body = operation.body
      ? (operation.id.startsWith('territories.') && operation.id !== 'territories.status' ? territoryOf : objectOf)(
          operation.body,
          stock,
          resolve,
        )
      : fc.constant(undefined)
    const replays = operation.parameters.some(({ name }) => name === 'Idempotency-Key')
    const key = fc.option(fc.uuid(), { nil: null, freq: 2 })
    return fc.record({
      path: operation.id === 'maps.tile' ? tileAddress.map(texts) : fc.constant(null),
      query,
      headers: replays ? key.map((text): [string, string][] => (text ? [['idempotency-key', text]] : [])) : fc.constant([]),
      body,
    })
  }

  const sampled = (operation: Operation): Parts => ({
    path: operation.id === 'maps.tile' ? { z: '0', x: '0', y: '0' } : null,
    query: operation.parameters
      .filter((parameter) => parameter.in === 'query' && parameter.required)
      .map(({ name, schema }): [string, string] => [name, String(example(schema))]),
    headers: [],
    body: operation.body ? example(operation.body) : undefined,
  })

  /** One field of the body, at any depth, gets an invalid value or is removed. */
  const withInvalidField = (operation: Operation) =>
    fc.tuple(fit(operation), fc.nat(), nasty, nastyGeometry, fc.nat(9)).map(([parts, at, value, geometry, how]) => {
      const names = Object.keys(operation.body?.properties ?? {})
      const name = names[at % names.length] as string
      const by = name === 'geometry' && how > 2 ? geometry : value
      const body = parts.body as Record<string, unknown>
      const inner = Array.isArray(body[name]) && how > 5 ? replaceInRow(body[name] as unknown[], at, by) : by
      const kind = name === 'geometry' ? { kind: 'polygon' } : {}
      return made('field', operation, { ...parts, body: how === 0 ? without(body, name) : { ...body, ...kind, [name]: inner } })
    })

  const invalidCases: Record<Exclude<Kind, 'fit' | 'sampled'>, (operation: Operation) => fc.Arbitrary<RestCase> | null> = {
    field: (operation) => (operation.body ? withInvalidField(operation) : null),
    extra: (operation) =>
      operation.body
        ? fc
            .tuple(fit(operation), fc.oneof(fc.constantFrom('constructor', 'toString', 'team_id', 'id', 'then', ''), fc.string()), nasty)
            .map(([parts, name, value]) => made('extra', operation, { ...parts, body: { [name]: value, ...(parts.body as object) } }))
        : null,
    text: (operation) =>
      fc.tuple(fit(operation), oddTexts).map(([parts, odd]) => made('text', operation, parts, odd(textOf(parts.body ?? {})))),
    query: (operation) => {
      const names = operation.parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
      const name = fc.constantFrom(...names, 'page[]', '__proto__', 'constructor', 'x')
      const more = fc.array(fc.tuple(name, nastyText), { minLength: 1, maxLength: 3 })
      return fc.tuple(fit(operation), more, fc.boolean()).map(([parts, more, instead]) =>
        made('query', operation, {
          ...parts,
          query: [...parts.query.filter(([name]) => !instead || !more.some(([other]) => other === name)), ...more],
        }),
      )
    },
    path: (operation) => {
      const names = namesIn(operation.path)
      if (names.length === 0) return null
      const strange = fc.oneof(
        nastyText.map((text) => text.slice(0, 300)),
        fc.uuid(),
        fc.constantFrom('0', '-1', '2147483647', '2147483648', '99999999999999999999', '1.0', '1e1', '+1', ' 1', '01', '..', '.', '%'),
        fc.constantFrom(...Object.values(stock.foreign).filter(Boolean)),
      )
      return fc.tuple(fit(operation), fc.constantFrom(...names), strange).map(([parts, name, id]) => {
        const ids = operation.method === 'DELETE' ? stock.foreign : stock.kept
        return made('path', operation, { ...parts, path: { ...ids, ...parts.path, [name]: id || 'x' } })
      })
    },
    header: (operation) =>
      fc.tuple(fit(operation), oddHeaders).map(([parts, odd]) => {
        const one = made('header', operation, parts)
        return { ...one, request: (ids) => odd(one.request(ids)) }
      }),
    method: (operation) =>
      fc.tuple(fit(operation), oddMethods, fc.option(oddPaths)).map(([parts, method, path]) => {
        const one = made('method', operation, { ...parts, path: parts.path ?? stock.foreign })
        const known = operations.find((each) => each.path === operation.path && each.method === (method === 'HEAD' ? 'GET' : method))
        return {
          ...one,
          operation: path === null ? (known ?? null) : null,
          forbidden: false,
          request: (ids) => {
            const request = one.request(ids)
            return { ...request, method, ...(path !== null && { path }) }
          },
        }
      }),
    large: (operation) =>
      operation.body
        ? fc.tuple(fit(operation), fc.constantFrom(1, 4), fc.boolean()).map(([parts, mebibytes, over]) => {
            const text = textOf(parts.body)
            const room = mebibytes * 1024 * 1024 + (over ? 1 : 0) - text.length
            return made('large', operation, parts, Buffer.from(text + ' '.repeat(room)))
          })
        : null,
  }

  const of = (operation: Operation): fc.Arbitrary<RestCase> => {
    const weighted = (Object.entries(weights) as [keyof typeof weights, number][]).flatMap(([kind, weight]) => {
      const arbitrary = invalidCases[kind](operation)
      return arbitrary ? [{ weight, arbitrary }] : []
    })
    const all = weighted.reduce((sum, { weight }) => sum + weight, 0)
    return fc.oneof(
      { weight: Math.ceil(all * 0.9), arbitrary: fit(operation).map((parts) => made('fit', operation, parts)) },
      { weight: Math.ceil(all * 0.1), arbitrary: fc.constant(made('sampled', operation, sampled(operation))) },
      ...weighted,
    )
  }
  return fc.oneof(...operations.map(of))
}

/** How often each kind of damage is used; large bodies cost the most to send. */
const weights = { field: 40, extra: 5, text: 10, query: 15, path: 15, header: 12, method: 6, large: 1 }

const namesIn = (path: string) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name))
const texts = (values: Record<string, unknown>) => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))

function filled({ path }: Operation, ids: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encoded(ids[name] ?? name))
}

/** Unpaired surrogates have no UTF-8 encoding: they are sent as a careless program would send them. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString())
}

const without = (body: Record<string, unknown>, name: string) =>
  Object.fromEntries(Object.entries(body).filter(([other]) => other !== name))

function replaceInRow(rows: unknown[], at: number, by: unknown): unknown[] {
  return rows.map((row, index) => {
    if (index !== at % rows.length) return row
    if (typeof row !== 'object' || row === null) return by
    const names = Object.keys(row)
    return { ...row, [names[at % names.length] ?? 'x']: by }
  })
}

/** The value as a JSON parser reads it. */
const jsonOf = (value: unknown) => JSON.parse(textOf(value)) as unknown
