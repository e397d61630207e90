import type { webhooks } from './contract.d.ts'
import { WeatherSignatureError } from './errors.ts'
import type { Schemas } from './operations.ts'

type EventPost = { [Event in keyof webhooks]: webhooks[Event]['post']['requestBody']['content']['application/json'] }[keyof webhooks]

/** What the test of a destination posts: the keys of every post, and no data. It is no event, so the OpenAPI document does not list it. */
export type TestPost = Omit<Schemas['AlertPayload'], 'kind' | 'object' | 'event' | 'data' | 'escalation'> & {
  kind: 'test'
  object: 'test'
  event: 'test'
  data: []
}

/** The payload of a post, by its `event`. */
export type Post = EventPost | TestPost

/** Headers in the form of the Fetch API, or by name as in Node.js. */
export type PostHeaders = Pick<Headers, 'get'> | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** Current time in Unix milliseconds; by default the clock's. */
  now?: number
  /** Largest accepted difference between the post's time and now, in seconds. */
  toleranceSeconds?: number
}

/** The tolerance that the service states. */
const TOLERANCE_SECONDS = 300
const PREFIX = 'whsec_'

/**
 * Verifies that the service signed a post recently, by Standard Webhooks (standardwebhooks.com), and parses it.
 * @param body the bytes as received, not parsed and serialised again
 * @param secret of the destination; during a rotation, the new and the old one
 * @throws WeatherSignatureError otherwise; TypeError if it is not verified and a secret is missing or malformed
 */
export async function verifyPost(
  headers: PostHeaders,
  body: string | Uint8Array,
  secret: string | readonly string[],
  { now = Date.now(), toleranceSeconds = TOLERANCE_SECONDS }: VerifyOptions = {},
): Promise<Post> {
  const [id, seconds, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headerOf(headers, name))
  if (!id || !seconds || !signatures) throw new WeatherSignatureError('The post has no Standard Webhooks signature.')
  if (!/^\d{1,12}$/.test(seconds) || Math.abs(now / 1000 - Number(seconds)) > toleranceSeconds)
    throw new WeatherSignatureError('The timestamp of the post is too far from the current time.')
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = concatBytes(new TextEncoder().encode(`${id}.${seconds}.`), bytes)
  const keys = [secret].flat().map(keyOf)
  for (const key of keys)
    for (const signature of signatures.split(' '))
      if (key && (await isSignature(signature, key, signed))) return JSON.parse(new TextDecoder().decode(bytes))
  if (keys.includes(null)) throw new TypeError(`A signing secret is missing, or is not ${PREFIX} and base64: check the setting.`)
  throw new WeatherSignatureError('The signature does not match the body and the secret.')
}

/** The bytes of a secret; null if it is missing, as in an environment without the setting, or malformed. */
function keyOf(secret: string | undefined): Uint8Array<ArrayBuffer> | null {
  const bytes = secret?.startsWith(PREFIX) ? fromBase64(secret.slice(PREFIX.length)) : null
  return bytes?.length ? bytes : null
}

/** The platform compares in constant time. */
async function isSignature(signature: string, bytes: Uint8Array<ArrayBuffer>, signed: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const [version, text = ''] = signature.split(',')
  const claimed = fromBase64(text)
  if (version !== 'v1' || !claimed) return false
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  return crypto.subtle.verify('HMAC', key, claimed, signed)
}

/** Decodes either base64 alphabet; null for invalid text. */
function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}

function concatBytes(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(head.length + tail.length)
  all.set(head)
  all.set(tail, head.length)
  return all
}

function headerOf(headers: PostHeaders, name: string): string | undefined {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? []
  // Some gateways put each header in a list. Of two values, neither is certain to be the service's.
  const [only, ...others] = [value].flat()
  return others.length === 0 ? only : undefined
}
