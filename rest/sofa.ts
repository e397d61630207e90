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
import { unmarkJson } from '#domain/kernel/exact-json.ts'
import type { FieldEndpoint, Operation } from '#rest/exchange.ts'

type Engine = FieldEndpoint['engine']

/** Asked of a generated handler, which runs its document by the `execute` that SOFA was given. */
interface Asked {
  document?: DocumentNode
}

interface GeneratedRoute {
  path: string
  handler(request: { url: string; body: null; params: object }, asked: Asked): Promise<unknown>
}

/**
 * Has SOFA write the document of every root field, and hands out the operations of those that rows ask for. Of its
 * handlers nothing is served: they would bind arguments loosely, and write each answer twice.
 * @returns the operation of a row; throws at boot for a row whose field the schema lacks
 */
export function operationsOf(schema: GraphQLSchema): (endpoint: FieldEndpoint) => Operation {
  const fields = rootFields(schema)
  const router = useSofa({
    schema,
    basePath: '/',
    routes: Object.fromEntries([...fields.keys()].map((name) => [name, { path: `/${name}` }])),
    context: (asked: unknown) => asked as object,
    execute: (async ({ document, contextValue }: ExecutionArgs) => {
      ;(contextValue as Asked).document = document
      return { errors: [] }
    }) as unknown as typeof execute,
    errorHandler: () => Response.json(null) as never,
  })
  const handlers = new Map((router.__routes as unknown as GeneratedRoute[]).map(({ path, handler }) => [path.slice(1), handler]))

  return ({ field: name, engine, path }) => {
    const field = fields.get(name)
    const handler = handlers.get(name)
    if (!field || !handler) throw new Error(`the row ${path} names ${name}, which the schema does not have`)
    const written = holdsShapes(field.type) ? (value: unknown) => unmarkJson(JSON.stringify(value)) : JSON.stringify
    let run: Run | undefined
    return {
      field,
      async perform(context, args) {
        run ??= engines[engine](schema, await documentOf(field, handler))
        const { data, errors } = await run(context, args)
        if (errors?.[0]) throw causeOf(errors[0])
        const value = data?.[field.name]
        return { value, text: written(value) }
      },
    }
  }
}

async function documentOf({ name, args }: GraphQLField<unknown, unknown>, handler: GeneratedRoute['handler']): Promise<DocumentNode> {
  const asked: Asked = {}
  // Named and undefined: the generated handler then looks for no argument elsewhere.
  await handler({ url: '', body: null, params: Object.fromEntries(args.map((argument) => [argument.name, undefined])) }, asked)
  if (!asked.document) throw new Error(`no document was generated for ${name}`)
  return asked.document
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

/** Runs a document with arguments already bound. */
type Run = (context: object, args: Record<string, unknown>) => ExecutionResult | Promise<ExecutionResult>

/** The engine that suits an operation's rows. */
const engines: Record<Engine, (schema: GraphQLSchema, document: DocumentNode) => Run> = {
  jit(schema, document) {
    const compiled = compileQuery(schema, document, undefined, COMPILED)
    if (!isCompiledQuery(compiled)) throw new Error(`a generated document does not compile: ${JSON.stringify(compiled.errors)}`)
    return (context, args) => compiled.query(undefined, context, args)
  },
  graphql: (schema, document) => (context, args) => execute({ schema, document, contextValue: context, variableValues: args }),
}

/** Rows come from our own views, whose types say what a leaf is: what GraphQL's own leaf types would look at again stays as it is. */
const COMPILED = { disableLeafSerialization: true, disablingCapturingStackErrors: true }

/** What the resolver itself threw, under the errors that the engine wrapped around it. */
function causeOf(error: Error): Error {
  const { originalError } = error as GraphQLError
  return originalError ? causeOf(originalError) : error
}
