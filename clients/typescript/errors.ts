import type { components } from './contract.d.ts'

type ErrorBody = components['schemas']['Error']

/** The service refused: every field is that of its error object, and null where what answered sent none. */
export class WeatherApiError extends Error {
  override readonly name = 'WeatherApiError'
  /** The HTTP status. */
  readonly status: number
  /** What is wrong, for programs. */
  readonly code: ErrorBody['code'] | null
  /** Of a 422: field, or dot path, to sentences about it. */
  readonly errors: ErrorBody['errors']
  readonly required_ability: ErrorBody['required_ability']
  readonly required_plan: ErrorBody['required_plan']
  readonly limit: ErrorBody['limit']
  readonly existing_id: string | null
  /** Seconds to wait before asking again. */
  readonly retry_after: number | null
  /** To be quoted when asking about it. */
  readonly request_id: string | null
  /** What was answered: JSON as it was read, or text that is no JSON. */
  readonly body: unknown

  /** @param text the body of the answer */
  constructor({ status, headers }: Response, text: string) {
    const body = parsed(text)
    const error: Partial<ErrorBody> = isError(body) ? body : {}
    super(error.message ?? unexplained(status, headers.get('location'), body !== undefined))
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

/** No answer came, or not the whole of one: whether the request was carried out is not known. */
export class WeatherConnectionError extends Error {
  override readonly name = 'WeatherConnectionError'
  /** Whether the answer had begun. */
  readonly answer_began: boolean

  /** @param cause what `fetch` threw */
  constructor(url: string, answer_began: boolean, cause: unknown) {
    const { origin } = new URL(url)
    super(answer_began ? `The answer of ${origin} broke off: ${reasonOf(cause)}` : `${origin} cannot be reached: ${reasonOf(cause)}`, {
      cause,
    })
    this.answer_began = answer_began
  }

  /** In a word or two, such as ECONNREFUSED. */
  get reason(): string {
    return reasonOf(this.cause)
  }
}

/** What was waited for is not there yet. */
export class WeatherTimeoutError extends Error {
  override readonly name = 'WeatherTimeoutError'
}

/** A post that the service did not sign, that was changed on its way, or that is too old. */
export class WeatherSignatureError extends Error {
  override readonly name = 'WeatherSignatureError'
}

function unexplained(status: number, location: string | null, is_json: boolean): string {
  if (status < 400)
    return `The service answered with a redirect${location === null ? '' : ` to ${location}`}: use the address it has itself.`
  return `The service answered ${status}${is_json ? '' : ' with something that is not JSON'}.`
}

/** Undefined for what is no JSON, which has no such value. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isError = (body: unknown): body is ErrorBody =>
  typeof body === 'object' && body !== null && 'object' in body && body.object === 'error'

/** Node.js hides the system's code in causes; browsers do not say. */
function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault)
  if ('code' in fault && typeof fault.code === 'string' && /^E[A-Z]+$/.test(fault.code)) return fault.code
  return fault.cause instanceof Error ? reasonOf(fault.cause) : fault.message
}

/** The seconds of a Retry-After, which the service never sends as a date. */
function secondsOf(header: string | null): number | null {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : null
}
