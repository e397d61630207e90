import { useEffect, useMemo, useReducer } from 'react'
import type { Query } from '../service.ts'
import type { Connection } from '../settings.ts'
import { closePages, endPause, openPages, positionOf, type ReadOptions, type Row, refreshPages, rowAt, wantRows } from './listing-pages.ts'

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
  /** The same immediately, even if the service demanded a pause. */
  readAgain(): void
  /** Replaces a row with a newer version from a response. */
  replace(row: Row): void
  close(): void
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

function openRows(options: ReadOptions): Rows {
  const pages = openPages(options)
  return {
    total: () => pages.total,
    fault: () => pages.fault,
    at: (index) => rowAt(pages, index),
    indexOf: (id) => positionOf(pages, id),
    loaded: () => [...pages.rows].sort(([one], [other]) => one - other).flatMap(([, rows]) => rows),
    setVisible: (from, to) => wantRows(pages, from, to),
    refresh: () => refreshPages(pages),
    readAgain() {
      endPause(pages)
      refreshPages(pages)
    },
    replace(row) {
      for (const [number, rows] of pages.rows) {
        const replaced = rows.map((one) => (one.id === row.id ? row : one))
        pages.rows.set(number, replaced)
      }
      options.onChange()
    },
    close: () => closePages(pages),
  }
}
