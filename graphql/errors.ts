import { GraphQLError, Kind } from 'graphql'
import type { Plugin } from 'graphql-yoga'
import type { App } from '#domain/app.ts'
import { detailsOf, faultMessage, Refusal, refusalOf } from '#domain/kernel/refusal.ts'
import { refusalHeaders } from '#domain/kernel/refusal-headers.ts'
import type { Context } from '#graphql/context.ts'

/** What an error says beside its message: the keys of REST's error body, all of them always. */
interface ErrorExtensions {
  code: string
  status: number
  errors: Record<string, string[]> | null
  required_ability: string | null
  required_plan: string | null
  limit: string | null
  existing_id: string | null
  /** Seconds. */
  retry_after: number | null
  request_id: string
}

/** Has every answer show its errors as the client may see them. */
export const showErrors = (app: Pick<App, 'log' | 'metrics'>): Plugin => ({
  onResultProcess({ result, setResult, serverContext }) {
    if (Array.isArray(result) || !('errors' in result) || !result.errors) return
    const { request_id, caller } = serverContext as unknown as Context
    const asked = { request_id, ...('team' in caller && { team_id: caller.team.id }) }
    setResult({ ...result, errors: result.errors.map((error) => clientError(error, asked, app)) })
  },
})

/** The request that an error belongs to. */
interface RequestContext {
  request_id: string
  team_id?: string | undefined
}

/** An error as the client sees it, counted by its code. */
export function clientError(error: unknown, asked: RequestContext, app: Pick<App, 'log' | 'metrics'>): GraphQLError {
  const said = judged(error, asked, app)
  app.metrics.refusals.inc({ code: String(said.extensions.code) })
  return said
}

/**
 * A Refusal speaks, and so does what GraphQL finds wrong with a document or its variables; anything else is a fault of
 * ours, which is logged and says nothing.
 */
function judged(error: unknown, asked: RequestContext, { log }: Pick<App, 'log'>): GraphQLError {
  const { request_id } = asked
  const cause = causeOf(error)
  if (cause instanceof Refusal) return shown(error, cause.message, refusalExtensions(cause, request_id), httpOf(cause, error))
  const away = refusalOf(cause)
  if (away) {
    log.warn({ err: cause, ...asked }, 'an engine is away')
    return shown(error, away.message, refusalExtensions(away, request_id), refusedWhole(away))
  }
  if (isFaultOfDocument(error)) return shown(error, messageOf(error), documentExtensions(error, request_id), { status: 400, spec: true })
  log.error({ err: cause, ...asked }, 'a GraphQL operation failed')
  return shown(error, faultMessage(request_id), faultExtensions(request_id))
}

/** What was thrown, under the errors that execution wrapped around it. */
function causeOf(error: unknown): unknown {
  return error instanceof GraphQLError && error.originalError ? causeOf(error.originalError) : error
}

/**
 * True of what parsing, validation and coercion find: it points at a part of the document that is no field, or has neither
 * a place in the answer nor a cause of its own. What a scalar throws at a value that it cannot be is the cause of such an error.
 */
function isFaultOfDocument(error: unknown): error is GraphQLError {
  if (!(error instanceof GraphQLError)) return false
  const nodes = error.nodes ?? []
  if (error.path) return nodes.some(({ kind }) => kind !== Kind.FIELD)
  return !error.originalError || nodes.length > 0
}

/** The variable or argument that cannot be what was sent for it. */
function fieldOf({ nodes }: GraphQLError): string | undefined {
  const [node] = nodes ?? []
  if (node?.kind === Kind.VARIABLE_DEFINITION) return node.variable.name.value
  return node?.kind === Kind.ARGUMENT ? node.name.value : undefined
}

/** The limits of the guard are no errors of syntax. */
function messageOf({ message }: GraphQLError): string {
  return message.replace(/^Syntax Error: (?=.*limit of \d+ exceeded)/, '')
}

interface Http {
  status: number
  /** Only where the client asked for application/graphql-response+json; else the status is 200. */
  spec?: boolean
  headers?: Record<string, string>
}

/** The rate limit and the faults of arguments refuse a whole request; what refuses a field leaves the others their answers. */
function httpOf(refusal: Refusal, error: unknown): Http | undefined {
  if (refusal.code === 'rate_limited') return refusedWhole(refusal)
  return error instanceof GraphQLError && !error.path ? { status: 400, spec: true } : undefined
}

const refusedWhole = (refusal: Refusal): Http => ({ status: refusal.status, headers: refusalHeaders(refusal) })

function shown(error: unknown, message: string, extensions: ErrorExtensions, http?: Http): GraphQLError {
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
  const field = fieldOf(error)
  return {
    code: 'validation_failed',
    status: 422,
    ...detailsOf(field === undefined ? {} : { errors: { [field]: [messageOf(error)] } }),
    request_id,
  }
}
const faultExtensions = (request_id: string): ErrorExtensions => ({ code: 'server_error', status: 500, ...detailsOf({}), request_id })
