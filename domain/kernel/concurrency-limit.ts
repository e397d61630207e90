import { retryLater } from '#domain/kernel/refusal.ts'

/**
 * Runs work for a key while fewer than the limit run for that key; the rest waits in order of arrival. The work receives whether it waited:
 * what was checked before may no longer hold.
 */
export type RunLimited = <Result>(key: string, work: (waited: boolean) => Promise<Result>) => Promise<Result>

/** Seconds after which refused work may be sent again. */
const RETRY_AFTER_S = 5

/**
 * Limits how much work runs at once for each key in this process.
 * @param max for one key
 * @param waiting_max how much may wait for one key: more is refused with `rate_limited`
 */
export function concurrencyLimit(max: number, waiting_max = Number.POSITIVE_INFINITY): RunLimited {
  const running = new Map<string, { count: number; waiting: (() => void)[] }>()
  return async (key, work) => {
    const state = running.get(key) ?? { count: 0, waiting: [] }
    if (state.count >= max && state.waiting.length >= waiting_max) throw tooManyWaiting()
    running.set(key, state)
    const waits = state.count >= max
    if (waits) await new Promise<void>((resume) => state.waiting.push(resume))
    else state.count++
    try {
      return await work(waits)
    } finally {
      // A slot that passes to the next in line stays counted.
      const next = state.waiting.shift()
      if (next) next()
      else if (--state.count === 0) running.delete(key)
    }
  }
}

interface FairLimits {
  /** For all keys together. */
  max: number
  /** How much may wait for one key: more is refused with `rate_limited`. */
  waiting_max: number
}

/** Limits how much work runs at once in this process, one at a time for each key: keys take turns, and none waits for all of another's work. */
export function fairConcurrencyLimit({ max, waiting_max }: FairLimits): RunLimited {
  const [one, all] = [concurrencyLimit(1, waiting_max), concurrencyLimit(max)]
  return (key, work) => one(key, (waited) => all('', (waitedAgain) => work(waited || waitedAgain)))
}

const tooManyWaiting = () => retryLater('rate_limited', 'Too many requests of this kind are waiting.', RETRY_AFTER_S)
