import type { App } from '#domain/app.ts'
import type { Channel } from '#domain/closed-sets.ts'
import { PostFailure } from '#domain/engines/post.ts'
import { unseal } from '#domain/engines/sealed.ts'
import { withoutAddress } from '#domain/integrations/address.ts'
import type { Attempt } from '#domain/integrations/schedule.ts'
import { signatureHeaders } from '#domain/integrations/signature.ts'
import { inSpan } from '#domain/kernel/trace.ts'

const USER_AGENT = 'weather-report-service/1'

/** The target of a post. */
export interface Target {
  integration_id: string
  channel: Channel
  url_encrypted: Buffer
  secret_encrypted: Buffer | null
}

/** The outcome of an attempt. */
export interface Outcome extends Attempt {
  /** Null if it was delivered. */
  failure: string | null
}

/** Posts one body to a destination's address and returns the outcome, with the first kilobyte of the response, in which parts of the address are hidden. */
export async function post(
  app: App,
  to: Target,
  { delivery_id, event, body }: { delivery_id: string; event: string; body: string },
): Promise<Outcome & { text: string }> {
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': USER_AGENT,
    'X-Service-Event': event,
    'X-Service-Delivery': delivery_id,
  }
  let opened: ReturnType<typeof open>
  try {
    opened = open(app, to, delivery_id, body)
  } catch (fault) {
    return unprepared(app, delivery_id, fault, WRONG_KEY)
  }
  try {
    const answer = await inSpan('post', { kind: 'client' }, async (note) => {
      const answered = await app.poster.post(opened.url, { ...headers, ...opened.signature }, body)
      note({ 'http.response.status_code': answered.status })
      return answered
    })
    const arrived = answer.status >= 200 && answer.status < 300
    const retry_after = answer.headers['retry-after']
    return {
      status: answer.status,
      timed_out: false,
      retry_after: typeof retry_after === 'string' ? retry_after : undefined,
      failure: arrived ? null : `The destination answered ${answer.status}.`,
      text: withoutAddress(answer.text, opened.url),
    }
  } catch (fault) {
    if (!(fault instanceof PostFailure)) return unprepared(app, delivery_id, fault, `it could not be sent (${causeOf(fault)})`)
    return { status: null, timed_out: fault.timed_out, retry_after: undefined, failure: fault.message, text: '' }
  }
}

const WRONG_KEY = "the address or secret cannot be decrypted with this install's key; save the url again and rotate the secret"

/** Returns the address, and the signature headers if the channel is signed. @throws Error if the key is a different one */
function open(app: App, to: Target, delivery_id: string, body: string): { url: string; signature: Record<string, string> } {
  const { channel, integration_id, url_encrypted, secret_encrypted } = to
  const url = unseal(app, url_encrypted, `url ${integration_id}`)
  if (channel !== 'webhook' || !secret_encrypted) return { url, signature: {} }
  const secret = unseal(app, secret_encrypted, `secret ${integration_id}`)
  return { url, signature: signatureHeaders(secret, delivery_id, body, app.clock.now()) }
}

/**
 * Returns the outcome of a fault on our side before the post. It is an outcome like any other: it is retried on the schedule
 * and fails in the end.
 */
export function unprepared(app: Pick<App, 'log'>, delivery_id: string, fault: unknown, why: string): Outcome & { text: string } {
  app.log.error({ delivery_id, err: fault }, 'a post could not be prepared')
  return { status: null, timed_out: false, retry_after: undefined, failure: `The post could not be prepared: ${why}.`, text: '' }
}

/** Errors whose messages the JavaScript engine writes from names in the code. The messages of others can quote data. */
const PLAIN_FAULTS = ['TypeError', 'RangeError', 'ReferenceError']

/** Describes an error in words that contain no data. */
export function causeOf(fault: unknown): string {
  if (!(fault instanceof Error)) return 'an unknown fault'
  const { name, message } = fault
  if ('code' in fault && fault.code !== undefined) return `${name} ${String(fault.code)}`
  return PLAIN_FAULTS.includes(name) ? `${name}: ${message}` : name
}
