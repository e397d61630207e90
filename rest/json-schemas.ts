import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  type GraphQLType,
  isEnumType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isNonNullType,
  isObjectType,
  isScalarType,
} from 'graphql'
import type { JsonSchema } from '#domain/kernel/fields.ts'
import { orNull } from '#domain/kernel/form.ts'

/** A reference to a type under `components.schemas`. */
export const refTo = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })

/**
 * Every object, enum and input of the GraphQL schema by name, with the schemas that its scalars and fields name. Scalars are
 * inlined.
 */
export function namedSchemas(schema: GraphQLSchema): Record<string, JsonSchema> {
  const roots: unknown[] = [schema.getQueryType(), schema.getMutationType()]
  const types = Object.values(schema.getTypeMap()).filter((type) => !isIntrospectionType(type) && !roots.includes(type))
  return Object.fromEntries(types.flatMap(schemasOfType))
}

type NamedSchema = [name: string, schema: JsonSchema]

function schemasOfType(type: GraphQLNamedType): NamedSchema[] {
  const described = type.description ? { description: type.description } : {}
  if (isEnumType(type)) return [[type.name, { type: 'string', enum: type.getValues().map(({ name }) => name), ...described }]]
  if (isScalarType(type)) return Object.entries((type.extensions.json_schemas as Record<string, JsonSchema> | undefined) ?? {})
  if (!isObjectType(type) && !isInterfaceType(type)) return []
  const fields = Object.values(type.getFields())
  // Every key is present from the first response on; values not known yet are null.
  const required = fields.map(({ name }) => name)
  const properties = Object.fromEntries(fields.map((field) => [field.name, withDescription(fieldSchema(field, type), field.description)]))
  return [[type.name, { type: 'object', ...described, required, properties }], ...fields.flatMap(closedSetOf)]
}

function fieldSchema({ name, type, extensions }: GraphQLField<unknown, unknown>, owner: GraphQLNamedType): JsonSchema {
  if (extensions.const !== undefined) return { type: typeof extensions.const, const: extensions.const }
  const set = extensions.closed_set as ClosedSet | undefined
  const more = { ...((extensions.json_schema as JsonSchema | undefined) ?? {}), ...(isUrl(name, owner) && { format: 'uri' }) }
  const leaf = set ? refTo(set.name) : undefined
  const bare = bareSchemaOf(type, leaf)
  const stated = bare.type === 'array' ? { ...bare, items: { ...(bare.items as JsonSchema), ...more } } : { ...bare, ...more }
  return isNonNullType(type) ? stated : orNull(stated)
}

/** Links are URLs, and so are fields named as URLs. */
function isUrl(name: string, { name: within }: GraphQLNamedType): boolean {
  return within.endsWith('Links') || /(^|_)url$/.test(name)
}

/** The values of a String field without a GraphQL enum: their names may have dots and colons. */
export interface ClosedSet {
  name: string
  description: string
  values: readonly string[]
}

function closedSetOf({ extensions }: GraphQLField<unknown, unknown>): NamedSchema[] {
  const set = extensions.closed_set as ClosedSet | undefined
  return set ? [[set.name, { type: 'string', enum: [...set.values], description: set.description }]] : []
}

/** The schema of a value in a response or a body. Values that are not required may be null. @param leaf see bareSchemaOf */
export function schemaOf(type: GraphQLType, leaf?: JsonSchema): JsonSchema {
  return isNonNullType(type) ? bareSchemaOf(type.ofType, leaf) : orNull(bareSchemaOf(type, leaf))
}

/** The same without null, which a query cannot express. @param leaf replaces the schema of the innermost type */
export function bareSchemaOf(type: GraphQLType, leaf?: JsonSchema): JsonSchema {
  if (isNonNullType(type)) return bareSchemaOf(type.ofType, leaf)
  if (isListType(type)) {
    const items = bareSchemaOf(type.ofType, leaf)
    return { type: 'array', items: isNonNullType(type.ofType) ? items : orNull(items) }
  }
  if (leaf) return leaf
  if (!isScalarType(type)) return refTo(type.name)
  return builtInScalarSchemas[type.name] ?? (type.extensions.json_schema as JsonSchema | undefined) ?? {}
}

const builtInScalarSchemas: Record<string, JsonSchema> = {
  String: { type: 'string' },
  ID: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
}

/** Returns the schema with a description, if there is one. */
export function withDescription(schema: JsonSchema, description: string | null | undefined): JsonSchema {
  return description ? { ...schema, description } : schema
}
