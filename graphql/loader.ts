import type { Context } from '#graphql/context.ts'

/** Reads many by their keys; a key that has nothing is not in the answer. */
type ReadMany<Value> = (context: Context, keys: string[]) => Promise<Map<string, Value>>

/**
 * Makes an edge that reads the ends of all its parents at once: what one request asks for in one turn of the event loop
 * becomes one call. Nothing is kept after it.
 */
export function together<Value>(readMany: ReadMany<Value>): (context: Context, key: string) => Promise<Value | undefined> {
  const waiting = new WeakMap<Context, { keys: Set<string>; found: Promise<Map<string, Value>> }>()
  return async (context, key) => {
    let turn = waiting.get(context)
    if (!turn) {
      const keys = new Set<string>()
      const found = new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
        waiting.delete(context)
        return readMany(context, [...keys])
      })
      turn = { keys, found }
      waiting.set(context, turn)
    }
    turn.keys.add(key)
    return (await turn.found).get(key)
  }
}
