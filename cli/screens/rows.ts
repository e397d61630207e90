import { useCallback, useEffect, useRef, useState } from 'react'
import { isFailure } from '../failure.ts'
import { page, type Query } from '../service.ts'
import type { Connection } from '../settings.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows of the API, in the shape of its contract
export type Row = any

export interface Rows {
  total: number | null
  /** Null while the page that it stands on is on its way. */
  at(index: number): Row | null
  /** Says which rows are looked at: what is missing of them is fetched. */
  look(from: number, to: number): void
  refresh(): void
  put(row: Row): void
}

/** Rows of one request: small enough to come at once. */
const PAGE = 50
/** Milliseconds until a lost connection is tried again. */
const AGAIN_MS = 2000

/** The rows of a listing, fetched page by page as they are looked at. */
export function useRows(connection: Connection, path: string, filters: Query, tell: (fault: Error | null) => void): Rows {
  const key = path + JSON.stringify(filters)
  const [state, setState] = useState<{ key: string; total: number | null; pages: Map<number, Row[]> }>({
    key,
    total: null,
    pages: new Map(),
  })
  const asked = useRef(new Set<string>())
  const alive = useRef(true)
  const [turn, setTurn] = useState(0)

  const fetchPage = useCallback(
    (number: number) => {
      const mark = `${key} ${turn} ${number}`
      if (asked.current.has(mark)) return
      asked.current.add(mark)
      page<Row>(connection, path, { ...filters, page: number, per_page: PAGE }).then(
        ({ data, meta }) => {
          if (!alive.current) return
          tell(null)
          setState((before) => ({
            key,
            total: meta.total,
            pages: new Map(before.key === key ? before.pages : []).set(number, data),
          }))
        },
        (fault) => {
          if (!alive.current) return
          tell(fault)
          if (isFailure(fault) && 'unreachable' in fault)
            setTimeout(() => {
              asked.current.delete(mark)
              if (alive.current) fetchPage(number)
            }, AGAIN_MS)
        },
      )
    },
    [key, turn],
  )
  useEffect(() => {
    alive.current = true
    fetchPage(1)
    return () => {
      alive.current = false
    }
  }, [fetchPage])

  const current = state.key === key ? state : { total: null, pages: new Map<number, Row[]>() }
  return {
    total: current.total,
    at: (index) => current.pages.get(Math.floor(index / PAGE) + 1)?.[index % PAGE] ?? null,
    look: (from, to) => {
      for (let number = Math.floor(from / PAGE) + 1; number <= Math.floor(to / PAGE) + 1; number++) fetchPage(number)
    },
    refresh: () => setTurn((before) => before + 1),
    put: (row) =>
      setState((before) => ({
        ...before,
        pages: new Map([...before.pages].map(([number, rows]) => [number, rows.map((one) => (one.id === row.id ? row : one))])),
      })),
  }
}
