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
import type { Request } from './client.ts'
import { oddDocuments, oddHeaders, oddTexts } from './malformed.ts'
import { nasty, nastyGeometry, textOf } from './nasty.ts'
import { type Ids, nouns, type RecordNoun, type Stock } from './stock.ts'
import { objectOf, type Schema, territoryOf } from './values.ts'

/** A root field, how it is requested, and how its result is checked. */
export interface RootField {
  name: string
  mutation: boolean
  document: string
  arguments: Schema
  /** Arguments that are ids of records; the last one is the subject of the field. */
  about: RecordNoun[]
  /** Whether the types allow the variables. */
  allows: ValidateFunction
  /** Whether `data` has the shape that the document requests. */
  answers: ValidateFunction
}

export interface GraphCase {
  kind: 'fit' | 'variable' | 'document' | 'text' | 'header'
  field: RootField
  spare: RecordNoun | null
  request(ids: Ids): Request
  /** True if the types do not allow the variables: the field must not return a result. */
  forbidden: boolean
}

/** Every root field with all that can be requested of it in one document of reasonable depth. */
export function rootFieldsOf(schema: GraphQLSchema): { fields: RootField[]; resolve: (ref: string) => Schema } {
  const named = namedSchemas(schema)
  const [sent, answered] = [validatorOf(named), validatorOf(named)]
  // Accepted besides RFC 3339: times without seconds, and the hour 24 of ISO 8601.
  sent.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)))
  const compile = (ajv: Ajv2020, stated: object) => ajv.compile(JSON.parse(JSON.stringify(stated).replaceAll('"#/', '"graph#/')))
  const rootFieldOf = (mutation: boolean, field: GraphQLField<unknown, unknown>): RootField => {
    const fixed = FIXED[field.name] ?? {}
    const args = field.args.filter(({ name }) => !(name in fixed))
    const about = args.map(({ name }) => called(name)).filter((name): name is RecordNoun => nouns.includes(name as RecordNoun))
    const stated = {
      type: 'object',
      required: args.filter(({ type }) => isNonNullType(type)).map(({ name }) => name),
      properties: Object.fromEntries(args.map(({ name, type }) => [name, argumentSchemaOf(type)])),
    }
    const taken = args.map(({ name, type }) => `$${name}: ${type}`).join(', ')
    const passedArguments = [
      ...args.map(({ name }) => `${name}: $${name}`),
      ...Object.entries(fixed).map(([name, value]) => `${name}: ${value}`),
    ].join(', ')
    const selected = selection(field.type, OF_MANY.includes(field.name) ? LEVELS - 1 : 0)
    const root = `${field.name}${passedArguments && `(${passedArguments})`} ${selected.text}`
    return {
      name: field.name,
      mutation,
      document: `${mutation ? 'mutation' : 'query'} ${taken && `(${taken})`} { ${root} }`,
      arguments: stated as Schema,
      about,
      allows: compile(sent, stated),
      answers: compile(answered, {
        type: 'object',
        required: [field.name],
        properties: { [field.name]: orNull(field.type, selected.schema) },
      }),
    }
  }
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type, at) =>
    Object.values(type?.getFields() ?? {}).map((field) => rootFieldOf(at === 1, field)),
  )
  return { fields, resolve: (ref) => named[ref.split('/').at(-1) as string] as Schema }
}

function validatorOf(schemas: object): Ajv2020 {
  const ajv = formats.default(new Ajv2020({ strict: false }))
  return ajv.addSchema({ $id: 'graph', components: { schemas } })
}

/** The values that an argument accepts: a scalar may accept more than it returns, and one value may replace a list of it. */
function argumentSchemaOf(type: GraphQLInputType): JsonSchema {
  const leaf = getNamedType(type).extensions.json_schema_of_input as JsonSchema | undefined
  const schema = schemaOf(type, leaf)
  return isListType(getNullableType(type)) ? { anyOf: [schema, bareSchemaOf(getNamedType(type), leaf)] } : schema
}

/** For these, up to 500 rows at once, only the usual fields are requested, not all that exist. */
const OF_MANY = ['acknowledgeExposures', 'reopenExposures', 'tagProperties']

/**
 * Arguments with a fixed value: a whole report includes the days of its date of loss, for which a page of 100 is
 * too much, and a property whose address was changed to an unknown one can no longer be enriched.
 */
const FIXED: Record<string, Record<string, number>> = { reports: { per_page: 50 }, updateProperty: { latitude: 33.15, longitude: -96.82 } }

/** Fields about a day in a box, whose edges must fit together. */
const OF_A_BOX = ['playback', 'swaths']

const BATCHES = ['createReports', 'createProperties']

/** Levels of objects beneath a root field: a page, its rows, and the parts of a row. */
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

/** Leaves always; objects while there is room, but no listing inside a listing. */
function isSelected({ type, args }: GraphQLField<unknown, unknown>, within: GraphQLNamedType, level: number): boolean {
  if (isLeafType(getNamedType(type))) return true
  return args.length === 0 && level < LEVELS && getNamedType(type) !== within
}

/** Returns requests for every root field in equal shares; half of them are valid. */
export function graphCases(schema: GraphQLSchema, stock: Stock, token: string): { cases: fc.Arbitrary<GraphCase>; fields: string[] } {
  const { fields, resolve } = rootFieldsOf(schema)
  const headers = [
    ['authorization', `Bearer ${token}`],
    ['content-type', 'application/json'],
  ] as const
  const posted = (body: Buffer): Request => ({ method: 'POST', path: '/graphql', headers, body })

  const of = (field: RootField): fc.Arbitrary<GraphCase> => {
    const args = argumentsOf(field, stock, resolve)
    const made = (
      kind: GraphCase['kind'],
      variables: Record<string, unknown>,
      body: (text: string) => Buffer = (text) => Buffer.from(text),
      query = field.document,
    ): GraphCase => {
      const allVariables = (ids: Ids) => ({ ...idsOf(field, ids, stock), ...variables })
      return {
        kind,
        field,
        spare: field.name.startsWith('delete') ? (field.about.at(-1) ?? null) : null,
        request: (ids) => posted(body(textOf({ query, variables: allVariables(ids) }))),
        // A row of a batch is refused on its own.
        forbidden: kind === 'variable' && !BATCHES.includes(field.name) && !field.allows(JSON.parse(textOf(allVariables(stock.kept)))),
      }
    }
    const names = Object.keys(field.arguments.properties ?? {})
    const invalid = fc
      .tuple(args, fc.constantFrom(...names, 'unknown'), nasty, nastyGeometry, fc.boolean())
      .map(([variables, name, value, geometry, shape]) =>
        made('variable', { ...variables, ...(name === 'geometry' && shape ? { kind: 'polygon', geometry } : { [name]: value }) }),
      )
    return fc.oneof(
      { weight: 50, arbitrary: args.map((variables) => made('fit', variables)) },
      { weight: 28, arbitrary: invalid },
      {
        weight: 10,
        arbitrary: fc.tuple(args, oddDocuments).map(([variables, odd]) => made('document', variables, undefined, odd(field.document))),
      },
      { weight: 6, arbitrary: fc.tuple(args, oddTexts).map(([variables, odd]) => made('text', variables, odd)) },
      {
        weight: 6,
        arbitrary: fc.tuple(args, oddHeaders).map(([variables, odd]) => {
          const one = made('header', variables)
          return { ...one, request: (ids: Ids) => odd(one.request(ids)) }
        }),
      },
    )
  }
  return { cases: fc.oneof(...fields.map(of)), fields: fields.map(({ name }) => name) }
}

/** The address of contacts that are erased: the contacts of other requests stay. */
const LEAVING = 'leaving@example.com'

/** All arguments except the ids of records, which are filled in when the request is sent. */
function argumentsOf(field: RootField, stock: Stock, resolve: (ref: string) => Schema): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [] } = field.arguments
  const others = Object.entries(properties).filter(([name]) => !isAbout(field, name))
  const stated = { properties: Object.fromEntries(others), required: required.filter((name) => !isAbout(field, name)) }
  if ('geometry' in properties) return territoryOf(stated, stock, resolve)
  if (field.name === 'erasePersonalData') return fc.constant({ email: LEAVING })
  const sent = objectOf(stated, stock, resolve)
  if (field.name === 'createContact')
    return fc.tuple(sent, fc.boolean()).map(([one, leaves]) => (leaves ? { ...one, email: LEAVING } : one))
  if (!OF_A_BOX.includes(field.name)) return sent
  return fc.constant({ date: '2025-05-28', south: 33, west: -97, north: 34, east: -96 })
}

/** A filter may have the name of a record; a required argument is the subject of the field. */
const isAbout = ({ arguments: { required = [] } }: RootField, name: string) =>
  required.includes(name) && (name === 'delivery' || nouns.includes(called(name) as RecordNoun))

/** The record of an argument whose name differs: the first of two reports that are compared. */
const called = (name: string) => (name === 'a' ? 'report' : name)

function idsOf(field: RootField, ids: Ids, stock: Stock): Record<string, unknown> {
  const all: Record<string, unknown> = {
    ...ids,
    exposure: Number(ids.exposure),
    contact: Number(ids.contact),
    delivery: stock.delivery,
    a: ids.report,
  }
  return Object.fromEntries(Object.entries(all).filter(([name]) => isAbout(field, name)))
}
