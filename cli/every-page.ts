import { setTimeout as pause } from 'node:timers/promises'
import { exits, isFailure, retryAfterOf } from './failure.ts'
import { type LiveLine, liveLine } from './format.ts'
import { type Page, page, type Query } from './service.ts'
import type { Connection } from './settings.ts'

/** Page size when all rows are wanted: the service's largest. */
export const PAGE_SIZE = 100
/** A rate limit clears within a minute, unless another program uses the same token. */
const RETRIES_MAX = 10

/**
 * All rows of an API list, in the envelope of the last page. Where the link to the next page names the position at which it continues,
 * that is sent: nothing that changes between two requests is then missed.
 */
export async function everyPage<Row>(connection: Connection, path: string, filters: Query = {}): Promise<Page<Row>> {
  let after: string | undefined
  const { last, rows } = await gatherPages(
    async (number) => {
      const answered = await page<Row>(connection, path, { ...filters, page: number, per_page: PAGE_SIZE, after })
      after = positionIn(answered.links?.next)
      return answered
    },
    ({ data }) => data,
    ({ meta }) => meta.total,
  )
  return { ...last, data: rows }
}

function positionIn(next: string | null | undefined): string | undefined {
  return (next && URL.canParse(next) && new URL(next).searchParams.get('after')) || undefined
}

/**
 * Reads the rows of all pages, with a progress line, and returns them with the last page. If the rate limit is reached, it continues in the
 * next minute.
 * @param ask returns a page by its number, from 1
 * @param totalOf the total number of rows
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

/** All rows of a list that states only its total, in the form of one page. */
export async function everyRow<Listed extends { data: unknown[]; total: number }>(
  read: (paging: { page: number; per_page: number }) => Promise<Listed>,
): Promise<Listed> {
  const { last, rows } = await gatherPages(
    (page) => read({ page, per_page: PAGE_SIZE }),
    ({ data }) => data,
    ({ total }) => total,
  )
  return { ...last, data: rows }
}

/** Retries when Retry-After allows it. @throws Failure for every other refusal, and for a limit that does not clear */
export async function withinLimit<Answered>(live: LiveLine, ask: () => Promise<Answered>): Promise<Answered> {
  for (let waits = 0; ; waits++) {
    try {
      return await ask()
    } catch (fault) {
      const seconds = retryAfterOf(fault)
      if (!isFailure(fault) || fault.exit_status !== exits.rate_limited || seconds === null || waits === RETRIES_MAX) throw fault
      live.show(`rate limit reached: continuing in ${seconds} s`)
      await pause(seconds * 1000)
    }
  }
}
