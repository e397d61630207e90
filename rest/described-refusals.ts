import type { JsonSchema } from '#domain/kernel/fields.ts'
import { orNull } from '#domain/kernel/form.ts'
import { planLimits, type RefusalCode, refusalStatus } from '#domain/kernel/refusal.ts'
import { headersNamed, RATE_HEADERS } from '#rest/described-headers.ts'
import type { Examples } from '#rest/examples.ts'
import type { Row } from '#rest/exchange.ts'
import { refTo } from '#rest/json-schemas.ts'

/** What any request may be refused with: a body is judged even where none is taken, and the database may be away. A row adds its own. */
const SHARED: readonly DescribedCode[] = [
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
/** What a request with an Idempotency-Key may be refused with. */
const OF_A_KEY: readonly RefusalCode[] = ['idempotency_key_reused', 'idempotency_in_flight']

type DescribedCode = RefusalCode | 'server_error'
const statusOf = (code: DescribedCode) => (code === 'server_error' ? 500 : refusalStatus[code])

/** The statuses that a row refuses with: those of every row by name, its own with their codes. */
export function refusalsOf({ endpoint: { refuses, replays } }: Row, examples: Examples['refusals']): DescribedResponse[] {
  const own = [...(replays ? OF_A_KEY : []), ...refuses].filter((code) => !SHARED.includes(code))
  const shared = [...new Set(SHARED.map(statusOf))].map(
    (status): DescribedResponse => [String(status), { $ref: `#/components/responses/${refusals[status]?.name}` }],
  )
  const stated = [...new Set(own.map(statusOf))].map((status): DescribedResponse => {
    const codes = own.filter((code) => statusOf(code) === status)
    return [String(status), refusalWith(status, codes, examples)]
  })
  return [...shared, ...stated].sort(([one], [other]) => Number(one) - Number(other))
}

const refusals: Record<number, { name: string; description: string; headers?: string[] }> = {
  400: {
    name: 'MalformedRequest',
    description: 'It is no request of HTTP/1.1, names no Host or two, or its body is in a transfer coding.',
  },
  401: { name: 'Unauthenticated', description: 'The token is missing, unknown, expired or revoked.', headers: ['WWW-Authenticate'] },
  402: {
    name: 'PlanLimit',
    description: 'The plan or the balance does not allow it: `limit` names which, `required_plan` the tier that would.',
  },
  403: { name: 'MissingAbility', description: 'The token lacks `required_ability`.' },
  404: { name: 'NotFound', description: 'There is no such record, or it is another team’s.' },
  409: { name: 'Conflict', description: 'It contradicts what is there or under way: `code` says how.', headers: ['Retry-After'] },
  413: { name: 'PayloadTooLarge', description: 'The body is too large.' },
  415: { name: 'UnsupportedMediaType', description: 'The body is no application/json.' },
  422: {
    name: 'ValidationFailed',
    description: 'Values cannot be used: `errors` names each field at once. Or the body is no JSON object.',
  },
  429: { name: 'RateLimited', description: 'Too many requests.', headers: ['Retry-After', 'X-RateLimit-Reset'] },
  500: { name: 'ServerError', description: 'A fault of the service; quote `request_id`.' },
  503: { name: 'EngineUnavailable', description: 'An engine that is needed is not available now.', headers: ['Retry-After'] },
}

/** `components.responses`: the refusals that every operation shares. */
export function responses(examples: Examples['refusals']): JsonSchema {
  const statuses = [...new Set(SHARED.map(statusOf))]
  const codesOf = (status: number) => SHARED.filter((code) => statusOf(code) === status)
  return Object.fromEntries(statuses.map((status) => [refusals[status]?.name, refusalWith(status, codesOf(status), examples)]))
}

/** The one body of a refusal, with the codes that it may have here. */
function refusalWith(status: number, codes: readonly DescribedCode[], examples: Examples['refusals']): JsonSchema {
  const { description, headers = [] } = refusals[status] as (typeof refusals)[number]
  const schema = {
    allOf: [refTo('Error'), { type: 'object', properties: { code: { type: 'string', enum: [...codes] }, status: { const: status } } }],
  }
  // Whoever has no token in force, or sent nothing that a token could be read from, has no minute of its own.
  const rate = status === 401 || status === 400 ? ['X-Request-Id'] : RATE_HEADERS
  const known = codes.filter((code) => examples[code] !== undefined).map((code) => [code, { value: examples[code] }])
  const content = { 'application/json': { schema, examples: Object.fromEntries(known) } }
  return { description, headers: headersNamed(...rate, ...headers), content }
}

const nullable = (type: string) => ({ type: [type, 'null'] })

/** The one body of every refusal. */
export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'Why a request was refused. All keys are always there.',
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
    code: { type: 'string', enum: [...Object.keys(refusalStatus), 'server_error'], description: 'What is wrong, for programs.' },
    message: { type: 'string', description: 'What is wrong, for people.' },
    errors: {
      type: ['object', 'null'],
      additionalProperties: { type: 'array', minItems: 1, items: { type: 'string' } },
      description: 'Of a 422: field, or dot path, to sentences about it.',
    },
    required_ability: { ...orNull(refTo('Ability')), description: 'Of a 403: the ability that is missing.' },
    required_plan: { ...orNull(refTo('Tier')), description: 'Of a 402: the tier that would do; null where none would.' },
    limit: { ...orNull({ type: 'string', enum: [...planLimits] }), description: 'Of a 402: which limit.' },
    existing_id: { ...nullable('string'), format: 'uuid', description: 'Of a duplicate address: the property that has it.' },
    retry_after: { ...nullable('integer'), description: 'Seconds to wait before asking again.' },
    request_id: { type: 'string', description: 'As in the header X-Request-Id.' },
  },
}

/** A status and what is answered with it. */
export type DescribedResponse = [status: string, response: JsonSchema]
