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

/** Rows of one page of a listing that is read whole: a few hundred kilobytes of text. */
const WHOLE_PAGE = 1000

/**
 * Every row of a listing, a page at a time, each page from where the one before ended. Between two pages neither a statement nor
 * a connection is held, however slowly they are taken; who stops asking ends it. A row that is added meanwhile may be missing.
 * @param read the rows behind the last one of the page before, in the listing's order; null for the first page
 */
export async function* pagesByKey<Row>(read: (last: Row | null, size: number) => Promise<Row[]>): AsyncGenerator<Row[]> {
  for (let last: Row | null = null; ; ) {
    const rows: Row[] = await read(last, WHOLE_PAGE)
    if (rows.length > 0) yield rows
    if (rows.length < WHOLE_PAGE) return
    last = rows.at(-1) ?? null
  }
}

/** The key of a row of a listing that is ordered by when its rows were made. */
interface CreationKey {
  created_at: Date
  id: string
}

/** The values that a page begins behind; before the first row everything that can be. */
export function behind(last: CreationKey | null): [created_at: Date | string, id: string] {
  return last ? [last.created_at, last.id] : ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
}
