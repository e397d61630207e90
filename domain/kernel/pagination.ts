import { wholeNumber } from '#domain/kernel/fields.ts'
import { type Form, preset, readNew, type Sent, type ValuesOf } from '#domain/kernel/form.ts'
import type { Faults } from '#domain/kernel/validation.ts'

/** Maximum rows of a page: enough to walk a long listing in few requests, and small enough to read at once. */
export const PER_PAGE_MAX = 100

/** Default rows of a page: a screenful. */
export const PER_PAGE = 25

/** A requested page, already clamped: page >= 1, per_page 1..100. */
export interface Paging {
  page: number
  per_page: number
}

const size = wholeNumber('The page size', { min: 1, max: PER_PAGE_MAX })

/** The paging fields of every listing. A page size out of bounds is clamped, so its schema has no bounds: a client that checks them would refuse what works. */
export const pagingForm = {
  page: preset(wholeNumber('The page', { min: 1 }), 1),
  per_page: preset({ ...size, schema: { type: 'integer' }, read: readSize }, PER_PAGE),
}

/** The filters and the page of a listing, as sent. */
export type Listing<Filters extends Form> = Sent<Filters> & Sent<typeof pagingForm>

/** Checks filters and page together. The caller refuses the faults, together with any others that it finds. */
export function readListing<Filters extends Form>(
  filters: Filters,
  input: Listing<Filters>,
  faults: Faults,
): { filters: ValuesOf<Filters>; paging: Paging } {
  return { filters: readNew(filters, input, faults), paging: readNew(pagingForm, input, faults) }
}

/** Returns the page of a listing that was already checked. */
export function pagingOf({ page, per_page }: { page?: number | null | undefined; per_page?: number | null | undefined }): Paging {
  return { page: page ?? 1, per_page: clamp(per_page ?? PER_PAGE) }
}

const clamp = (rows: number) => Math.min(Math.max(rows, 1), PER_PAGE_MAX)

function readSize(sent: unknown, path: string, faults: Faults): number | null {
  return size.read(typeof sent === 'number' && Number.isInteger(sent) ? clamp(sent) : sent, path, faults)
}

/** One page of rows and the number of rows on all pages. */
export interface PageOf<T> {
  data: T[]
  total: number
  /** What the link to the next page sends as `after`, for a listing whose pages continue from a row instead of a number. */
  after?: string | null
}

/** Returns the number of rows before the page. */
export function offsetOf({ page, per_page }: Paging): number {
  return (page - 1) * per_page
}

/**
 * Returns the end of a named statement that reads a page: a suffix for the name, the text, and the values of the whole statement.
 * The usual first page is written out, so that the server plans it once; it plans a page of unknown size every time.
 */
export function pageClause(paging: Paging, filterValues: unknown[]): { name: string; text: string; values: unknown[] } {
  const { page, per_page } = paging
  if (page === 1 && per_page === PER_PAGE) return { name: 'first', text: `LIMIT ${PER_PAGE}`, values: filterValues }
  const text = `LIMIT $${filterValues.length + 1} OFFSET $${filterValues.length + 2}`
  return { name: 'any', text, values: [...filterValues, per_page, offsetOf(paging)] }
}

/** Page size when a whole listing is read: a few hundred kilobytes of text. */
const BULK_PAGE_SIZE = 1000

/**
 * Yields every row of a listing, a page at a time, each page starting after the last row of the one before. No statement or
 * connection stays open between two pages, however slow the consumer is; a consumer may stop at any time. A row added meanwhile
 * may be missing.
 * @param read returns the rows after the last row of the previous page (null for the first page), in the listing's order
 * @param size rows of a page; fewer than the usual number where a row may be large
 */
export async function* pagesByKey<Row>(
  read: (last: Row | null, size: number) => Promise<Row[]>,
  size = BULK_PAGE_SIZE,
): AsyncGenerator<Row[]> {
  for (let last: Row | null = null; ; ) {
    const rows: Row[] = await read(last, size)
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    last = rows.at(-1) ?? null
  }
}

/** The key of a row in a listing ordered by creation time. */
interface CreationKey {
  created_at: Date
  id: string
}

/** Returns the key values after which a page starts; for the first page, values beyond every row. */
export function keyAfter(last: CreationKey | null): [created_at: Date | string, id: string] {
  return last ? [last.created_at, last.id] : ['infinity', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
}
