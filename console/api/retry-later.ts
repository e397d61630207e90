import { ApiError } from './session.ts'

/** Milliseconds between tries: if the rate limit is exceeded, a few requests then fit again. */
const RATE_WAIT_MS = 10_000
/** How long somebody waits for what they look at: the rate limit is per minute. */
const GIVE_UP_MS = 60_000
/** The same for work that says that it waits: a service that restarts is back in less. */
const GIVE_UP_WORK_MS = 300_000

/** Receives the reason and the seconds of each wait as a sentence, and null after it. */
export type OnWait = (sentence: string | null) => void

/**
 * Repeats a request while the rate limit is exceeded (429), for a minute. Work of many requests would be lost with one of them: if it
 * gives `onWait`, its requests are also repeated while the service is unavailable and states when to try again, for five minutes.
 * @param isRepeatable doing it twice is doing it once: it is also repeated if the response was lost, or a proxy responded without the service
 */
export async function retryLater<Answer>(work: () => Promise<Answer>, onWait?: OnWait, isRepeatable = false): Promise<Answer> {
  for (const began = Date.now(); ; ) {
    try {
      return await work()
    } catch (fault) {
      const wait = fault instanceof ApiError ? waitOf(fault, onWait !== undefined, isRepeatable) : null
      if (wait === null || Date.now() - began + wait.ms > (onWait ? GIVE_UP_WORK_MS : GIVE_UP_MS)) throw fault
      onWait?.(`${wait.reason} The next try is in ${wait.ms / 1000} s.`)
      await new Promise((resolve) => setTimeout(resolve, wait.ms))
      onWait?.(null)
    }
  }
}

/** The statuses of a request that has no response of the service: 0 is a network that is away. */
const UNANSWERED = [0, 502, 503, 504]

/** The wait before the next try, and its reason; null if there is none. */
function waitOf({ status, code, retry_after }: ApiError, isWork: boolean, isRepeatable: boolean): { reason: string; ms: number } | null {
  if (status === 429) return { reason: 'The limit of requests per minute is reached.', ms: RATE_WAIT_MS }
  const isUnanswered = isRepeatable && UNANSWERED.includes(status)
  if (!isWork || (retry_after === null && !isUnanswered)) return null
  const ms = retry_after === null ? RATE_WAIT_MS : retry_after * 1000
  if (isUnanswered || status === 503) return { reason: 'The service is unavailable.', ms }
  return code === 'idempotency_in_flight' ? { reason: 'The last rows are still being saved.', ms } : null
}
