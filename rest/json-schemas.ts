import {
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
} from 'graphql'
import { planLimits, refusalStatus } from '#domain/refusal.ts'

/** A JSON Schema of draft 2020-12, as OpenAPI 3.1 takes it. */
export type JsonSchema = Record<string, unknown>

/** The schema of a type that stands under `components.schemas` by its name. */
export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/** Every object, enum and input of the GraphQL schema by name; scalars are written where they are used. */
export function namedSchemas(schema: GraphQLSchema): Record<string, JsonSchema> {
  const roots: unknown[] = [schema.getQueryType(), schema.getMutationType()]
  const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type) && !roots.includes(type))
  return Object.fromEntries(
    types.flatMap((type) => {
      const described = namedSchema(type)
      return described ? [[type.name, described]] : []
    }),
  )
}

function namedSchema(type: GraphQLNamedType): JsonSchema | null {
  const described = type.description ? { description: type.description } : {}
  if (isEnumType(type)) return { type: 'string', enum: type.getValues().map(({ name }) => name), ...described }
  if (isObjectType(type) || isInterfaceType(type)) {
    const fields = Object.values(type.getFields())
    const properties = fields.map(({ name, type: inner, description, extensions }) => {
      const always = extensions.const === undefined ? schemaOf(inner) : { type: 'string', const: extensions.const }
      return [name, withDescription(always, description)]
    })
    // Every key is there from the first answer on: what is not yet earned is null.
    return { type: 'object', ...described, required: fields.map(({ name }) => name), properties: Object.fromEntries(properties) }
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields())
    return {
      type: 'object',
      ...described,
      required: fields.filter(({ type: inner }) => isNonNullType(inner)).map(({ name }) => name),
      properties: Object.fromEntries(
        fields.map(({ name, type: inner, description }) => [name, withDescription(schemaOf(inner), description)]),
      ),
    }
  }
  return null
}

/** The schema of a value that is answered, or that a body carries: whatever is not required may be null. */
export function schemaOf(type: GraphQLType): JsonSchema {
  return isNonNullType(type) ? bareSchemaOf(type.ofType) : orNull(bareSchemaOf(type))
}

/** The same without null: a query cannot say it. */
export function bareSchemaOf(type: GraphQLType): JsonSchema {
  if (isNonNullType(type)) return bareSchemaOf(type.ofType)
  if (isListType(type)) return { type: 'array', items: schemaOf(type.ofType) }
  if (!isScalarType(type)) return refTo(type.name)
  return builtIn[type.name] ?? (type.extensions.json_schema as JsonSchema | undefined) ?? {}
}

const builtIn: Record<string, JsonSchema> = {
  String: { type: 'string' },
  ID: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
}

function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type === 'string') return { ...schema, type: [schema.type, 'null'] }
  return { anyOf: [schema, { type: 'null' }] }
}

export function withDescription(schema: JsonSchema, description: string | null | undefined): JsonSchema {
  return description ? { ...schema, description } : schema
}

const nullable = (type: string) => ({ type: [type, 'null'] })

/** The one body of every refusal. */
export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'Why a request was refused. All keys are always there.',
  required: [
    'object',
    'status',
    'code',
    'message',
    'errors',
    'required_ability',
    'required_plan',
    'limit',
    'existing_id',
    'retry_after',
    'request_id',
  ],
  properties: {
    object: { type: 'string', const: 'error' },
    status: { type: 'integer', description: 'The HTTP status.' },
    code: { type: 'string', enum: [...Object.keys(refusalStatus), 'server_error'], description: 'What is wrong, for programs.' },
    message: { type: 'string', description: 'What is wrong, for people.' },
    errors: {
      type: ['object', 'null'],
      additionalProperties: { type: 'array', minItems: 1, items: { type: 'string' } },
      description: 'Of a 422: field, or dot path, to sentences about it.',
    },
    required_ability: { ...nullable('string'), description: 'Of a 403: the ability that is missing.' },
    required_plan: { ...nullable('string'), description: 'Of a 402: the tier that would do; null where none would.' },
    limit: { enum: [...planLimits, null], description: 'Of a 402: which limit.' },
    existing_id: { ...nullable('string'), format: 'uuid', description: 'Of a duplicate address: the property that has it.' },
    retry_after: { ...nullable('integer'), description: 'Seconds to wait before asking again.' },
    request_id: { type: 'string', description: 'As in the header X-Request-Id.' },
  },
}
