import type { Columns } from '#domain/exports/columns.ts'
import { csvRecord } from '#domain/kernel/csv.ts'

/**
 * Yields a CSV file in pieces. The names of its columns come with the first page, so that a fault in reading that page comes before anything
 * was sent; without a page they come alone.
 * @param linesOf returns the records of a page as text, each with its line end
 */
export async function* csvFile<Page>(
  names: readonly string[],
  pages: AsyncIterable<Page>,
  linesOf: (page: Page) => string,
): AsyncGenerator<string> {
  let header = csvRecord(names)
  for await (const page of pages) {
    yield header + linesOf(page)
    header = ''
  }
  if (header !== '') yield header
}

/** Does the same for pages of views, each of which becomes a record with these columns. */
export function csvOfViews<View>(columns: Columns<View>, pages: AsyncIterable<View[]>): AsyncGenerator<string> {
  const cells = Object.values(columns)
  return csvFile(Object.keys(columns), pages, (views) => views.map((view) => csvRecord(cells.map((cell) => cell(view)))).join(''))
}
