import { wholeNumber } from '#domain/kernel/fields.ts'
import { type Form, preset, readNew, type Sent, type ValuesOf } from '#domain/kernel/form.ts'
import type { Faults } from '#domain/kernel/validation.ts'

/** Rows of one page at most: enough to walk a long listing in few requests, and small enough to be read at once. */
export const PER_PAGE_MAX = 100

/** Rows of a page where no size is sent: a screenful. */
export const PER_PAGE = 25

/** A page asked for, already clamped: page >= 1, per_page 1..100. */
export interface Paging {
  page: number
  per_page: number
}

const size = wholeNumber('The page size', { min: 1, max: PER_PAGE_MAX })

/** What every listing takes beside its filters. A size beyond its bounds becomes the bound. */
export const pagingForm = {
  page: preset(wholeNumber('The page', { min: 1 }), 1),
  per_page: preset({ ...size, read: readSize }, PER_PAGE),
}

/** The filters of a listing and the page that is asked for, as sent. */
export type Listing<Filters extends Form> = Sent<Filters> & Sent<typeof pagingForm>

/** Judges filters and page together; the faults are the caller's to refuse, with what else it finds. */
export function readListing<Filters extends Form>(
  filters: Filters,
  asked: Listing<Filters>,
  faults: Faults,
): { filters: ValuesOf<Filters>; paging: Paging } {
  return { filters: readNew(filters, asked, faults), paging: readNew(pagingForm, asked, faults) }
}

/** The page of a listing whose faults were judged before. */
export function pagingOf({ page, per_page }: { page?: number | null | undefined; per_page?: number | null | undefined }): Paging {
  return { page: page ?? 1, per_page: clamped(per_page ?? PER_PAGE) }
}

const clamped = (rows: number) => Math.min(Math.max(rows, 1), PER_PAGE_MAX)

function readSize(sent: unknown, path: string, faults: Faults): number | null {
  return size.read(typeof sent === 'number' && Number.isInteger(sent) ? clamped(sent) : sent, path, faults)
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
