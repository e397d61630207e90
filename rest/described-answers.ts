import type { Envelope } from '#rest/endpoints.ts'
import type { Row } from '#rest/exchange.ts'
import { bareSchemaOf, type JsonSchema, refTo } from '#rest/json-schemas.ts'

/** Every status that a row answers with, its body and headers. */
export function responsesOf(row: Row): JsonSchema {
  return Object.fromEntries([...successesOf(row), ...refusalsOf(row)])
}

type Response = [status: string, response: JsonSchema]

function successesOf(row: Row): Response[] {
  const { method, status, also, replays, as } = row.endpoint
  const content = contentOf(row)
  const success = (code: number, description: string, more: string[] = []): Response => [
    String(code),
    {
      description,
      headers: headersNamed('X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', ...more),
      ...(as !== 'empty' && { content }),
    },
  ]
  const answers: Response[] = []
  if (typeof status === 'number') answers.push(success(status, meanings[status] ?? '', method === 'GET' ? ['ETag'] : []))
  else if ('all' in status)
    answers.push(success(status.all, 'Every row went well.'), success(207, 'Rows ended differently; each answers for itself.'))
  else
    answers.push(
      success(200, 'Delivered.'),
      success(status.undelivered, 'The receiver refused or failed; the detail says what it answered.'),
    )
  if (replays)
    answers.push(
      success(200, 'A repeat of an earlier request: nothing was done, and this is the record as it stands.', ['Idempotent-Replay']),
    )
  if (method === 'GET')
    answers.push(['304', { description: 'The client holds this answer already.', headers: headersNamed('X-Request-Id', 'ETag') }])
  // The one success of another shape: a document still being rendered.
  for (const code of also) {
    answers.push([
      String(code),
      {
        description: 'Still being rendered.',
        headers: headersNamed('X-Request-Id', 'Retry-After'),
        content: jsonContent(refTo('PdfPreparing')),
      },
    ])
  }
  return answers
}

const meanings: Record<number, string> = { 200: 'As asked.', 201: 'Created.', 202: 'Accepted.', 204: 'Done; no body.' }

function contentOf({ endpoint, operation }: Row): JsonSchema {
  if ('by' in endpoint && endpoint.media) return { [endpoint.media]: { schema: { type: 'string', format: 'binary' } } }
  const value = 'by' in endpoint ? endpoint.answers : operation ? bareSchemaOf(operation.field.type) : {}
  return jsonContent(enveloped[endpoint.as](value))
}

const jsonContent = (schema: JsonSchema) => ({ 'application/json': { schema } })

const enveloped: Record<Envelope, (value: JsonSchema) => JsonSchema> = {
  data: (data) => ({ type: 'object', required: ['data'], properties: { data } }),
  bare: (value) => value,
  page: (value) => value,
  list: (value) =>
    value.type === 'array'
      ? { type: 'object', required: ['object', 'data'], properties: { object: { type: 'string', const: 'list' }, data: value } }
      : value,
  empty: (value) => value,
  bytes: (value) => value,
}

/** What any request may be refused with, for a body is judged even where none is taken; a row adds its own. */
const SHARED = [401, 402, 403, 404, 413, 415, 422, 429, 500]

function refusalsOf({ endpoint: { refuses } }: Row): Response[] {
  const codes = [...new Set([...SHARED, ...refuses])].sort()
  return codes.filter((code) => code in refusals).map((code) => [String(code), { $ref: `#/components/responses/${refusals[code]?.name}` }])
}

const refusals: Record<number, { name: string; description: string; headers?: string[] }> = {
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
  422: { name: 'ValidationFailed', description: 'A value cannot be used: `errors` names each field. Or the body is no JSON object.' },
  429: {
    name: 'RateLimited',
    description: 'Too many requests.',
    headers: ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'],
  },
  500: { name: 'ServerError', description: 'A fault of the service; quote `request_id`.' },
  503: { name: 'EngineUnavailable', description: 'An engine that is needed is not available now.', headers: ['Retry-After'] },
}

/** `components.responses`: the refusals, all of one body. */
export const responses: JsonSchema = Object.fromEntries(
  Object.values(refusals).map(({ name, description, headers: more = [] }) => [
    name,
    { description, headers: headersNamed('X-Request-Id', ...more), content: jsonContent(refTo('Error')) },
  ]),
)

function headersNamed(...names: string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

const header = (description: string, schema: JsonSchema): JsonSchema => ({ description, schema })

/** `components.headers`. */
export const headers: JsonSchema = {
  'X-Request-Id': header('The request’s id, as in an error body.', { type: 'string' }),
  'X-RateLimit-Limit': header('Requests a minute.', { type: 'integer' }),
  'X-RateLimit-Remaining': header('Requests left in this minute.', { type: 'integer' }),
  'X-RateLimit-Reset': header('When there is room again, in seconds since 1970.', { type: 'integer' }),
  'Retry-After': header('Seconds to wait before asking again.', { type: 'integer' }),
  'WWW-Authenticate': header('The scheme that is wanted.', { type: 'string', const: 'Bearer' }),
  'Idempotent-Replay': header('True on a repeat.', { type: 'string', const: 'true' }),
  ETag: header('Names these bytes, for If-None-Match.', { type: 'string' }),
}
