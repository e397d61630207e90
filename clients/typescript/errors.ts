import type { components } from './contract.d.ts'

type ErrorBody = components['schemas']['Error']

/** A refusal by the service. The fields are those of its error object, or null if the response had none. */
export class WeatherApiError extends Error {
  override readonly name = 'WeatherApiError'
  /** The HTTP status. */
  readonly status: number
  /** Machine-readable reason. */
  readonly code: ErrorBody['code'] | null
  /** For 422: sentences by field or dotted path. */
  readonly errors: ErrorBody['errors']
  readonly required_ability: ErrorBody['required_ability']
  readonly required_plan: ErrorBody['required_plan']
  readonly limit: ErrorBody['limit']
  readonly existing_id: string | null
  /** Seconds to wait before the next request. */
  readonly retry_after: number | null
  /** Quote this id when you report a problem. */
  readonly request_id: string | null
  /** The response body: parsed JSON, or text if it is not JSON. */
  readonly body: unknown

  /**
   * @param text the response body
   * @param reason replaces the message of the response
   */
  constructor({ status, headers }: Response, text: string, reason: string | null = null) {
    const body = parseJson(text)
    const error: Partial<ErrorBody> = isError(body) ? body : {}
    super(reason ?? error.message ?? detailOf(body) ?? statusMessage(status, headers.get('location'), body !== undefined))
    this.status = status
    this.code = error.code ?? null
    this.errors = error.errors ?? null
    this.required_ability = error.required_ability ?? null
    this.required_plan = error.required_plan ?? null
    this.limit = error.limit ?? null
    this.existing_id = error.existing_id ?? null
    this.retry_after = error.retry_after ?? secondsOf(headers.get('retry-after'))
    this.request_id = error.request_id ?? headers.get('x-request-id')
    this.body = body ?? text
  }
}

/** There was no complete response. It is unknown whether the request was carried out. */
export class WeatherConnectionError extends Error {
  override readonly name = 'WeatherConnectionError'
  /** Whether the response had started. */
  readonly answer_began: boolean

  /** @param cause the error that `fetch` threw */
  constructor(url: string, answer_began: boolean, cause: unknown) {
    const { origin } = new URL(url)
    super(answer_began ? `The response of ${origin} was cut off: ${reasonOf(cause)}` : `${origin} cannot be reached: ${reasonOf(cause)}`, {
      cause,
    })
    this.answer_began = answer_began
  }

  /** Short reason, such as ECONNREFUSED. */
  get reason(): string {
    return reasonOf(this.cause)
  }
}

/** The awaited result is not there yet. */
export class WeatherTimeoutError extends Error {
  override readonly name = 'WeatherTimeoutError'
}

/** A post that the service did not sign, that was changed in transit, or that is too old. */
export class WeatherSignatureError extends Error {
  override readonly name = 'WeatherSignatureError'
}

function statusMessage(status: number, location: string | null, is_json: boolean): string {
  if (status < 300) return 'The response is not JSON: is baseUrl the address of the service?'
  if (status < 400) return `The service redirects${location === null ? '' : ` to ${location}`}: use the final URL of the service.`
  return `The service returned ${status}${is_json ? '' : ' with a body that is not JSON'}.`
}

/** Undefined if the text is not JSON; JSON has no undefined. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** What the receiver of a destination's test answered. */
const detailOf = (body: unknown) =>
  typeof body === 'object' && body !== null && 'detail' in body && typeof body.detail === 'string' ? body.detail : null

const isError = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'object' in body && body.object === 'error'

/** Node.js puts the system's error code in the chain of causes; browsers do not provide it. */
function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault)
  if ('code' in fault && typeof fault.code === 'string' && /^E[A-Z]+$/.test(fault.code)) return fault.code
  return fault.cause instanceof Error ? reasonOf(fault.cause) : fault.message
}

/** The seconds of Retry-After. The service never sends a date. */
function secondsOf(header: string | null): number | null {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : null
}
