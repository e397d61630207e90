import {
  type DocumentNode,
  type FieldNode,
  GraphQLError,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
  valueFromASTUntyped,
} from 'graphql'
import type { Plugin } from 'graphql-yoga'
import { gatherFaults, validationFailed } from '#domain/kernel/validation.ts'
import { acceptedBy } from '#graphql/arguments.ts'
import type { OperationContext } from '#graphql/charge-root-fields.ts'
import { rootFieldNodes } from '#graphql/root-fields.ts'

/**
 * Reports every fault in the arguments of a root field at once (types, values and missing arguments), in the sentences
 * of REST. GraphQL itself checks only types and missing arguments, before any value is validated.
 */
export const reportArgumentFaults: Plugin<OperationContext> = {
  onValidate({ context, params: { schema, documentAST } }) {
    return ({ result, setResult }) => {
      const reported = faultErrors(result, schema as GraphQLSchema, documentAST as DocumentNode, context.params, context.app.clock.now())
      if (reported) setResult(reported)
    }
  },
  onExecute({ args: { schema, document, operationName, variableValues, contextValue } }) {
    return {
      onExecuteDone({ result, setResult }) {
        if (!('errors' in result) || 'data' in result) return
        const { app } = contextValue as OperationContext
        const reported = faultErrors(result.errors ?? [], schema, document, { operationName, variables: variableValues }, app.clock.now())
        if (reported) setResult({ errors: reported })
      },
    }
  },
}

interface Params {
  operationName?: string | null | undefined
  variables?: Record<string, unknown> | null | undefined
}

/** One error for each faulty root field, instead of GraphQL's own; null if there are other errors, or nothing to add. */
function faultErrors(
  errors: readonly unknown[],
  schema: GraphQLSchema,
  document: DocumentNode,
  params: Params,
  now: Date,
): GraphQLError[] | null {
  if (errors.length === 0 || !errors.every(isArgumentError)) return null
  const operation = getOperationAST(document, params.operationName)
  if (!operation) return null
  const fields = schema.getRootType(operation.operation)?.getFields() ?? {}
  const variables = { ...defaultsOf(operation), ...params.variables }
  const reported = rootFieldNodes(document, params.operationName).flatMap((node) => {
    const accepted = fields[node.name.value] && acceptedBy(fields[node.name.value] as NonNullable<(typeof fields)[string]>)
    const faults = gatherFaults()
    if (accepted) accepted.validate(argumentsOf(node, variables), faults, now)
    return Object.keys(faults.found).length > 0 ? [errorOf(node, faults.found)] : []
  })
  return reported.length > 0 ? reported : null
}

function errorOf(node: FieldNode, found: Record<string, string[]>): GraphQLError {
  const refusal = validationFailed(found)
  return new GraphQLError(refusal.message, { nodes: node, originalError: refusal })
}

/** GraphQL's messages for a value of the wrong type, for a missing argument, and for a variable. */
function isArgumentError(error: unknown): boolean {
  if (!(error instanceof GraphQLError)) return false
  const kind = error.nodes?.[0]?.kind
  if (kind === Kind.FIELD) return /argument ".*" of type ".*" is required/.test(error.message)
  return kind !== undefined && (VALUE_KINDS.has(kind) || (kind === Kind.VARIABLE_DEFINITION && error.message.startsWith('Variable ')))
}

const VALUE_KINDS = new Set<string>([Kind.INT, Kind.FLOAT, Kind.STRING, Kind.BOOLEAN, Kind.NULL, Kind.ENUM, Kind.LIST, Kind.OBJECT])

function argumentsOf(node: FieldNode, variables: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries((node.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value, variables)]))
}

function defaultsOf({ variableDefinitions }: OperationDefinitionNode): Record<string, unknown> {
  const withDefault = (variableDefinitions ?? []).filter(({ defaultValue }) => defaultValue !== undefined)
  return Object.fromEntries(
    withDefault.map(({ variable, defaultValue }) => [variable.name.value, valueFromASTUntyped(defaultValue as never)]),
  )
}
