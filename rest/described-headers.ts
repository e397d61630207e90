import type { JsonSchema } from '#domain/kernel/fields.ts'

/** Headers of every response to a valid token. */
export const RATE_HEADERS = ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining']

/** References to headers of `components.headers`, by name. */
export function headersNamed(...names: string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

const header = (description: string, schema: JsonSchema): JsonSchema => ({ description, schema })

/** `components.headers`. */
export const headers: JsonSchema = {
  'X-Request-Id': header('Id of the request, as in an error body.', { type: 'string' }),
  'X-RateLimit-Limit': header('Requests allowed per minute.', { type: 'integer' }),
  'X-RateLimit-Remaining': header('Requests left in this minute.', { type: 'integer' }),
  'X-RateLimit-Reset': header('When the request is allowed again, in Unix seconds.', { type: 'integer' }),
  'Retry-After': header('Seconds to wait before asking again.', { type: 'integer' }),
  'WWW-Authenticate': header('The required authentication scheme.', { type: 'string', const: 'Bearer' }),
  'Idempotent-Replay': header('True for a repeat.', { type: 'string', const: 'true' }),
  ETag: header('Identifies these bytes, for If-None-Match.', { type: 'string' }),
}
