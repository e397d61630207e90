import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isUnionType,
} from 'graphql'
import type { JsonSchema } from '#domain/kernel/fields.ts'
import { bareSchemaOf, namedSchemas, schemaOf } from '#rest/json-schemas.ts'
import type { Request } from './ask.ts'
import { oddDocuments, oddHeaders, oddTexts } from './malformed.ts'
import { nasty, nastyGeometry, textOf } from './nasty.ts'
import { type Ids, nouns, type RecordNoun, type Stock } from './stock.ts'
import { objectOf, type Schema, territoryOf } from './values.ts'

/** A root field, how it is asked, and how what it answers is judged. */
export interface Asking {
  name: string
  mutation: boolean
  document: string
  arguments: Schema
  /** Arguments that are ids of records, the last being what the field is about. */
  about: RecordNoun[]
  /** Whether variables are such as the types allow. */
  allows: ValidateFunction
  /** Whether `data` is what the document asks for. */
  answers: ValidateFunction
}

export interface GraphCase {
  kind: 'fit' | 'variable' | 'document' | 'text' | 'header'
  asking: Asking
  spare: RecordNoun | null
  request(ids: Ids): Request
  /** True where the variables are not such as the types allow: the field must not be answered. */
  forbidden: boolean
}

/** Every root field with all that it can be asked for in one document of reasonable depth. */
export function askingsOf(schema: GraphQLSchema): { askings: Asking[]; resolve: (ref: string) => Schema } {
  const named = namedSchemas(schema)
  const ajv = formats.default(new Ajv2020({ strict: false }))
  ajv.addSchema({ $id: 'graph', components: { schemas: named } })
  const judge = (stated: object) => ajv.compile(JSON.parse(JSON.stringify(stated).replaceAll('"#/', '"graph#/')))
  const asking = (mutation: boolean, field: GraphQLField<unknown, unknown>): Asking => {
    const fixed = FIXED[field.name] ?? {}
    const args = field.args.filter(({ name }) => !(name in fixed))
    const about = args.map(({ name }) => called(name)).filter((name): name is RecordNoun => nouns.includes(name as RecordNoun))
    const stated = {
      type: 'object',
      required: args.filter(({ type }) => isNonNullType(type)).map(({ name }) => name),
      properties: Object.fromEntries(args.map(({ name, type }) => [name, argumentSchemaOf(type)])),
    }
    const taken = args.map(({ name, type }) => `$${name}: ${type}`).join(', ')
    const given = [
      ...args.map(({ name }) => `${name}: $${name}`),
      ...Object.entries(fixed).map(([name, value]) => `${name}: ${value}`),
    ].join(', ')
    const selected = selection(field.type, OF_MANY.includes(field.name) ? LEVELS - 1 : 0)
    const root = `${field.name}${given && `(${given})`} ${selected.text}`
    return {
      name: field.name,
      mutation,
      document: `${mutation ? 'mutation' : 'query'} ${taken && `(${taken})`} { ${root} }`,
      arguments: stated as Schema,
      about,
      allows: judge(stated),
      answers: judge({ type: 'object', required: [field.name], properties: { [field.name]: selected.schema } }),
    }
  }
  const askings = [schema.getQueryType(), schema.getMutationType()].flatMap((type, at) =>
    Object.values(type?.getFields() ?? {}).map((field) => asking(at === 1, field)),
  )
  return { askings, resolve: (ref) => named[ref.split('/').at(-1) as string] as Schema }
}

/** What an argument takes: a scalar may take more than it answers, and one value stands for a list of it. */
function argumentSchemaOf(type: GraphQLInputType): JsonSchema {
  const leaf = getNamedType(type).extensions.json_schema_of_input as JsonSchema | undefined
  const schema = schemaOf(type, leaf)
  return isListType(getNullableType(type)) ? { anyOf: [schema, bareSchemaOf(getNamedType(type), leaf)] } : schema
}

/** Of 500 rows at once what one needs is asked for, not all that there is. */
const OF_MANY = ['acknowledgeExposures', 'reopenExposures', 'tagProperties']

/**
 * Arguments that are always sent so: a whole report has the days of its date of loss, of which a page of 100 is too much, and a property whose
 * address was changed to nowhere is enriched no more.
 */
const FIXED: Record<string, Record<string, number>> = { reports: { per_page: 50 }, updateProperty: { latitude: 33.15, longitude: -96.82 } }

/** Fields about a day in a box, whose edges have to fit one another. */
const OF_A_BOX = ['playback', 'swaths']

const BATCHES = ['createReports', 'createProperties']

/** Levels of objects beneath a root field: a page, its rows, and what a row is made of. */
const LEVELS = 4

function selection(type: GraphQLOutputType, level: number): { text: string; schema: object } {
  if (isNonNullType(type)) return selection(type.ofType, level)
  if (isListType(type)) {
    const { text, schema } = selection(type.ofType, level)
    return { text, schema: { type: 'array', items: orNull(type.ofType, schema) } }
  }
  if (isLeafType(type)) return { text: '', schema: bareSchemaOf(type) }
  const parts = (isUnionType(type) ? type.getTypes() : [type]).map((part) => {
    const fields = Object.values(part.getFields()).filter((field) => isSelected(field, part, level))
    const chosen = fields.map(({ name, type: inner }) => ({ name, type: inner, ...selection(inner, level + 1) }))
    const schema = {
      type: 'object',
      required: chosen.map(({ name }) => name),
      properties: Object.fromEntries(chosen.map(({ name, type: inner, schema }) => [name, orNull(inner, schema)])),
      additionalProperties: false,
    }
    const text = chosen.map(({ name, text }) => `${name} ${text}`).join(' ')
    return { text: isUnionType(type) ? `... on ${part.name} { ${text} }` : text, schema }
  })
  return { text: `{ ${parts.map(({ text }) => text).join(' ')} }`, schema: { anyOf: parts.map(({ schema }) => schema) } }
}

const orNull = (type: GraphQLOutputType, schema: object) => (isNonNullType(type) ? schema : { anyOf: [schema, { type: 'null' }] })

/** Leaves always; objects while there is room, but no listing within a listing. */
function isSelected({ type, args }: GraphQLField<unknown, unknown>, within: GraphQLNamedType, level: number): boolean {
  if (isLeafType(getNamedType(type))) return true
  return args.length === 0 && level < LEVELS && getNamedType(type) !== within
}

/** Requests for every root field in equal shares, half of them fit. */
export function graphCases(schema: GraphQLSchema, stock: Stock, token: string): { cases: fc.Arbitrary<GraphCase>; fields: string[] } {
  const { askings, resolve } = askingsOf(schema)
  const headers = [
    ['authorization', `Bearer ${token}`],
    ['content-type', 'application/json'],
  ] as const
  const posted = (body: Buffer): Request => ({ method: 'POST', path: '/graphql', headers, body })

  const of = (asking: Asking): fc.Arbitrary<GraphCase> => {
    const given = argumentsOf(asking, stock, resolve)
    const made = (
      kind: GraphCase['kind'],
      variables: Record<string, unknown>,
      body: (text: string) => Buffer = (text) => Buffer.from(text),
      query = asking.document,
    ): GraphCase => {
      const whole = (ids: Ids) => ({ ...idsOf(asking, ids, stock), ...variables })
      return {
        kind,
        asking,
        spare: asking.name.startsWith('delete') ? (asking.about.at(-1) ?? null) : null,
        request: (ids) => posted(body(textOf({ query, variables: whole(ids) }))),
        // A row of a batch is refused by itself.
        forbidden: kind === 'variable' && !BATCHES.includes(asking.name) && !asking.allows(JSON.parse(textOf(whole(stock.kept)))),
      }
    }
    const names = Object.keys(asking.arguments.properties ?? {})
    const spoilt = fc
      .tuple(given, fc.constantFrom(...names, 'unknown'), nasty, nastyGeometry, fc.boolean())
      .map(([variables, name, value, geometry, shape]) =>
        made('variable', { ...variables, ...(name === 'geometry' && shape ? { kind: 'polygon', geometry } : { [name]: value }) }),
      )
    return fc.oneof(
      { weight: 50, arbitrary: given.map((variables) => made('fit', variables)) },
      { weight: 28, arbitrary: spoilt },
      {
        weight: 10,
        arbitrary: fc.tuple(given, oddDocuments).map(([variables, odd]) => made('document', variables, undefined, odd(asking.document))),
      },
      { weight: 6, arbitrary: fc.tuple(given, oddTexts).map(([variables, odd]) => made('text', variables, odd)) },
      {
        weight: 6,
        arbitrary: fc.tuple(given, oddHeaders).map(([variables, odd]) => {
          const one = made('header', variables)
          return { ...one, request: (ids: Ids) => odd(one.request(ids)) }
        }),
      },
    )
  }
  return { cases: fc.oneof(...askings.map(of)), fields: askings.map(({ name }) => name) }
}

/** The address of contacts that are erased: those that other requests are about stay. */
const LEAVING = 'leaving@example.com'

/** All arguments but the ids of records, which stand for what is there when the request is sent. */
function argumentsOf(asking: Asking, stock: Stock, resolve: (ref: string) => Schema): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [] } = asking.arguments
  const others = Object.entries(properties).filter(([name]) => !isAbout(asking, name))
  const stated = { properties: Object.fromEntries(others), required: required.filter((name) => !isAbout(asking, name)) }
  if ('geometry' in properties) return territoryOf(stated, stock, resolve)
  if (asking.name === 'erasePersonalData') return fc.constant({ email: LEAVING })
  const sent = objectOf(stated, stock, resolve)
  if (asking.name === 'createContact')
    return fc.tuple(sent, fc.boolean()).map(([one, leaves]) => (leaves ? { ...one, email: LEAVING } : one))
  if (!OF_A_BOX.includes(asking.name)) return sent
  return fc.constant({ date: '2025-05-28', south: 33, west: -97, north: 34, east: -96 })
}

/** A filter may be named like a record; what must be sent is what the field is about. */
const isAbout = ({ arguments: { required = [] } }: Asking, name: string) =>
  required.includes(name) && (name === 'delivery' || nouns.includes(called(name) as RecordNoun))

/** What an argument names that is not called for it: the first of two reports that are compared. */
const called = (name: string) => (name === 'a' ? 'report' : name)

function idsOf(asking: Asking, ids: Ids, stock: Stock): Record<string, unknown> {
  const all: Record<string, unknown> = {
    ...ids,
    exposure: Number(ids.exposure),
    contact: Number(ids.contact),
    delivery: stock.delivery,
    a: ids.report,
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => isAbout(asking, name)))
}
