import type { JsonSchema } from '#domain/kernel/fields.ts'
import { orNull } from '#domain/kernel/form.ts'
import { planLimits, type RefusalCode, refusalStatus } from '#domain/kernel/refusal.ts'
import { headersNamed, RATE_HEADERS } from '#rest/described-headers.ts'
import type { Examples } from '#rest/examples.ts'
import type { Row } from '#rest/exchange.ts'
import { refTo } from '#rest/json-schemas.ts'

/** Refusals that any request may get: a body is checked even if none is accepted, and the database may be unavailable. Endpoints add their own. */
const SHARED_CODES: readonly DescribedCode[] = [
  'malformed_request',
  'unauthenticated',
  'plan_limit',
  'missing_ability',
  'not_found',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
  'malformed_json',
  'rate_limited',
  'server_error',
  'engine_unavailable',
]
/** Refusals that a request with an Idempotency-Key may get. */
const IDEMPOTENCY_REFUSALS: readonly RefusalCode[] = ['idempotency_key_reused', 'idempotency_in_flight']

type DescribedCode = RefusalCode | 'server_error'
const statusOf = (code: DescribedCode) => (code === 'server_error' ? 500 : refusalStatus[code])

/** Error statuses of an endpoint: the shared ones by reference, its own with their codes. */
export function refusalsOf({ endpoint: { refuses, replays } }: Row, examples: Examples['refusals']): DescribedResponse[] {
  const own = [...(replays ? IDEMPOTENCY_REFUSALS : []), ...refuses].filter((code) => !SHARED_CODES.includes(code))
  const shared = [...new Set(SHARED_CODES.map(statusOf))].map(
    (status): DescribedResponse => [String(status), { $ref: `#/components/responses/${refusalByStatus[status]?.name}` }],
  )
  const ownResponses = [...new Set(own.map(statusOf))].map((status): DescribedResponse => {
    const codes = own.filter((code) => statusOf(code) === status)
    return [String(status), refusalWith(status, codes, examples)]
  })
  return [...shared, ...ownResponses].sort(([one], [other]) => Number(one) - Number(other))
}

const refusalByStatus: Record<number, { name: string; description: string; headers?: string[] }> = {
  400: {
    name: 'MalformedRequest',
    description: 'The request is not valid HTTP/1.1, has no Host or more than one, or its body has an unsupported transfer coding.',
  },
  401: { name: 'Unauthenticated', description: 'The token is missing, unknown, expired or revoked.', headers: ['WWW-Authenticate'] },
  402: {
    name: 'PlanLimit',
    description: 'The plan or the balance does not allow it: `limit` names the limit, `required_plan` the tier that would allow it.',
  },
  403: { name: 'MissingAbility', description: 'The token lacks `required_ability`.' },
  404: { name: 'NotFound', description: 'The record does not exist, or belongs to another team.' },
  409: {
    name: 'Conflict',
    description: 'The request conflicts with the current state or with a request in progress: `code` states how.',
    headers: ['Retry-After'],
  },
  413: { name: 'PayloadTooLarge', description: 'The body is too large.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is not application/json.' },
  422: {
    name: 'ValidationFailed',
    description: 'Values are invalid: `errors` lists every faulty field. Or the body is not a JSON object.',
  },
  429: { name: 'RateLimited', description: 'Too many requests.', headers: ['Retry-After', 'X-RateLimit-Reset'] },
  500: { name: 'ServerError', description: 'A fault of the service. Quote `request_id` when you report it.' },
  503: { name: 'EngineUnavailable', description: 'A required component is currently unavailable.', headers: ['Retry-After'] },
}

/** `components.responses`: the refusals that every operation shares. */
export function sharedResponses(examples: Examples['refusals']): JsonSchema {
  const statuses = [...new Set(SHARED_CODES.map(statusOf))]
  const codesOf = (status: number) => SHARED_CODES.filter((code) => statusOf(code) === status)
  return Object.fromEntries(statuses.map((status) => [refusalByStatus[status]?.name, refusalWith(status, codesOf(status), examples)]))
}

/** The error body, with the codes that it may have here. */
function refusalWith(status: number, codes: readonly DescribedCode[], examples: Examples['refusals']): JsonSchema {
  const { description, headers = [] } = refusalByStatus[status] as (typeof refusalByStatus)[number]
  const schema = {
    allOf: [refTo('Error'), { type: 'object', properties: { code: { type: 'string', enum: [...codes] }, status: { const: status } } }],
  }
  // A caller without a valid token has no rate limit of its own.
  const headerNames = status === 401 || status === 400 ? ['X-Request-Id'] : RATE_HEADERS
  const exampleEntries = codes.filter((code) => examples[code] !== undefined).map((code) => [code, { value: examples[code] }])
  const content = { 'application/json': { schema, examples: Object.fromEntries(exampleEntries) } }
  return { description, headers: headersNamed(...headerNames, ...headers), content }
}

const nullable = (type: string) => ({ type: [type, 'null'] })

/** The error body. */
export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'Why a request was refused. All keys are always present.',
  required: [
    'object',
    'status',
    'code',
    'message',
    'errors',
    'required_ability',
    'required_plan',
    'limit',
    'existing_id',
    'retry_after',
    'request_id',
  ],
  properties: {
    object: { type: 'string', const: 'error' },
    status: { type: 'integer', enum: [...new Set([...Object.values(refusalStatus), 500])].sort(), description: 'The HTTP status.' },
    code: { type: 'string', enum: [...Object.keys(refusalStatus), 'server_error'], description: 'Machine-readable reason.' },
    message: { type: 'string', description: 'Human-readable reason.' },
    errors: {
      type: ['object', 'null'],
      additionalProperties: { type: 'array', minItems: 1, items: { type: 'string' } },
      description: 'For 422: sentences by field or dotted path.',
    },
    required_ability: { ...orNull(refTo('Ability')), description: 'For 403: the missing ability.' },
    required_plan: { ...orNull(refTo('Tier')), description: 'For 402: the tier that would allow the request; null if none would.' },
    limit: { ...orNull({ type: 'string', enum: [...planLimits] }), description: 'For 402: the limit that was reached.' },
    existing_id: { ...nullable('string'), format: 'uuid', description: 'For a duplicate address: the property that has it.' },
    retry_after: { ...nullable('integer'), description: 'Seconds to wait before asking again.' },
    request_id: { type: 'string', description: 'The request id, as in the header X-Request-Id.' },
  },
}

/** A status and its response. */
export type DescribedResponse = [status: string, response: JsonSchema]
