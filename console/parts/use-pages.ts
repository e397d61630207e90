import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useLater } from './use-later.ts'

/** Rows of a page: the most that the service answers at once. */
export const PAGE_ROWS = 100
/** What is scrolled past is not read: rows are, once the list has been still for so long. */
const STILL_MS = 80
/** Rows that are read before they come into sight. */
const AHEAD = 100

export interface RowsOfPage<Row> {
  rows: readonly Row[]
  total: number
}

/**
 * Reads the pages in sight and those beside them, from 1, and has every row that was read; `fault` says why one of them was not.
 * @param key under which the pages are kept, each with its number behind it
 * @param total rows in all
 */
export function usePages<Row>(key: readonly unknown[], read: (page: number) => Promise<RowsOfPage<Row>>, total: number) {
  const queries = useQueryClient()
  const [sight, setSight] = useState('1 1')
  const look = useCallback(
    (first: number, last: number) => setSight(`${pageOf(Math.max(first - AHEAD, 0))} ${pageOf(Math.min(last + AHEAD, total - 1))}`),
    [total],
  )
  const [from = 1, until = 1] = useLater(sight, STILL_MS).split(' ').map(Number)
  const pages = Array.from({ length: until - from + 1 }, (_, at) => from + at)
  const found = useQueries({ queries: pages.map((page) => ({ queryKey: [...key, page], queryFn: () => read(page) })) })
  // That the rows are looked at here has the list drawn when they come.
  const unread = found.filter(({ data, error }) => data === undefined && error !== null)
  const retry = () => void Promise.all(unread.map((one) => one.refetch()))
  const rowAt = (index: number) => queries.getQueryData<RowsOfPage<Row>>([...key, pageOf(index)])?.rows[index % PAGE_ROWS]
  return { rowAt, look, fault: unread[0]?.error ?? null, retry }
}

const pageOf = (index: number) => Math.floor(index / PAGE_ROWS) + 1
