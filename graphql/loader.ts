import DataLoader from 'dataloader'
import type { Context } from '#graphql/context.ts'

/** Reads many by their keys, as they were options for; a key that has nothing is not in the answer. */
type ReadMany<Value, Options> = (context: Context, keys: string[], options: Options) => Promise<Map<string, Value>>

/**
 * Makes an edge that reads the ends of all its parents in one call: what one request asks for with the same arguments in one
 * turn of the event loop. Nothing is kept after it, so that a document reads what its own mutation wrote.
 */
export function loader<Value, Options extends object = Record<never, never>>(readMany: ReadMany<Value, Options>) {
  const requests = new WeakMap<Context, Map<string, DataLoader<string, Value | undefined>>>()
  return (context: Context, key: string, options: Options): Promise<Value | undefined> => {
    const request = requests.get(context) ?? new Map<string, DataLoader<string, Value | undefined>>()
    requests.set(context, request)
    const shape = JSON.stringify(options)
    const batch = request.get(shape) ?? batched((keys) => readMany(context, keys, options))
    request.set(shape, batch)
    return batch.load(key)
  }
}

function batched<Value>(readMany: (keys: string[]) => Promise<Map<string, Value>>): DataLoader<string, Value | undefined> {
  const readBatch = async (keys: readonly string[]) => {
    const found = await readMany([...new Set(keys)])
    return keys.map((key) => found.get(key))
  }
  // A turn later than dataloader's own: parents of one level may be read by several statements.
  return new DataLoader(readBatch, { cache: false, batchScheduleFn: (callback) => setImmediate(callback) })
}
