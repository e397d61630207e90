/** Runs work for a key while fewer than the limit run for that key; the rest waits in order of arrival. */
export type RunLimited = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>

/**
 * Limits how much work runs at once for each key in this process.
 * @param max for one key
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
      // A slot that passes to the next in line stays counted.
      const next = state.waiting.shift()
      if (next) next()
      else if (--state.count === 0) running.delete(key)
    }
  }
}
