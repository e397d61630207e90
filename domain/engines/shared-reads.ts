/** What a read by a key found, if anything. */
export interface Found<Row> {
  row: Row | undefined
  /** How many asked for the same key before, in the same statement. */
  place: number
}

/** Statements under way at once: while one is made, the next is filled. */
const UNDER_WAY_MAX = 2

/**
 * Reads by keys of which those that arrive together are one statement, so that a busy server asks less often than it is asked. Nothing is
 * kept: whoever asks later reads what is there then.
 * @param ask reads the rows of some keys, of which each is wanted so many times; a key that it leaves out has none
 */
export function sharedReads<Context, Row>(
  ask: (context: Context, wanted: ReadonlyMap<string, number>) => Promise<ReadonlyMap<string, Row>>,
): (context: Context, key: string) => Promise<Found<Row>> {
  let waiting = new Map<string, { resolve(found: Found<Row>): void; reject(fault: unknown): void }[]>()
  let underWay = 0

  async function flush(context: Context): Promise<void> {
    if (underWay >= UNDER_WAY_MAX || waiting.size === 0) return
    const pending = waiting
    waiting = new Map()
    underWay += 1
    try {
      const rows = await ask(context, new Map([...pending].map(([key, requests]) => [key, requests.length])))
      for (const [key, requests] of pending) for (const [place, { resolve }] of requests.entries()) resolve({ row: rows.get(key), place })
    } catch (fault) {
      for (const { reject } of [...pending.values()].flat()) reject(fault)
    } finally {
      underWay -= 1
      flush(context)
    }
  }

  return (context, key) =>
    new Promise((resolve, reject) => {
      const alike = waiting.get(key)
      if (alike) alike.push({ resolve, reject })
      else waiting.set(key, [{ resolve, reject }])
      // What else arrives in this turn of the event loop joins the statement.
      if (waiting.size === 1 && !alike) setImmediate(() => flush(context))
    })
}
