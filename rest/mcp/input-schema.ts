import type { JsonSchema } from '#domain/kernel/fields.ts'
import { parametersOf, requestBodyOf } from '#rest/described-requests.ts'
import type { Row } from '#rest/exchange.ts'

/** Combines path, query and body of an endpoint into the single input object of a tool. */
export function inputSchemaOf(row: Row, more: Record<string, JsonSchema> = {}): JsonSchema {
  const parameters = parametersOf(row, undefined).filter((parameter) => parameter.schema !== undefined)
  const content = requestBodyOf(row, undefined)?.content as { 'application/json': { schema: JsonSchema } } | undefined
  const body = content?.['application/json'].schema
  const named = parameters.map(({ name, schema, description }) => [name, { ...(schema as JsonSchema), description }])
  const properties: Record<string, JsonSchema> = {
    ...Object.fromEntries(named),
    ...(body?.properties as Record<string, JsonSchema> | undefined),
    ...more,
  }
  const required = [
    ...parameters.filter((parameter) => parameter.required === true).map(({ name }) => String(name)),
    ...((body?.required as string[] | undefined) ?? []),
  ]
  const taken = Object.entries(properties).filter(([, schema]) => !hasReference(schema))
  return { type: 'object', properties: Object.fromEntries(taken), ...(required.length > 0 && { required }) }
}

/** A tool's schema is self-contained: it cannot refer to the components of the OpenAPI document. */
const hasReference = (schema: JsonSchema) => JSON.stringify(schema).includes('"$ref"')
