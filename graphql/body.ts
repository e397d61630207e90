import type { FastifyRequest } from 'fastify'
import { codeOf } from '#domain/kernel/fault.ts'
import { Refusal } from '#domain/kernel/refusal.ts'

/** Largest JSON body, in bytes: enough for a batch of 100 rows in the variables. */
export const BODY_LIMIT = 4 * 1024 * 1024
/** A shape in a GeoJSON feature is the most deeply nested input of any operation, and is within this limit. */
const NESTING_MAX = 32

/**
 * Checks the body of a request before anything reads it, and returns its text.
 * @throws Refusal malformed_json
 */
export function checkedBody(bytes: Buffer): string {
  let text: string
  let value: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    value = JSON.parse(text)
  } catch {
    throw malformed('The body is not valid JSON in UTF-8.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed('The body must be a JSON object.')
  checkPart(value, 1)
  return text
}

function checkPart(value: unknown, depth: number): void {
  if (typeof value === 'string') checkText(value)
  if (typeof value !== 'object' || value === null) return
  if (depth > NESTING_MAX) throw malformed(`The body must not be nested deeper than ${NESTING_MAX} levels.`)
  for (const [key, part] of Object.entries(value)) {
    if (key === '__proto__') throw malformed('The body must not have a key named __proto__.')
    checkText(key)
    checkPart(part, depth + 1)
  }
}

/** Refuses characters that no column can store, in the GraphQL document too, which may contain literals. */
function checkText(text: string): void {
  if (text.includes('\u0000') || /\p{Surrogate}/u.test(text)) throw malformed('The body must not hold a NUL character or half a character.')
}

/**
 * Returns the refusal for a body that the HTTP host reads by itself and cannot use, or that its client broke off; null for any other error.
 * @param limit the largest body, in words
 */
export function refusalOfBody(error: unknown, { raw }: Pick<FastifyRequest, 'raw'>, limit: string): Refusal | null {
  // By its code it could be the error of a connection of our own, to the database or the document store.
  if (raw.errored != null && raw.errored === error) return malformed('The body is incomplete.')
  const code = codeOf(error)
  if (!code?.startsWith('FST_ERR_CTP_')) return null
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new Refusal('payload_too_large', `The body must not be larger than ${limit}.`)
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return new Refusal('unsupported_media_type', 'The body must be sent as application/json.')
  return malformed('The body cannot be read.')
}

const malformed = (message: string) => new Refusal('malformed_json', message)
