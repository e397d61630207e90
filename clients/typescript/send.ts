import { WeatherApiError, WeatherConnectionError } from './errors.ts'

/** When and how often a request is sent again. */
export interface RetryPolicy {
  /** Milliseconds before each further try, where the service names no time: one try more than there are pauses. */
  pausesMs: readonly number[]
  /** Statuses after which it is tried again. */
  statuses: readonly number[]
  /** Milliseconds after the first try in which a further one may begin. */
  withinMs: number
}

export interface Transport {
  fetch: typeof globalThis.fetch
  /** Milliseconds that one try waits for the whole of its answer. */
  timeoutMs: number
  retry: RetryPolicy
}

export interface SendOptions {
  /** Whether the answer is passed on as it comes, for what may be long: time is then kept until it begins. */
  stream?: boolean
  /** Statuses at or above 400 that are answered, not thrown. */
  accept?: readonly number[]
}

/**
 * Sends a request, and sends it again where its first try may be repeated and failed for a reason that passes.
 * @throws WeatherApiError where the service refuses, WeatherConnectionError where no answer came
 */
export async function send(transport: Transport, request: Request, options: SendOptions = {}): Promise<Response> {
  const { pausesMs, withinMs } = transport.retry
  const end = Date.now() + withinMs
  for (const usual of [...pausesMs, null]) {
    const answer = await sendOnce(transport, request, options)
    if (answer instanceof Response) return answer
    const wait = usual === null || !mayRepeat(transport.retry, request, answer) ? null : pauseAfter(answer, usual)
    if (wait === null || Date.now() + wait > end) throw answer
    await pause(wait, request.signal)
  }
  throw new Error('unreachable: the last try returns or throws')
}

/** @returns the failure where there was one; what the caller broke off is thrown */
async function sendOnce(
  { fetch, timeoutMs }: Transport,
  request: Request,
  { stream = false, accept = [] }: SendOptions,
): Promise<Response | WeatherApiError | WeatherConnectionError> {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new Error('no answer in time')), timeoutMs)
  let began = false
  try {
    const answer = await fetch(request.clone(), {
      signal: AbortSignal.any([request.signal, late.signal]),
      // Followed, what is to be created would become a reading, and its answer pass for what was created.
      ...(!reads(request) && { redirect: 'manual' }),
    })
    began = true
    if ((answer.status >= 400 || isRedirect(answer)) && !accept.includes(answer.status))
      return new WeatherApiError(answer, await answer.text())
    return stream ? answer : await received(answer)
  } catch (fault) {
    request.signal.throwIfAborted()
    return new WeatherConnectionError(request.url, began && !late.signal.aborted, late.signal.aborted ? late.signal.reason : fault)
  } finally {
    clearTimeout(timer)
  }
}

/** The same answer once the whole of it has come, so that one that breaks off counts as lost. */
async function received(answer: Response): Promise<Response> {
  const bytes = await answer.arrayBuffer()
  const { status, statusText, headers } = answer
  return new Response(bytes.byteLength > 0 ? bytes : null, { status, statusText, headers })
}

const reads = ({ method }: Request) => method === 'GET' || method === 'HEAD'

/** One that was not followed: browsers hide its status. */
const isRedirect = ({ status, type }: Response) => type === 'opaqueredirect' || (status > 300 && status < 400 && status !== 304)

function mayRepeat({ statuses }: RetryPolicy, request: Request, fault: WeatherApiError | WeatherConnectionError): boolean {
  if (!reads(request) && !request.headers.has('idempotency-key')) return false
  return fault instanceof WeatherConnectionError || statuses.includes(fault.status) || fault.code === 'idempotency_in_flight'
}

function pauseAfter(fault: WeatherApiError | WeatherConnectionError, usual: number): number {
  const asked = fault instanceof WeatherApiError ? fault.retry_after : null
  return asked === null ? usual : asked * 1000
}

/** Waits, or throws at once what the signal is aborted with. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop)
      resolve()
    }, ms)
    signal.addEventListener('abort', stop, { once: true })
  })
}
