import type { Ask, AskOptions } from '#domain/archive/sources/source.ts'
import type { Http, Validators } from '#domain/engines/http.ts'
import { Refusal } from '#domain/kernel/refusal.ts'

/** Returns the refusal for a feed that cannot be read now, with the reason in words that follow its name: "it answered 503". */
export function feedFailed(reason: string): Refusal {
  return new Refusal('engine_unavailable', reason)
}

/**
 * Returns the refusal of a response that cannot be used.
 * @throws any other fault: it would keep the next responses from being stored too
 */
export function unusableOrThrow(fault: unknown): Refusal {
  if (fault instanceof Refusal && fault.code === 'validation_failed') return fault
  throw fault
}

/** A feed read hourly counts as current until it is three passes late. At half past midnight it was last read the day before. */
export const FEED_CURRENT_HOURS = 3

/**
 * Returns the month of a day, YYYY-MM, if a reader that began at `first` reads it from its beginning, so that the month is
 * stored whole. Both times are milliseconds.
 */
export function monthFrom(first: number, day: number): string[] {
  const month = new Date(day).toISOString().slice(0, 7)
  return first <= Date.parse(`${month}-01T00:00:00Z`) ? [month] : []
}

/** Returns the first moment of a month, milliseconds. */
export function beginOfMonth(at: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

/** Retries of a request: the agencies' servers are restarted and overloaded at times. */
const RETRIES = 2
const TIMEOUT_MS = 60_000

/**
 * Returns a function that requests a URL conditionally on its previous response. Any status other than 200, 304 and (unless
 * `always_there`) 404 is a failure.
 * @throws Refusal not_found if a URL that always exists returns 404
 */
export function conditionalGet(http: Http, validatorsOf: (url: string) => Promise<Validators | null>): Ask {
  return async (url: string, { unconditional = false, always_there = false, ...options }: AskOptions = {}) => {
    const validators = unconditional ? null : await validatorsOf(url)
    const answer = await http.get(url, { timeout_ms: TIMEOUT_MS, retries: RETRIES, ...options, ...(validators && { validators }) })
    if (answer.status === 304 || (answer.status === 404 && !always_there)) return null
    if (answer.status === 404) throw new Refusal('not_found', `${new URL(url).host} answered 404`)
    if (answer.status !== 200) throw feedFailed(`${new URL(url).host} answered ${answer.status}`)
    const modified = new Date(answer.headers['last-modified'] ?? Number.NaN)
    return {
      url,
      body: answer.body,
      validators: unconditional ? null : answer.validators,
      stated_at: Number.isNaN(modified.getTime()) ? null : modified,
    }
  }
}
