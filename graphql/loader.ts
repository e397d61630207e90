import DataLoader from 'dataloader'
import type { Context } from '#graphql/context.ts'

/** Reads many values by key, with the given options. The result omits keys without a value. */
type ReadMany<Value, Options> = (context: Context, keys: string[], options: Options) => Promise<Map<string, Value>>

/**
 * Creates an edge that reads the children of all its parents in one call. A call covers the loads that one request makes
 * with the same arguments in one turn of the event loop. Nothing is cached, so a document reads what its own mutation wrote.
 */
export function loader<Value, Options extends object = Record<never, never>>(readMany: ReadMany<Value, Options>) {
  const loadersByRequest = new WeakMap<Context, Map<string, DataLoader<string, Value | undefined>>>()
  return (context: Context, key: string, options: Options): Promise<Value | undefined> => {
    const loaders = loadersByRequest.get(context) ?? new Map<string, DataLoader<string, Value | undefined>>()
    loadersByRequest.set(context, loaders)
    const optionsKey = JSON.stringify(options)
    const dataLoader = loaders.get(optionsKey) ?? createDataLoader((keys) => readMany(context, keys, options))
    loaders.set(optionsKey, dataLoader)
    return dataLoader.load(key)
  }
}

function createDataLoader<Value>(readMany: (keys: string[]) => Promise<Map<string, Value>>): DataLoader<string, Value | undefined> {
  const readBatch = async (keys: readonly string[]) => {
    const found = await readMany([...new Set(keys)])
    return keys.map((key) => found.get(key))
  }
  // Waits one turn longer than dataloader does by default: several statements may read the parents of one level.
  return new DataLoader(readBatch, { cache: false, batchScheduleFn: (callback) => setImmediate(callback) })
}
