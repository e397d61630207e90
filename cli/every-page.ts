import { setTimeout as pause } from 'node:timers/promises'
import { exits, isFailure, retryAfterOf } from './failure.ts'
import { type LiveLine, liveLine } from './format.ts'
import { type Page, page, type Query } from './service.ts'
import type { Connection } from './settings.ts'

/** Rows of a page where all of them are wanted: the most the service gives. */
export const WHOLE_PAGE = 100
/** Limits clear within a minute: another program asks with the same token where one does not. */
const WAITS_MAX = 10

/** The last page's envelope around the rows of all of a listing of the API. */
export async function everyPage<Row>(connection: Connection, path: string, filters: Query = {}): Promise<Page<Row>> {
  const { last, rows } = await gatherPages(
    (number) => page<Row>(connection, path, { ...filters, page: number, per_page: WHOLE_PAGE }),
    ({ data }) => data,
    ({ meta }) => meta.total,
  )
  return { ...last, data: rows }
}

/**
 * The rows of all pages, and the last page, with a live line. Where the token may ask no more in this minute, it goes on in the next.
 * @param ask answers a page by its number, from 1
 * @param totalOf how many rows there are in all
 */
export async function gatherPages<Answered, Row>(
  ask: (number: number) => Promise<Answered>,
  rowsOf: (page: Answered) => Row[],
  totalOf: (page: Answered) => number,
): Promise<{ last: Answered; rows: Row[] }> {
  const live = liveLine()
  const rows: Row[] = []
  try {
    for (let number = 1; ; number++) {
      const last = await withinLimit(live, () => ask(number))
      const found = rowsOf(last)
      rows.push(...found)
      if (found.length === 0 || rows.length >= totalOf(last)) return { last, rows }
      live.show(`${rows.length} of ${totalOf(last)} rows`)
    }
  } finally {
    live.clear()
  }
}

/** Asks again when the service says that it may be. @throws Failure whatever else it answers, and the limit where it does not clear */
export async function withinLimit<Answered>(live: LiveLine, ask: () => Promise<Answered>): Promise<Answered> {
  for (let waits = 0; ; waits++) {
    try {
      return await ask()
    } catch (fault) {
      const seconds = retryAfterOf(fault)
      if (!isFailure(fault) || fault.exit_status !== exits.rate_limited || seconds === null || waits === WAITS_MAX) throw fault
      live.show(`rate limit reached: continuing in ${seconds} s`)
      await pause(seconds * 1000)
    }
  }
}
