import { lookup as systemLookup } from 'node:dns'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { Agent, interceptors, request } from 'undici'
import { metadataObjection } from '#domain/engines/guard.ts'
import { guardedConnector, type Lookup } from '#domain/engines/guarded-connector.ts'
import type { Config } from '#domain/kernel/config.ts'

/** Reads from URLs that the operator chose: feeds, archives, geocoders. Metadata services are refused, also after a redirect. */
export interface Http {
  /**
   * Reads a whole response into memory, with up to `retries` retries.
   * A response of any status counts as a response.
   * @throws HttpFailure if there is none.
   */
  get(url: string, options?: GetOptions): Promise<HttpAnswer>
  /**
   * As get, but returns the body as a stream: the caller reads it to its end or destroys it.
   * Retries stop once the headers arrive; a body that is cut short, late or too large fails with an HttpFailure.
   */
  open(url: string, options?: GetOptions): Promise<HttpStream>
  /** As get, with a request body; for services that the operator configured. */
  post(url: string, body: Buffer, options?: GetOptions): Promise<HttpAnswer>
  close(): Promise<void>
}

export interface GetOptions {
  headers?: Record<string, string>
  /** For the whole call, retries and body included. */
  timeout_ms?: number
  max_bytes?: number
  /** Further attempts after a failure, or after a status that may be temporary. */
  retries?: number
  /** Validators of an earlier response: if nothing changed, the response is a 304 without a body. */
  validators?: Validators
}

export interface Validators {
  etag: string | null
  last_modified: string | null
}

export interface HttpHead {
  status: number
  /** Names in lower case. */
  headers: Record<string, string>
  /** For the next conditional request. */
  validators: Validators
}

export interface HttpAnswer extends HttpHead {
  body: Buffer
}

export interface HttpStream extends HttpHead {
  body: Readable
}

/** A request without a usable response. The message names only the host: a path may contain a key. */
export class HttpFailure extends Error {
  constructor(
    message: string,
    readonly reason: 'timed_out' | 'too_large' | 'unreachable' | 'forbidden',
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.name = 'HttpFailure'
  }
}

/** Defaults for a page of a feed, which is small; yearly files have their own limits. */
const TIMEOUT_MS = 30_000
const MAX_BYTES = 16 * 1024 * 1024
const CONNECT_MS = 10_000
/** Sockets to one host: agencies ask clients to use few. */
const SOCKETS_PER_ORIGIN = 6
const REDIRECTS_MAX = 3
/** The first pause; each further one doubles, and half of each is random so that installs do not retry at the same moment. */
const PAUSE_MS = 500
const PAUSE_MAX_MS = 30_000
/** Temporary statuses: timeout, too early, too many requests, or a server error. */
const TEMPORARY_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504])

/** @param pause_ms, lookup replaced in tests. */
export function openHttp(config: Pick<Config, 'contact'>, pause_ms = PAUSE_MS, lookup: Lookup = systemLookup): Http {
  const connect = guardedConnector({ objection: metadataObjection, refuse: forbidden, lookup, timeout_ms: CONNECT_MS })
  const agent = new Agent({ connections: SOCKETS_PER_ORIGIN, connect })
  const dispatcher = agent.compose(interceptors.redirect({ maxRedirections: REDIRECTS_MAX }))
  const userAgent = `weather-report-service/1.0${config.contact ? ` (${config.contact})` : ''}`

  async function sendOnce(url: string, options: GetOptions, signal: AbortSignal, requestBody?: Buffer): Promise<HttpStream> {
    const { statusCode, headers, body } = await request(url, {
      dispatcher,
      signal,
      ...(requestBody && { method: 'POST' as const, body: requestBody }),
      headers: { 'user-agent': userAgent, ...conditions(options.validators), ...options.headers },
    })
    const flat = flatten(headers)
    const head = {
      status: statusCode,
      headers: flat,
      validators: { etag: flat.etag ?? null, last_modified: flat['last-modified'] ?? null },
    }
    return { ...head, body: limitBody(body, url, options.max_bytes ?? MAX_BYTES, Number(flat['content-length'] ?? 0), signal) }
  }

  const readBody = async ({ body, ...head }: HttpStream): Promise<HttpAnswer> => {
    const chunks: Buffer[] = []
    for await (const chunk of body) chunks.push(chunk)
    return { ...head, body: Buffer.concat(chunks) }
  }

  return {
    get: (url, options = {}) => withRetries(url, options, pause_ms, async (signal) => readBody(await sendOnce(url, options, signal))),
    post: (url, body, options = {}) =>
      withRetries(url, options, pause_ms, async (signal) => readBody(await sendOnce(url, options, signal, body))),
    open: (url, options = {}) => withRetries(url, options, pause_ms, (signal) => sendOnce(url, options, signal), discard),
    close: () => agent.destroy(),
  }
}

/** Runs attempts until one responds, all within one deadline. A response that leads to a retry is discarded. */
async function withRetries<Answer extends HttpHead>(
  url: string,
  { timeout_ms = TIMEOUT_MS, retries = 0 }: GetOptions,
  pause_ms: number,
  attempt: (signal: AbortSignal) => Promise<Answer>,
  discardAnswer: (answer: Answer) => void = () => {},
): Promise<Answer> {
  const signal = AbortSignal.timeout(timeout_ms)
  const deadline = Date.now() + timeout_ms
  for (let retry = 0; ; retry++) {
    const backoff = Math.min(PAUSE_MAX_MS, pause_ms * 2 ** retry) * (0.5 + Math.random() / 2)
    try {
      const answer = await attempt(signal)
      const delay = Math.max(backoff, retryAfter(answer.headers['retry-after']))
      if (!TEMPORARY_STATUSES.has(answer.status) || retry >= retries || Date.now() + delay >= deadline) return answer
      discardAnswer(answer)
      await pause(delay, undefined, { signal })
    } catch (fault) {
      const failure = failureOf(fault, url, signal)
      if (failure.reason !== 'unreachable' || retry >= retries || Date.now() + backoff >= deadline) throw failure
      await pause(backoff)
    }
  }
}

function discard({ body }: HttpStream): void {
  body.on('error', () => {})
  body.destroy()
}

function conditions(validators: Validators | undefined): Record<string, string> {
  return {
    ...(validators?.etag ? { 'if-none-match': validators.etag } : {}),
    ...(validators?.last_modified ? { 'if-modified-since': validators.last_modified } : {}),
  }
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  )
}

/** Wraps the body so that it fails if it is longer than allowed, cut short or late. */
function limitBody(body: Readable, url: string, max_bytes: number, announced: number, signal: AbortSignal): Readable {
  async function* read() {
    let bytes = 0
    if (announced > max_bytes) throw tooLarge(url, max_bytes)
    try {
      for await (const chunk of body) {
        bytes += chunk.length
        if (bytes > max_bytes) throw tooLarge(url, max_bytes)
        yield chunk
      }
    } catch (fault) {
      throw failureOf(fault, url, signal)
    }
  }
  const limited = Readable.from(read(), { objectMode: false })
  limited.once('close', () => {
    body.on('error', () => {})
    body.destroy()
  })
  return limited
}

function tooLarge(url: string, max_bytes: number): HttpFailure {
  return new HttpFailure(`${hostOf(url)} answered more than ${max_bytes} bytes`, 'too_large')
}

/** Does not name the address, which may be inside the operator's network. */
function forbidden(objection: string): HttpFailure {
  return new HttpFailure(`an address may not be read: ${objection}`, 'forbidden')
}

function failureOf(fault: unknown, url: string, signal: AbortSignal): HttpFailure {
  if (fault instanceof HttpFailure) return fault
  if (signal.aborted) return new HttpFailure(`${hostOf(url)} did not answer in time`, 'timed_out', { cause: fault })
  return new HttpFailure(`${hostOf(url)} could not be read`, 'unreachable', { cause: fault })
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : 'the address'
}

/** Returns a Retry-After header (seconds or a date) in milliseconds; 0 if absent or invalid. */
function retryAfter(value: string | undefined): number {
  if (!value) return 0
  const seconds = Number(value)
  return Number.isFinite(seconds) ? seconds * 1000 : Math.max(0, Date.parse(value) - Date.now()) || 0
}
