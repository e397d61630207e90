import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isObjectType,
} from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import { useSofa } from 'sofa-api'
import { unmarkJson } from '#domain/exact-json.ts'
import type { Performed } from '#rest/answers.ts'
import type { FieldEndpoint } from '#rest/endpoints.ts'

/** A root field of the schema made ready for REST. */
export interface Operation {
  field: GraphQLField<unknown, unknown>
  /**
   * Runs the operation with arguments already bound.
   * @throws what the resolver threw
   */
  perform(context: object, args: Record<string, unknown>): Promise<Performed>
}

type Engine = FieldEndpoint['engine']

/** What travels through a generated handler. It would bind arguments itself, loosely, so ours go around it. */
interface Call {
  context: object
  args: Record<string, unknown>
  engine: Engine
  value: unknown
}

interface GeneratedRoute {
  path: string
  handler(request: { url: string; body: null; params: object }, call: Call): Promise<unknown>
}

/**
 * Has SOFA write the document and the handler of every root field, and hands out those that rows ask for.
 * Nothing of SOFA's own router is mounted: neither its webhooks nor a field without a row.
 * @returns the operation of a row; throws at boot for a row whose field the schema lacks
 */
export function operationsOf(schema: GraphQLSchema): (endpoint: FieldEndpoint) => Operation {
  const fields = rootFields(schema)
  const router = useSofa({
    schema,
    basePath: '/',
    routes: Object.fromEntries([...fields.keys()].map((name) => [name, { path: `/${name}` }])),
    context: (call: unknown) => call as object,
    execute: performWith(schema) as typeof execute,
    errorHandler: (errors) => {
      throw causeOf(errors[0])
    },
  })
  const handlers = new Map((router.__routes as unknown as GeneratedRoute[]).map(({ path, handler }) => [path.slice(1), handler]))

  return ({ field: name, engine, path }) => {
    const field = fields.get(name)
    const handler = handlers.get(name)
    if (!field || !handler) throw new Error(`the row ${path} names ${name}, which the schema does not have`)
    // Named and undefined: the generated handler then looks for no argument elsewhere.
    const params = Object.fromEntries(field.args.map((argument) => [argument.name, undefined]))
    const written = holdsShapes(field.type) ? (value: unknown) => unmarkJson(JSON.stringify(value)) : JSON.stringify
    return {
      field,
      async perform(context, args) {
        const call: Call = { context, args, engine, value: undefined }
        await handler({ url: '', body: null, params }, call)
        return { value: call.value, text: written(call.value) }
      },
    }
  }
}

/** `Query.account`, `Mutation.createReport` ... and their definitions. */
function rootFields(schema: GraphQLSchema): Map<string, GraphQLField<unknown, unknown>> {
  const types = [schema.getQueryType(), schema.getMutationType()].filter((type) => type !== null && type !== undefined)
  return new Map(types.flatMap((type) => Object.entries(type.getFields()).map(([name, field]) => [`${type.name}.${name}`, field] as const)))
}

/** Whether an answer of the type can hold a shape, whose text goes in as it stands. */
function holdsShapes(type: GraphQLOutputType, seen = new Set<string>()): boolean {
  const named = getNamedType(type)
  if (named.name === 'GeoJson') return true
  if (!isObjectType(named) || seen.has(named.name)) return false
  seen.add(named.name)
  return Object.values(named.getFields()).some((field) => holdsShapes(field.type, seen))
}

/** Runs a generated document with the call's own arguments, by the engine that suits its rows. */
function performWith(schema: GraphQLSchema) {
  const compiled = new WeakMap<DocumentNode, ReturnType<typeof compile>>()
  const compile = (document: DocumentNode) => {
    const query = compileQuery(schema, document, undefined, COMPILED)
    if (!isCompiledQuery(query)) throw new Error(`a generated document does not compile: ${JSON.stringify(query.errors)}`)
    compiled.set(document, query)
    return query
  }
  const run: Record<Engine, (document: DocumentNode, call: Call) => ExecutionResult | Promise<ExecutionResult>> = {
    jit: (document, { context, args }) => (compiled.get(document) ?? compile(document)).query(undefined, context, args),
    graphql: (document, { context, args }) => execute({ schema, document, contextValue: context, variableValues: args }),
  }

  return async ({ document, contextValue }: ExecutionArgs): Promise<ExecutionResult> => {
    const call = contextValue as Call
    const result = await run[call.engine](document, call)
    if (result.errors) return result
    const [[field, value] = ['', null]] = Object.entries(result.data ?? {})
    call.value = value
    // The generated handler would write the value into a Response, from which it would be read again.
    return { data: { [field]: null } }
  }
}

/** Rows come from our own views, whose types say what a leaf is: what GraphQL's own leaf types would look at again stays as it is. */
const COMPILED = { disableLeafSerialization: true, disablingCapturingStackErrors: true }

/** What the resolver itself threw, under the errors that the engine wrapped around it. */
function causeOf(error: Error): Error {
  const { originalError } = error as GraphQLError
  return originalError ? causeOf(originalError) : error
}
