import {
  type GraphQLArgument,
  type GraphQLInputType,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql'
import { KEY_HOURS, KEY_LENGTH_MAX, KEY_PATTERN } from '#domain/access/idempotency.ts'
import type { JsonSchema } from '#domain/kernel/fields.ts'
import { type FormField, schemaOfField } from '#domain/kernel/form.ts'
import { gatherFaults } from '#domain/kernel/validation.ts'
import { type ArgumentForm, acceptedBy, declaredType } from '#graphql/arguments.ts'
import type { OperationExamples } from '#rest/examples.ts'
import type { Row } from '#rest/exchange.ts'
import { bareSchemaOf, refTo, schemaOf, withDescription } from '#rest/json-schemas.ts'
import { pathParameterDescriptions, pathParameterSchema } from '#rest/path-ids.ts'

/** Parameters of an endpoint, in path, query and headers. */
export function parametersOf({ endpoint, operation }: Row, examples: OperationExamples | undefined): JsonSchema[] {
  const args = operation?.field.args ?? []
  const pathNames = namesIn(endpoint.path)
  const described = [
    ...pathNames.map((name) => pathParameter(name, args)),
    ...(usesQuery(endpoint)
      ? args.filter(({ name }) => !pathNames.includes(name)).map((arg) => queryParameter(arg, formOf(operation)))
      : []),
  ]
  return [
    ...described.map((parameter) => {
      const example = examples?.parameters[parameter.name as string]
      return example === undefined ? parameter : { ...parameter, example }
    }),
    ...(endpoint.replays ? [{ $ref: '#/components/parameters/IdempotencyKey' }] : []),
  ]
}

/** Body of an endpoint; null if it accepts none. */
export function requestBodyOf({ endpoint, operation }: Row, examples: OperationExamples | undefined): JsonSchema | null {
  const pathNames = namesIn(endpoint.path)
  const bodyArguments = operation?.field.args.filter(({ name }) => !pathNames.includes(name)) ?? []
  if (usesQuery(endpoint) || bodyArguments.length === 0) return null
  const argumentForm = formOf(operation)
  const required = bodyArguments.filter((argument) => isRequired(argument, argumentForm)).map(({ name }) => name)
  const schema = {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: Object.fromEntries(bodyArguments.map((argument) => [argument.name, propertySchema(argument, argumentForm)])),
    ...(argumentForm?.closed && { additionalProperties: false }),
    ...argumentForm?.schema,
  }
  const example = examples?.request
  return {
    required: required.length > 0 || !acceptsEmptyBody(argumentForm),
    content: { 'application/json': { schema, ...(example !== undefined && { example }) } },
  }
}

/** Whether a body without fields is valid. */
function acceptsEmptyBody(argumentForm: ArgumentForm | null | undefined): boolean {
  const faults = gatherFaults()
  argumentForm?.validate({}, faults, new Date())
  return Object.keys(faults.found).length === 0
}

const usesQuery = ({ method }: Row['endpoint']) => method === 'GET' || method === 'DELETE'
const formOf = (operation: Row['operation']) => operation && acceptedBy(operation.field)

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name))
}

function pathParameter(name: string, args: readonly GraphQLArgument[]): JsonSchema {
  const description = args.find((argument) => argument.name === name)?.description ?? pathParameterDescriptions[name]
  return withDescription({ name, in: 'path', required: true, schema: pathParameterSchema(name) }, description)
}

/** A query cannot express null. */
function queryParameter(argument: GraphQLArgument, argumentForm: ArgumentForm | null): JsonSchema {
  const field = argumentForm?.form[argument.name]
  const schema = field
    ? { ...bareInputSchema(argument, field), ...(field.preset != null && { default: field.preset }) }
    : bareSchemaOf(argument.type)
  const { name, description } = argument
  return withDescription({ name, in: 'query', required: isRequired(argument, argumentForm), schema }, description)
}

function propertySchema(argument: GraphQLArgument, argumentForm: ArgumentForm | null): JsonSchema {
  const field = argumentForm?.form[argument.name]
  const schema =
    argumentForm && field
      ? schemaOfField({ ...field, schema: bareInputSchema(argument, field) }, argumentForm.kind)
      : schemaOf(argument.type)
  return withDescription(schema, argument.description)
}

/** What the form states about a field. Closed sets, shapes and batch rows use the names of the schema. */
function bareInputSchema(argument: GraphQLArgument, field: FormField<unknown>): JsonSchema {
  const declared = getNullableType(declaredType(argument))
  const named = namedInputSchema(declared)
  if (!named) return { ...bareSchemaOf(declared), ...field.schema }
  return isListType(declared) ? { ...field.schema, items: named } : named
}

function namedInputSchema(type: GraphQLInputType): JsonSchema | null {
  const named = getNamedType(type)
  if (isEnumType(named)) return refTo(named.name)
  return isScalarType(named) ? ((named.extensions.json_schema_of_input as JsonSchema | undefined) ?? null) : null
}

function isRequired(argument: GraphQLArgument, argumentForm: ArgumentForm | null): boolean {
  if (argumentForm) return argumentForm.kind === 'new' && argumentForm.form[argument.name]?.required === true
  return isNonNullType(declaredType(argument))
}

/** `components.parameters`. */
export const parameters: JsonSchema = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description: `A repeat with the same key within ${KEY_HOURS} hours does nothing, costs nothing, and returns 200 with the record as it is now.`,
    schema: { type: 'string', minLength: 1, maxLength: KEY_LENGTH_MAX, pattern: KEY_PATTERN },
  },
}
