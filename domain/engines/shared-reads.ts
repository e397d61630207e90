/** Result of a read by key. */
export interface Found<Row> {
  row: Row | undefined
  /** How many earlier requests in the same statement wanted the same key. */
  place: number
}

type Ask<Context, Row> = (context: Context, wanted: ReadonlyMap<string, number>) => Promise<ReadonlyMap<string, Row>>
type Read<Context, Row> = (context: Context, key: string) => Promise<Found<Row>>

/** Statements that run at once; meanwhile the next one collects requests. */
const IN_FLIGHT_MAX = 2

/**
 * Batches reads by key: those that arrive together become one statement, so that a busy server sends fewer statements than it gets
 * requests. Nothing is cached: a later request reads the current row.
 * @param ask reads the rows of some keys, given how often each is wanted; a key missing from the result has no row
 */
export function sharedReads<Context, Row>(ask: Ask<Context, Row>): Read<Context, Row> {
  let waiting = new Map<string, { resolve(found: Found<Row>): void; reject(fault: unknown): void }[]>()
  let inFlight = 0

  async function flush(context: Context): Promise<void> {
    if (inFlight >= IN_FLIGHT_MAX || waiting.size === 0) return
    const pending = waiting
    waiting = new Map()
    inFlight += 1
    try {
      const rows = await ask(context, new Map([...pending].map(([key, requests]) => [key, requests.length])))
      for (const [key, requests] of pending) for (const [place, { resolve }] of requests.entries()) resolve({ row: rows.get(key), place })
    } catch (fault) {
      for (const { reject } of [...pending.values()].flat()) reject(fault)
    } finally {
      inFlight -= 1
      flush(context)
    }
  }

  return (context, key) =>
    new Promise((resolve, reject) => {
      const alike = waiting.get(key)
      if (alike) alike.push({ resolve, reject })
      else waiting.set(key, [{ resolve, reject }])
      // Other requests in this turn of the event loop join the statement.
      if (waiting.size === 1 && !alike) setImmediate(() => flush(context))
    })
}

/**
 * Batches reads as `sharedReads` does, for each resource on its own, such as the pool of an App.
 * @param resourceOf the resource from which a request reads
 */
export function sharedReadsOf<Context, Row>(resourceOf: (context: Context) => object, ask: Ask<Context, Row>): Read<Context, Row> {
  const readers = new WeakMap<object, Read<Context, Row>>()
  return (context, key) => {
    const resource = resourceOf(context)
    const read = readers.get(resource) ?? sharedReads(ask)
    readers.set(resource, read)
    return read(context, key)
  }
}
