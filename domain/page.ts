/** Rows of one page at most: enough to walk a long listing in few requests, and small enough to be read at once. */
export const PER_PAGE_MAX = 100

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
