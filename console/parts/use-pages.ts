import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useDebounced } from './use-debounced.ts'

/** Rows per page: the most that the service returns at once. */
export const PAGE_ROWS = 100
/** Rows are read once the list has not scrolled for this long. Rows that are only scrolled past are not read. */
const SCROLL_SETTLE_MS = 80
/** Rows that are read ahead, before they come into sight. */
const PREFETCH_ROWS = 100

export interface RowsOfPage<Row> {
  rows: readonly Row[]
  total: number
}

/**
 * Reads the pages in sight and their neighbours, from 1. `rowAt` returns a row if its page was read; `fault` is the error of a page
 * that could not be read.
 * @param key query key of the pages, each of which appends its number
 * @param total number of rows
 */
export function usePages<Row>(key: readonly unknown[], read: (page: number) => Promise<RowsOfPage<Row>>, total: number) {
  const queries = useQueryClient()
  const [visiblePages, setVisiblePages] = useState('1 1')
  const setVisibleRange = useCallback(
    (first: number, last: number) =>
      setVisiblePages(`${pageOf(Math.max(first - PREFETCH_ROWS, 0))} ${pageOf(Math.min(last + PREFETCH_ROWS, total - 1))}`),
    [total],
  )
  const [from = 1, until = 1] = useDebounced(visiblePages, SCROLL_SETTLE_MS).split(' ').map(Number)
  const pages = Array.from({ length: until - from + 1 }, (_, at) => from + at)
  const found = useQueries({ queries: pages.map((page) => ({ queryKey: [...key, page], queryFn: () => read(page) })) })
  // Reading the results here makes the component render again when rows arrive.
  const unread = found.filter(({ data, error }) => data === undefined && error !== null)
  const retry = () => void Promise.all(unread.map((one) => one.refetch()))
  const rowAt = (index: number) => queries.getQueryData<RowsOfPage<Row>>([...key, pageOf(index)])?.rows[index % PAGE_ROWS]
  return { rowAt, look: setVisibleRange, fault: unread[0]?.error ?? null, retry }
}

const pageOf = (index: number) => Math.floor(index / PAGE_ROWS) + 1
