import { useEffect, useMemo, useReducer } from 'react'
import { isLost, retryAfterOf } from '../failure.ts'
import { page, type Query } from '../service.ts'
import type { Connection } from '../settings.ts'

/** The fields of rows that a list uses; each listing knows the others. */
export interface Row {
  id: string | number
}

/** The rows of a listing, read page by page on demand. */
export interface Rows {
  /** Null until the first page has arrived. */
  total(): number | null
  /** Null while its page is loading. */
  at(index: number): Row | null
  /** Position of a row that has been read; -1 if it is not among them. */
  indexOf(id: Row['id']): number
  /** All rows that have been read, in order. */
  loaded(): Row[]
  /** Sets the visible rows; missing ones are read. */
  setVisible(from: number, to: number): void
  /** The fault of the last requested page; null if it arrived. */
  fault(): Error | null
  /** Reads the visible rows again. Until they arrive, the rows stay as they are. */
  refresh(): void
  /** The same immediately, even if the service asked to wait. */
  readAgain(): void
  /** Replaces a row with a newer version from a response. */
  replace(row: Row): void
  close(): void
}

/** The service's largest page, for the fewest requests. */
const PAGE = 100
/** Concurrent page requests. Fast scrolling skips the pages in between. */
const CONCURRENT_MAX = 2
/** Milliseconds until a lost connection is retried. */
const RETRY_MS = 2000

interface RowsOptions {
  connection: Connection
  path: string
  filters: Query
  /** Called when there is something new to draw. */
  onChange(): void
  /** Called with a fault; null means that the service is available. */
  reportFault(fault: Error | null): void
}

/** @see Rows */
function openRows({ connection, path, filters, onChange, reportFault }: RowsOptions): Rows {
  const pages: Pages = new Map()
  const [fresh, pending] = [new Set<number>(), new Set<number>()]
  let total: number | null = null
  let wanted = [1]
  let generation = 0
  let waiting: NodeJS.Timeout | null = null
  let closed = false
  let fault: Error | null = null

  const next = () => {
    for (const number of wanted) {
      if (closed || waiting || pending.size >= CONCURRENT_MAX) return
      if (!fresh.has(number) && !pending.has(number)) read(number)
    }
  }
  const read = async (number: number) => {
    const generationAtStart = generation
    pending.add(number)
    try {
      const { data, meta } = await page<Row>(connection, path, { ...filters, page: number, per_page: PAGE })
      if (closed) return
      if (meta.total !== total) for (const other of pages.keys()) if ((other - 1) * PAGE >= meta.total) pages.delete(other)
      total = meta.total
      pages.set(number, data)
      if (generationAtStart === generation) fresh.add(number)
      fault = null
      reportFault(null)
      onChange()
    } catch (thrown) {
      if (closed) return
      fault = thrown as Error
      reportFault(fault)
      const pause = pauseAfter(fault)
      if (pause === null) fresh.add(number)
      else wait(pause)
      onChange()
    } finally {
      pending.delete(number)
      next()
    }
  }
  const wait = (ms: number) => {
    waiting ??= setTimeout(() => {
      waiting = null
      next()
    }, ms)
  }
  const refresh = () => {
    generation += 1
    fresh.clear()
    next()
  }
  next()
  return {
    total: () => total,
    fault: () => fault,
    at: (index) => pages.get(Math.floor(index / PAGE) + 1)?.[index % PAGE] ?? null,
    indexOf: (id) => indexIn(pages, id),
    loaded: () => [...pages].sort(([one], [other]) => one - other).flatMap(([, rows]) => rows),
    setVisible(from, to) {
      wanted = pagesOf(from, to)
      next()
    },
    refresh,
    readAgain() {
      if (waiting) clearTimeout(waiting)
      waiting = null
      refresh()
    },
    replace(row) {
      replaceIn(pages, row)
      onChange()
    },
    close() {
      closed = true
      if (waiting) clearTimeout(waiting)
    },
  }
}

type Pages = Map<number, Row[]>

function pagesOf(from: number, to: number): number[] {
  const [first, last] = [Math.floor(from / PAGE) + 1, Math.floor(Math.max(from, to - 1) / PAGE) + 1]
  return Array.from({ length: last - first + 1 }, (_, at) => first + at)
}

function indexIn(pages: Pages, id: Row['id']): number {
  for (const [number, rows] of pages) {
    const at = rows.findIndex((row) => row.id === id)
    if (at !== -1) return (number - 1) * PAGE + at
  }
  return -1
}

function replaceIn(pages: Pages, row: Row): void {
  for (const [number, rows] of pages)
    pages.set(
      number,
      rows.map((one) => (one.id === row.id ? row : one)),
    )
}

/** Milliseconds until a page is requested again; null if it was refused permanently, and then only on demand. */
function pauseAfter(fault: unknown): number | null {
  const seconds = retryAfterOf(fault)
  if (seconds !== null) return Math.max(seconds * 1000, RETRY_MS)
  return isLost(fault) ? RETRY_MS : null
}

/** The rows of a listing, rendered again whenever they change. */
export function useRows(connection: Connection, path: string, filters: Query, reportFault: (fault: Error | null) => void): Rows {
  const [, changed] = useReducer((drawn: number) => drawn + 1, 0)
  const rows = useMemo(
    () => openRows({ connection, path, filters, onChange: changed, reportFault }),
    [connection, path, JSON.stringify(filters)],
  )
  useEffect(() => rows.close, [rows])
  return rows
}
