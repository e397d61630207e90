/** Returns the value of a key, from the cache if it is there. */
export type Cached<Value> = (key: string, make: () => Promise<Value>) => Promise<Value>

/**
 * Keeps the values that were used last; concurrent requests for one key share the work. A failure is not kept.
 * @param max how many values are kept
 */
export function boundedCache<Value>(max: number): Cached<Value> {
  const kept = new Map<string, Promise<Value>>()
  return (key, make) => {
    const value = kept.get(key) ?? make()
    // A Map keeps the order of insertion: the first key is the one used least recently.
    kept.delete(key)
    kept.set(key, value)
    value.catch(() => kept.get(key) === value && kept.delete(key))
    for (const oldest of kept.keys()) {
      if (kept.size <= max) break
      kept.delete(oldest)
    }
    return value
  }
}
