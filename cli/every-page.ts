import { setTimeout as pause } from 'node:timers/promises'
import { exits, isFailure, retryAfterOf } from './failure.ts'
import { type LiveLine, liveLine } from './format.ts'
import { type Page, page, type Query } from './service.ts'
import type { Connection } from './settings.ts'

/** Rows of a page where all of them are wanted: the most the service gives. */
export const WHOLE_PAGE = 100
/** Limits clear within a minute: another program asks with the same token where one does not. */
const WAITS_MAX = 10

/** The last page's envelope around the rows of all, with a live line. Where the token may ask no more in this minute, it goes on in the next. */
export async function everyPage<Row>(connection: Connection, path: string, filters: Query = {}): Promise<Page<Row>> {
  const live = liveLine()
  const data: Row[] = []
  try {
    for (let number = 1; ; number++) {
      const answer = await withinLimit(live, () => page<Row>(connection, path, { ...filters, page: number, per_page: WHOLE_PAGE }))
      data.push(...answer.data)
      if (answer.links.next === null) return { ...answer, data }
      live.show(`${data.length} of ${answer.meta.total} rows`)
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
      live.show(`as many requests as a minute allows: going on in ${seconds} s`)
      await pause(seconds * 1000)
    }
  }
}
