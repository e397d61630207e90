/** Rows of one page at most: enough to walk a long listing in few requests, and small enough to be read at once. */
export const PER_PAGE_MAX = 100

/** Rows of a page where no size is sent: a screenful. */
export const PER_PAGE = 25

/** A page asked for, already clamped: page >= 1, per_page 1..100. */
export interface Paging {
  page: number
  per_page: number
}

/** One page of rows and the number of rows on all pages. */
export interface PageOf<T> {
  data: T[]
  total: number
}

/** How many rows stand before the page. */
export function offsetOf({ page, per_page }: Paging): number {
  return (page - 1) * per_page
}

/**
 * The end of a named statement that reads a page: its part of the name, its text, and the values of the whole.
 * The usual first page is written out: the server then plans it once, where a page of unknown size it plans anew each time.
 */
export function sliceOf(paging: Paging, narrowing: unknown[]): { name: string; text: string; values: unknown[] } {
  const { page, per_page } = paging
  if (page === 1 && per_page === PER_PAGE) return { name: 'first', text: `LIMIT ${PER_PAGE}`, values: narrowing }
  const text = `LIMIT $${narrowing.length + 1} OFFSET $${narrowing.length + 2}`
  return { name: 'any', text, values: [...narrowing, per_page, offsetOf(paging)] }
}
