/** Runs work of a key when fewer than the limit of that key are at it, the rest in the order in which they came. */
export type RunLimited = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Limits how much is done at once in this process for each key.
 * @param max of one key
 */
export function concurrencyLimit(max: number): RunLimited {
  const running = new Map<string, { count: number; waiting: (() => void)[] }>()
  return async (key, work) => {
    const state = running.get(key) ?? { count: 0, waiting: [] }
    running.set(key, state)
    if (state.count >= max) await new Promise<void>((resume) => state.waiting.push(resume))
    else state.count++
    try {
      return await work()
    } finally {
      // A place that is handed on stays counted.
      const next = state.waiting.shift()
      if (next) next()
      else if (--state.count === 0) running.delete(key)
    }
  }
}
