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
import { stringifyMarked } from '#domain/kernel/exact-json.ts'
import { largestSize } from '#graphql/cost.ts'
import { runInTurn } from '#graphql/large-operations.ts'
import type { FieldEndpoint, Operation } from '#rest/exchange.ts'

type Engine = FieldEndpoint['engine']

/**
 * Lets SOFA generate the document of every root field, and provides the operations of the rows. SOFA itself serves
 * no request: it would bind arguments loosely, and serialise each response twice.
 * @returns the operation of a row; throws at boot if the schema lacks the row's field
 */
export function operationsOf(schema: GraphQLSchema): (endpoint: FieldEndpoint) => Operation {
  const fields = rootFields(schema)
  const documentOf = documentsOf(schema, [...fields.keys()])

  return ({ field: name, engine, path }) => {
    const field = fields.get(name)
    if (!field) throw new Error(`the endpoint ${path} names the field ${name}, which the schema does not have`)
    const toJson = containsShapes(field.type) ? stringifyMarked : JSON.stringify
    const prepare = async () => {
      const document = await documentOf(name)
      return { run: engines[engine](schema, document), kilobytes: largestSize(schema, document) }
    }
    let prepared: { run: Run; kilobytes: number } | undefined
    return {
      field,
      async perform(context, args) {
        prepared ??= await prepare()
        const { data, errors } = await prepared.run(context, args)
        if (errors?.[0]) throw causeOf(errors[0])
        const value = data?.[field.name]
        return { value, text: toJson(value) }
      },
      async inTurn(caller, run, checks) {
        prepared ??= await prepare()
        return runInTurn({ caller }, prepared.kilobytes, run, checks)
      },
    }
  }
}

/** Context of a request to SOFA's router: receives the document that its handler runs. */
interface DocumentRequest {
  take(document: DocumentNode): void
}

/**
 * Gets the document that SOFA generated for a root field from its router: the handler of the field's route passes the document to
 * the given `execute`, which hands it over.
 */
function documentsOf(schema: GraphQLSchema, names: string[]): (name: string) => Promise<DocumentNode> {
  const handOver = async ({ document, contextValue }: ExecutionArgs) => {
    ;(contextValue as DocumentRequest).take(document)
    return { data: null }
  }
  const router = useSofa({
    schema,
    basePath: '/',
    routes: Object.fromEntries(names.map((name) => [name, { method: 'GET', path: `/${name}` }])),
    execute: handOver as typeof execute,
  })
  return (name) =>
    new Promise((resolve, reject) => {
      const missing = () => reject(new Error(`no document was generated for ${name}`))
      Promise.resolve(router.fetch(`http://sofa/${name}`, { take: resolve })).then(missing, reject)
    })
}

/** `Query.account`, `Mutation.createReport` ... and their definitions. */
function rootFields(schema: GraphQLSchema): Map<string, GraphQLField<unknown, unknown>> {
  const types = [schema.getQueryType(), schema.getMutationType()].filter((type) => type !== null && type !== undefined)
  return new Map(types.flatMap((type) => Object.entries(type.getFields()).map(([name, field]) => [`${type.name}.${name}`, field] as const)))
}

/** Whether a result of the type can contain a shape, whose JSON text is inserted unchanged. */
function containsShapes(type: GraphQLOutputType, seen = new Set<string>()): boolean {
  const named = getNamedType(type)
  if (named.name === 'GeoJson') return true
  if (!isObjectType(named) || seen.has(named.name)) return false
  seen.add(named.name)
  return Object.values(named.getFields()).some((field) => containsShapes(field.type, seen))
}

/** Runs a document with arguments already bound. */
type Run = (context: object, args: Record<string, unknown>) => ExecutionResult | Promise<ExecutionResult>

/** The two engines; each row of the table names the one that suits its operation. */
const engines: Record<Engine, (schema: GraphQLSchema, document: DocumentNode) => Run> = {
  jit(schema, document) {
    const compiled = compileQuery(schema, document, undefined, COMPILE_OPTIONS)
    if (!isCompiledQuery(compiled)) throw new Error(`a generated document does not compile: ${JSON.stringify(compiled.errors)}`)
    return (context, args) => compiled.query(undefined, context, args)
  },
  graphql: (schema, document) => (context, args) => execute({ schema, document, contextValue: context, variableValues: args }),
}

/** Values come from our own typed views, so GraphQL's leaf types need not check and serialise them again. */
const COMPILE_OPTIONS = { disableLeafSerialization: true, disablingCapturingStackErrors: true }

/** Returns the error that the resolver threw, without the errors that the engine wrapped around it. */
function causeOf(error: Error): Error {
  const { originalError } = error as GraphQLError
  return originalError ? causeOf(originalError) : error
}
