import { WeatherApiError, WeatherConnectionError } from './errors.ts'

/** When and how often a request is retried. */
export interface RetryPolicy {
  /** Milliseconds before each retry, unless the service names a time. There is one retry per pause. */
  pausesMs: readonly number[]
  /** Statuses that are retried. */
  statuses: readonly number[]
  /** Milliseconds after the end of the first attempt during which a retry may start. */
  withinMs: number
}

/** The longest time of a timer in milliseconds, 24.8 days: a longer one would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1

export interface Transport {
  fetch: typeof globalThis.fetch
  /** Timeout in milliseconds for the whole response of one attempt. */
  timeoutMs: number
  retry: RetryPolicy
}

export interface SendOptions {
  /** Whether the response is streamed, because it may be long. The timeout then ends when the response starts. */
  stream?: boolean
  /** Statuses from 400 that are returned, not thrown. */
  accept?: readonly number[]
  /** The caller's own signal: a stream that outlives its request is aborted by it. */
  signal?: AbortSignal
}

/**
 * Sends a request, and retries it if it may be repeated and failed for a temporary reason.
 * @throws WeatherApiError for a refusal, WeatherConnectionError without a response
 */
export async function send(transport: Transport, request: Request, options: SendOptions = {}): Promise<Response> {
  const { pausesMs, withinMs } = transport.retry
  let end: number | undefined
  for (const pauseMs of [...pausesMs, null]) {
    const answer = await sendOnce(transport, request, options)
    if (answer instanceof Response) return answer
    end ??= Date.now() + withinMs
    const wait = pauseMs === null || !mayRepeat(transport.retry, request, answer) ? null : pauseAfter(answer, pauseMs)
    if (wait === null || Date.now() + wait > end) throw answer
    await pause(wait, request.signal)
  }
  throw new Error('unreachable: the last attempt returns or throws')
}

/** @returns the failure, if any; throws if the caller aborted */
async function sendOnce(
  { fetch, timeoutMs }: Transport,
  request: Request,
  { stream = false, accept = [], signal = request.signal }: SendOptions,
): Promise<Response | WeatherApiError | WeatherConnectionError> {
  const timeout = new AbortController()
  const timer = startTimer(() => timeout.abort(new Error('no answer in time')), timeoutMs)
  let hasStarted = false
  try {
    const answer = await fetch(request.clone(), {
      signal: AbortSignal.any([request.signal, signal, timeout.signal]),
      // Following a redirect would turn a create into a read, whose response would pass for the created record.
      ...(!isRead(request) && { redirect: 'manual' }),
    })
    hasStarted = true
    if ((answer.status >= 400 || isRedirect(answer)) && !accept.includes(answer.status))
      return new WeatherApiError(answer, await answer.text(), lostTokenReason(request, answer))
    return stream ? answer : await bufferBody(answer)
  } catch (fault) {
    request.signal.throwIfAborted()
    return new WeatherConnectionError(
      request.url,
      hasStarted && !timeout.signal.aborted,
      timeout.signal.aborted ? timeout.signal.reason : fault,
    )
  } finally {
    clearTimeout(timer)
  }
}

/** Waits for the whole response, so that one that is cut off counts as lost. */
async function bufferBody(answer: Response): Promise<Response> {
  const bytes = await answer.arrayBuffer()
  const { status, statusText, headers } = answer
  return new Response(bytes.byteLength > 0 ? bytes : null, { status, statusText, headers })
}

const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD'

/** Whether the response is a redirect that was not followed. Browsers hide its status. */
const isRedirect = ({ status, type }: Response) => type === 'opaqueredirect' || (status > 300 && status < 400 && status !== 304)

/** A redirect to another origin is followed without the token. The 401 from there says nothing about it. */
function lostTokenReason(request: Request, { status, redirected, url }: Response): string | null {
  if (status !== 401 || !redirected || new URL(url).origin === new URL(request.url).origin) return null
  return `The service redirects to ${new URL(url).origin}, which is not sent the token: use the final URL of the service.`
}

function mayRepeat({ statuses }: RetryPolicy, request: Request, fault: WeatherApiError | WeatherConnectionError): boolean {
  if (!isRead(request) && !request.headers.has('idempotency-key')) return false
  return fault instanceof WeatherConnectionError || statuses.includes(fault.status) || fault.code === 'idempotency_in_flight'
}

function pauseAfter(fault: WeatherApiError | WeatherConnectionError, pauseMs: number): number {
  const retryAfter = fault instanceof WeatherApiError ? fault.retry_after : null
  return retryAfter === null ? pauseMs : retryAfter * 1000
}

/** Waits, at most as long as a timer can, or throws the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const end = () => {
      signal.removeEventListener('abort', stop)
      resolve()
    }
    const timer = setTimeout(end, Math.min(ms, TIMER_MAX_MS))
    signal.addEventListener('abort', stop, { once: true })
  })
}

/** Starts a timer, or none for a time that is too long for one, such as Infinity. */
export const startTimer = (run: () => void, ms: number) => (ms > TIMER_MAX_MS ? undefined : setTimeout(run, ms))
