import { isLost, retryAfterOf } from '../failure.ts'
import { page, type Query } from '../service.ts'
import type { Connection } from '../settings.ts'

/** The fields of rows that a list uses; each listing knows the others. */
export interface Row {
  id: string | number
}

/** The service's largest page, for the fewest requests. */
const PAGE = 100
/** Concurrent page requests. Fast scrolling skips the pages in between. */
const CONCURRENT_MAX = 2
/** Milliseconds until a lost connection is retried. */
const RETRY_MS = 2000

export interface ReadOptions {
  connection: Connection
  path: string
  filters: Query
  /** Called when there is something new to draw. */
  onChange(): void
  /** Called with a fault; null means that the service is available. */
  reportFault(fault: Error | null): void
}

/** The pages of a listing that have been read, by number from 1, and what is still to be read. */
export interface Pages extends ReadOptions {
  rows: Map<number, Row[]>
  /** Rows of the whole listing; null until the first page has arrived. */
  total: number | null
  /** The fault of the last requested page; null if it arrived. */
  fault: Error | null
  /** Numbers of the visible pages. */
  wanted: number[]
  /** Numbers of the pages read since the last refresh. */
  fresh: Set<number>
  pending: Set<number>
  /** Counts the refreshes: a page requested before the last one is not fresh. */
  generation: number
  /** While it runs, nothing is requested. */
  pause: NodeJS.Timeout | null
  closed: boolean
}

/** Begins to read a listing with its first page. */
export function openPages(options: ReadOptions): Pages {
  const pages: Pages = {
    ...options,
    rows: new Map(),
    total: null,
    fault: null,
    wanted: [1],
    fresh: new Set(),
    pending: new Set(),
    generation: 0,
    pause: null,
    closed: false,
  }
  readWanted(pages)
  return pages
}

/** Reads the pages of these rows, as far as they are missing. */
export function wantRows(pages: Pages, from: number, to: number): void {
  const [first, last] = [pageOf(from), pageOf(Math.max(from, to - 1))]
  pages.wanted = Array.from({ length: last - first + 1 }, (_, at) => first + at)
  readWanted(pages)
}

/** Reads the wanted pages again. Until they arrive, the rows stay as they are. */
export function refreshPages(pages: Pages): void {
  pages.generation += 1
  pages.fresh.clear()
  readWanted(pages)
}

/** Ends a pause before its time. */
export function endPause(pages: Pages): void {
  if (pages.pause) clearTimeout(pages.pause)
  pages.pause = null
}

/** Reads nothing more. */
export function closePages(pages: Pages): void {
  pages.closed = true
  endPause(pages)
}

/** Returns the row at a position of the listing; null if its page has not been read. */
export function rowAt(pages: Pages, index: number): Row | null {
  return pages.rows.get(pageOf(index))?.[index % PAGE] ?? null
}

/** Returns the position of a row that has been read; -1 if it is not among them. */
export function positionOf(pages: Pages, id: Row['id']): number {
  for (const [number, rows] of pages.rows) {
    const at = rows.findIndex((row) => row.id === id)
    if (at !== -1) return (number - 1) * PAGE + at
  }
  return -1
}

const pageOf = (index: number) => Math.floor(index / PAGE) + 1

function readWanted(pages: Pages): void {
  for (const number of pages.wanted) {
    if (pages.closed || pages.pause || pages.pending.size >= CONCURRENT_MAX) return
    if (!pages.fresh.has(number) && !pages.pending.has(number)) void readPage(pages, number)
  }
}

async function readPage(pages: Pages, number: number): Promise<void> {
  const { connection, path, filters, generation } = pages
  pages.pending.add(number)
  try {
    const { data, meta } = await page<Row>(connection, path, { ...filters, page: number, per_page: PAGE })
    if (pages.closed) return
    if (meta.total !== pages.total) deletePagesBeyond(pages, meta.total)
    pages.total = meta.total
    pages.rows.set(number, data)
    if (generation === pages.generation) pages.fresh.add(number)
    pages.fault = null
  } catch (thrown) {
    if (pages.closed) return
    pages.fault = thrown as Error
    const ms = pauseAfter(thrown)
    if (ms === null) pages.fresh.add(number)
    else pauseReading(pages, ms)
  } finally {
    pages.pending.delete(number)
    if (!pages.closed) {
      pages.reportFault(pages.fault)
      pages.onChange()
    }
    readWanted(pages)
  }
}

function deletePagesBeyond(pages: Pages, total: number): void {
  for (const number of pages.rows.keys()) if ((number - 1) * PAGE >= total) pages.rows.delete(number)
}

function pauseReading(pages: Pages, ms: number): void {
  pages.pause ??= setTimeout(() => {
    pages.pause = null
    readWanted(pages)
  }, ms)
}

/** Milliseconds until a page is requested again; null if it was refused permanently, and then only on demand. */
function pauseAfter(fault: unknown): number | null {
  const seconds = retryAfterOf(fault)
  if (seconds !== null) return Math.max(seconds * 1000, RETRY_MS)
  return isLost(fault) ? RETRY_MS : null
}
