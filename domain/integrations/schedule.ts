/** Delays before the second to the tenth attempt, in seconds: 10 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h, 24 h. */
export const RETRY_DELAYS_SECONDS = [10, 60, 300, 1800, 7200, 18_000, 36_000, 36_000, 86_400] as const

export const ATTEMPTS_MAX = RETRY_DELAYS_SECONDS.length + 1

/** Each wait varies by this share either way, so that a receiver that comes back does not get all retries at once. */
export const JITTER = 0.2
/** A receiver that answers this is gone for good. */
export const HTTP_GONE = 410
/** The least wait after a receiver is overloaded (429) or times out. */
const RELIEF_SECONDS = 60
/** A Retry-After longer than this is ignored. */
const RETRY_AFTER_MAX_SECONDS = 3600

/** The result of an attempt. */
export interface Attempt {
  /** Null if no response came. */
  status: number | null
  timed_out: boolean
  retry_after: string | undefined
}

/**
 * Returns the time of the next attempt; null after the last attempt, or if the receiver is gone for good (410).
 * @param attempts number made so far, this one included
 * @param random random number from 0 to 1 that places the wait within its jitter
 */
export function nextAttempt(attempts: number, { status, timed_out, retry_after }: Attempt, now: Date, random: number): Date | null {
  const wait = RETRY_DELAYS_SECONDS[attempts - 1]
  if (wait === undefined || status === HTTP_GONE) return null
  const jittered = wait * (1 + JITTER * (2 * random - 1))
  const requestedWait = status === 429 || status === 503 ? retryAfterSeconds(retry_after, now) : 0
  const relief = status === 429 || timed_out ? RELIEF_SECONDS : 0
  return new Date(now.getTime() + 1000 * Math.max(jittered, requestedWait, relief))
}

/**
 * Returns how long nothing may be posted to the destination of an attempt, in seconds: as long as its receiver asks for in a 429
 * or 503; after a 429 that does not say, 1 s, then twice as long each time, up to a minute. 0 after any other attempt.
 * @param holds number of such pauses since a post last arrived
 */
export function holdSeconds({ status, retry_after }: Pick<Attempt, 'status' | 'retry_after'>, holds: number, now: Date): number {
  if (status !== 429 && status !== 503) return 0
  return retryAfterSeconds(retry_after, now) || (status === 429 ? Math.min(2 ** holds, RELIEF_SECONDS) : 0)
}

/** Reads seconds or a date (RFC 9110 section 10.2.3); returns 0 if it is neither, or too far off. */
function retryAfterSeconds(text: string | undefined, now: Date): number {
  if (text === undefined) return 0
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000
  return seconds > 0 && seconds <= RETRY_AFTER_MAX_SECONDS ? seconds : 0
}
