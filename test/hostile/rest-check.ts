import { refusalStatus } from '#domain/kernel/refusal.ts'
import type { Answer, Request } from './client.ts'
import type { Description } from './description.ts'
import type { RestCase } from './rest-cases.ts'

/** No response takes longer, whatever was sent. */
export const ANSWER_WITHIN_MS = 5_000
/** Failures that are not the client's and that the contract names: a receiver that failed, and a missing browser. */
const NAMED_FAULTS = [502, 503]
const statusOfCode: Record<string, number> = refusalStatus

/** Returns what is wrong with a response to a case; null if nothing is. */
export function objectionTo(
  { kind, operation, forbidden }: RestCase,
  request: Request,
  answer: Answer,
  description: Description,
): string | null {
  const { status, headers, ms } = answer
  if (ms > ANSWER_WITHIN_MS) return `took ${Math.round(ms)} ms`
  if (status >= 500 && !NAMED_FAULTS.includes(status)) return `${status}`
  if (forbidden && status < 300 && status !== 207) return `${status} to a body that its description forbids`
  const media = headers['content-type']
  const body = readBody(answer)
  if (body === NOT_JSON) return 'the body is not the JSON that it says it is'
  const outside = operation === null ? outsideOf(status, media, body, description) : null
  const inside = operation && objectionWithin(description, operation, request, answer, body)
  return outside ?? inside ?? contradiction(answer, body) ?? (kind === 'fit' && status === 401 ? 'a token that holds was refused' : null)
}

function objectionWithin(
  description: Description,
  operation: NonNullable<RestCase['operation']>,
  { method }: Request,
  answer: Answer,
  body: unknown,
) {
  if (method !== 'HEAD') return description.objection(operation, answer.status, answer.headers['content-type'], body)
  if (answer.body.length > 0) return 'an answer to HEAD has a body'
  return String(answer.status) in operation.responses ? null : `${answer.status} is not described`
}

/** A request without an operation is refused: for its path, its method or its token. */
function outsideOf(status: number, media: string | undefined, body: unknown, description: Description): string | null {
  if (status < 400) return `${status} where nothing is`
  return media?.startsWith('application/json') && body !== null ? description.objectionToRefusal(body) : null
}

const NOT_JSON = Symbol('not JSON')

function readBody({ headers, body }: Answer): unknown {
  if (body.length === 0 || !headers['content-type']?.startsWith('application/json')) return null
  try {
    return JSON.parse(body.toString())
  } catch {
    return NOT_JSON
  }
}

interface Refused {
  object: 'error'
  status: number
  code: string
  message: string
  errors: Record<string, string[]> | null
  request_id: string
}

/** A refusal must match its status and headers, name its fields, and reveal nothing about the implementation. */
function contradiction({ status, headers }: Answer, body: unknown): string | null {
  if (!headers['x-request-id']) return 'no X-Request-Id'
  if ((body as Refused | null)?.object !== 'error') return null
  const { code, errors, message, request_id, status: statedStatus } = body as Refused
  if (statedStatus !== status || statusOfCode[code] !== status) return `${code} says ${statedStatus} under ${status}`
  if (request_id !== headers['x-request-id']) return 'the request id of the body is another than the header has'
  if (code === 'validation_failed' && Object.keys(errors ?? {}).length === 0) return 'a 422 that names no field'
  const leaked = [message, ...Object.values(errors ?? {}).flat()].find((sentence) => WITHIN.test(sentence))
  return leaked === undefined ? null : `reports its inside: ${leaked}`
}

/** Words of the libraries and the database, and places in the code. */
export const WITHIN = /prisma|postgres|pg_|node_modules|\bat .+:\d+:\d+|\bundefined\b|\[object |Cannot read/i
