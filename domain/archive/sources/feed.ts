import type { Ask, AskOptions } from '#domain/archive/sources/source.ts'
import type { Http, Validators } from '#domain/engines/http.ts'
import { Refusal } from '#domain/kernel/refusal.ts'

/** A feed that cannot be read now, with the reason in words that follow its name: "it answered 503". */
export function feedFailed(reason: string): Refusal {
  return new Refusal('engine_unavailable', reason)
}

/** A feed that is read by the hour is taken to have been heard until it is three passes late: at half past midnight it was read yesterday. */
export const HEARD_HOURS = 3

/** The month of a day, YYYY-MM, where it is read from its beginning on by whoever began at `first`: then it is held. Milliseconds. */
export function monthFrom(first: number, day: number): string[] {
  const month = new Date(day).toISOString().slice(0, 7)
  return first <= Date.parse(`${month}-01T00:00:00Z`) ? [month] : []
}

/** The first moment of a month, milliseconds. */
export function beginOfMonth(at: number): number {
  const date = new Date(at)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

/** Further tries of a request: the agencies' servers are restarted and overrun at times. */
const RETRIES = 2
const TIMEOUT_MS = 60_000

/**
 * Asks on condition of what was answered before; a status other than 200, 304 and, where nothing may be there, 404 is a failure.
 * @throws Refusal not_found where nothing is at an address that is always there
 */
export function askOf(http: Http, validatorsOf: (url: string) => Promise<Validators | null>): Ask {
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
