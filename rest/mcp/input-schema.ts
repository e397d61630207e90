import type { JsonSchema } from '#domain/kernel/fields.ts'
import { parametersOf, requestBodyOf } from '#rest/described-requests.ts'
import type { Row } from '#rest/exchange.ts'

/** Combines path, query and body of an endpoint into the single input object of a tool. @param named the schemas of the OpenAPI document */
export function inputSchemaOf(row: Row, named: Record<string, JsonSchema>, more: Record<string, JsonSchema> = {}): JsonSchema {
  const parameters = parametersOf(row, undefined).filter((parameter) => parameter.schema !== undefined)
  const content = requestBodyOf(row, undefined)?.content as { 'application/json': { schema: JsonSchema } } | undefined
  const body = content?.['application/json'].schema
  const properties: Record<string, JsonSchema> = {
    ...Object.fromEntries(parameters.map(({ name, schema, description }) => [name, { ...(schema as JsonSchema), description }])),
    ...(body?.properties as Record<string, JsonSchema> | undefined),
    ...more,
  }
  const required = [
    ...parameters.filter((parameter) => parameter.required === true).map(({ name }) => String(name)),
    ...((body?.required as string[] | undefined) ?? []),
  ]
  return { type: 'object', properties: inlined(properties, named) as JsonSchema, ...(required.length > 0 && { required }) }
}

const REFERENCE = '#/components/schemas/'

/**
 * Replaces every reference by the schema that it names: a tool's schema is self-contained. What stands beside a reference, such as the
 * description of an argument, overrides the named schema.
 */
function inlined(value: unknown, named: Record<string, JsonSchema>): unknown {
  if (Array.isArray(value)) return value.map((item) => inlined(item, named))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...beside } = value as JsonSchema
  if (typeof $ref !== 'string') return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, inlined(item, named)]))
  const target = named[$ref.replace(REFERENCE, '')]
  if (!target) throw new Error(`${$ref} names no schema`)
  return inlined({ ...target, ...beside }, named)
}
