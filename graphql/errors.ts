import { type ExecutionResult, GraphQLError, Kind } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { App } from '#domain/app.ts'
import { detailsOf, type ErrorDetails, faultMessage, Refusal, refusalOf } from '#domain/kernel/refusal.ts'
import { refusalHeaders } from '#domain/kernel/refusal-headers.ts'
import { isOneOf } from '#domain/kernel/validation.ts'
import type { Context } from '#graphql/context.ts'

/** Extensions of an error: all keys of REST's error body, always present. */
interface ErrorExtensions extends ErrorDetails {
  code: string
  status: number
  request_id: string
}

/** Replaces the errors of every response with what the client may see. */
export const maskErrors = (app: Pick<App, 'log' | 'metrics'>): Plugin => ({
  onResultProcess({ result, setResult, serverContext }) {
    if (Array.isArray(result) || !('errors' in result) || !result.errors) return
    const { request_id, caller } = serverContext as unknown as Context
    const context = { request_id, ...('team' in caller && { team_id: caller.team.id }) }
    const errors = result.errors.map((error) => clientError(error, context, app))
    setResult({ ...result, errors: hasValue(result) ? errors.map(withoutStatus) : errors })
  },
})

/** Whether a root field has a value: a mutation took effect, so the request as a whole was not refused. */
const hasValue = ({ data }: ExecutionResult) => Object.values(data ?? {}).some((value) => value !== null)

/** Leaves the status of the response at 200: after a 429 or 503, clients send the whole document again. */
function withoutStatus({ message, nodes, source, positions, path, extensions: { http: _, ...extensions } }: GraphQLError): GraphQLError {
  return new GraphQLError(message, { nodes: nodes ?? null, source, positions, path, extensions })
}

/** The request that an error belongs to. */
interface RequestContext {
  request_id: string
  team_id?: string | undefined
}

/** Returns an error as the client sees it, and counts it by its code. */
function clientError(error: unknown, context: RequestContext, app: Pick<App, 'log' | 'metrics'>): GraphQLError {
  const masked = maskError(error, context, app)
  app.metrics.refusals.inc({ code: String(masked.extensions.code) })
  return masked
}

/**
 * Shows the message of a Refusal, and of GraphQL's faults in a document or its variables. Any other error is our own
 * fault: it is logged, and the client sees no details.
 */
export function maskError(error: unknown, context: RequestContext, { log }: Pick<App, 'log'>): GraphQLError {
  const { request_id } = context
  const cause = causeOf(error)
  if (cause instanceof Refusal) return buildError(error, cause.message, refusalExtensions(cause, request_id), httpOf(cause, error))
  const unavailable = refusalOf(cause)
  if (unavailable) {
    log.warn({ err: cause, ...context }, 'an engine is unavailable')
    return buildError(error, unavailable.message, refusalExtensions(unavailable, request_id), httpOfRefusal(unavailable))
  }
  if (isDocumentError(error)) return buildError(error, messageOf(error), documentExtensions(error, request_id), { status: 400, spec: true })
  log.error({ err: cause, ...context }, 'a GraphQL operation failed')
  return buildError(error, faultMessage(request_id), serverErrorExtensions(request_id))
}

/** Returns the thrown error, without the errors that execution wrapped around it. */
function causeOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? causeOf(error.originalError) : error
}

/**
 * True for errors of parsing, validation and coercion. Such an error points at a part of the document that is not a field,
 * or it has neither a path nor a cause. When a scalar rejects a value, the error that it throws is the cause of such an error.
 */
function isDocumentError(error: unknown): error is GraphQLError {
  if (!(error instanceof GraphQLError)) return false
  const nodes = error.nodes ?? []
  if (error.path) return nodes.some(({ kind }) => kind !== Kind.FIELD)
  return !error.originalError || nodes.length > 0
}

/** Returns the name of the variable or argument with the invalid value. */
function inputNameOf({ nodes }: GraphQLError): string | undefined {
  const [node] = nodes ?? []
  if (node?.kind === Kind.VARIABLE_DEFINITION) return node.variable.name.value
  return node?.kind === Kind.ARGUMENT ? node.name.value : undefined
}

/** Drops "Syntax Error:" from the guard's limits: they are not syntax errors. */
function messageOf({ message }: GraphQLError): string {
  return message.replace(/^Syntax Error: (?=.*limit of \d+ exceeded)/, '')
}

interface Http {
  status: number
  /** The status applies only if the client accepts application/graphql-response+json; otherwise it is 200. */
  spec?: boolean
  headers?: Record<string, string>
}

/**
 * The rate limit, an unavailable engine and argument faults refuse a whole request, unless another field has a value. If one field is
 * refused for another reason, the other fields keep their results. A caller who is no longer admitted after waiting is refused as before it.
 */
function httpOf(refusal: Refusal, error: unknown): Http | undefined {
  if (refusal.code === 'rate_limited') return httpOfRefusal(refusal)
  if (!(error instanceof GraphQLError) || error.path) return undefined
  return isOneOf(NOT_ADMITTED, refusal.code) ? httpOfRefusal(refusal) : { status: 400, spec: true }
}

/** Codes of a caller who is not admitted. */
const NOT_ADMITTED = ['unauthenticated', 'plan_limit']

const httpOfRefusal = (refusal: Refusal): Http => ({ status: refusal.status, headers: refusalHeaders(refusal) })

function buildError(error: unknown, message: string, extensions: ErrorExtensions, http?: Http): GraphQLError {
  const { nodes, source, positions, path } = error instanceof GraphQLError ? error : ({} as Partial<GraphQLError>)
  return new GraphQLError(message, { nodes: nodes ?? null, source, positions, path, extensions: { ...extensions, ...(http && { http }) } })
}

const refusalExtensions = ({ code, status, details }: Refusal, request_id: string): ErrorExtensions => ({
  code,
  status,
  ...detailsOf(details),
  request_id,
})
const documentExtensions = (error: GraphQLError, request_id: string): ErrorExtensions => {
  const inputName = inputNameOf(error)
  return {
    code: 'validation_failed',
    status: 422,
    ...detailsOf(inputName === undefined ? {} : { errors: { [inputName]: [messageOf(error)] } }),
    request_id,
  }
}
const serverErrorExtensions = (request_id: string): ErrorExtensions => ({ code: 'server_error', status: 500, ...detailsOf({}), request_id })
