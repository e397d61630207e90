import type { JsonSchema } from '#domain/kernel/fields.ts'

/** On every answer to a token that is in force. */
export const RATE_HEADERS = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining']

export function headersNamed(...names: string[]): JsonSchema {
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
