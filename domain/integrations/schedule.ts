/** Waits before the second to the tenth attempt, in seconds: 10 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h, 24 h. */
export const WAITS_SECONDS = [10, 60, 300, 1800, 7200, 18_000, 36_000, 36_000, 86_400] as const

export const ATTEMPTS_MAX = WAITS_SECONDS.length + 1

/** Each wait is spread by so much either way, so that receivers that came back are not met by everyone at once. */
export const JITTER = 0.2
/** A receiver that is overloaded or hangs is left alone for at least this long. */
const RELIEF_SECONDS = 60
/** A Retry-After further off than this is not believed. */
const RETRY_AFTER_MAX_SECONDS = 3600

/** What an attempt came to. */
export interface Attempt {
  /** Null where no answer came. */
  status: number | null
  timed_out: boolean
  retry_after: string | undefined
}

/**
 * When a delivery is tried again; null when its attempts are spent, or the receiver is gone for good (410).
 * @param attempts made so far, this one included
 * @param draw from 0 to 1: where in its spread the wait falls
 */
export function nextAttempt(attempts: number, { status, timed_out, retry_after }: Attempt, now: Date, draw: number): Date | null {
  const wait = WAITS_SECONDS[attempts - 1]
  if (wait === undefined || status === 410) return null
  const spread = wait * (1 + JITTER * (2 * draw - 1))
  const asked = status === 429 || status === 503 ? retryAfterSeconds(retry_after, now) : 0
  const relief = status === 429 || timed_out ? RELIEF_SECONDS : 0
  return new Date(now.getTime() + 1000 * Math.max(spread, asked, relief))
}

/** Seconds, or a date (RFC 9110 section 10.2.3); 0 where it is neither, or too far off. */
function retryAfterSeconds(text: string | undefined, now: Date): number {
  if (text === undefined) return 0
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now.getTime()) / 1000
  return seconds > 0 && seconds <= RETRY_AFTER_MAX_SECONDS ? seconds : 0
}
