import type { ReactNode } from 'react'

export interface Column<Row> {
  label: string
  number?: boolean
  /** Stays on one line. */
  short?: boolean
  /** Contains text that people write: words longer than the column are broken. */
  freeText?: boolean
  /** Contains a sentence: the column keeps room for a few words per line. */
  sentence?: boolean
  /** Is wider than the others in a table of equal columns; with `sentence` wider still. */
  wide?: boolean
  show: (row: Row) => ReactNode
}

export interface TableProps<Row> {
  /** Name for screen readers. */
  caption: string
  columns: Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** Index of the current row. */
  currentIndex?: number | undefined
}

/** Rows in columns; on a narrow screen each row is a card of labelled values. */
export function Table<Row>({ caption, columns, rows, keyOf, currentIndex }: TableProps<Row>) {
  return (
    <div className="table-holder">
      <table className="cards">
        <caption className="hidden-text">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ label, number }) => (
              <th key={label} scope="col" className={number ? 'number' : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf(row)} className={index === currentIndex ? 'at' : undefined} aria-current={index === currentIndex || undefined}>
              {columns.map((column) => (
                <Cell key={column.label} column={column} row={row} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Shown if a row has no value. */
const NONE = '–'

/** @param row undefined while it is being read */
export function Cell<Row>({
  column: { label, number, wide, short, freeText, sentence, show },
  row,
}: {
  column: Column<Row>
  row: Row | undefined
}) {
  const shown = row === undefined ? '…' : show(row)
  return (
    <td
      data-label={label}
      data-none={shown === NONE || undefined}
      className={number ? 'number' : wide ? 'wide' : short ? 'short' : freeText ? 'written' : sentence ? 'sentence' : undefined}
    >
      <div>{shown}</div>
    </td>
  )
}

export interface PageMeta {
  current_page: number
  last_page: number
  total: number
  from: number | null
  to: number | null
}

/**
 * The meta of a page of a list that states only its total.
 * @param rows number of rows on the page
 */
export function pageMetaOf(page: number, { per_page, rows, total }: { per_page: number; rows: number; total: number }): PageMeta {
  const before = (page - 1) * per_page
  const [from, to] = rows > 0 ? [before + 1, before + rows] : [null, null]
  return { current_page: page, last_page: Math.max(Math.ceil(total / per_page), 1), total, from, to }
}

interface PagerProps {
  meta: PageMeta
  go: (page: number) => void
}

/** Shows which rows are on the page, with buttons to the other pages. */
export function Pager({ meta, go }: PagerProps) {
  if (meta.total === 0) return null
  return (
    <nav className="pager" aria-label="Pages">
      <span className="soft small" role="status">
        {meta.from?.toLocaleString('en-US')} to {meta.to?.toLocaleString('en-US')} of {meta.total.toLocaleString('en-US')}
      </span>
      {meta.last_page > 1 && (
        <span className="row">
          <button className="button" type="button" disabled={meta.current_page <= 1} onClick={() => go(meta.current_page - 1)}>
            Previous
          </button>
          <button className="button" type="button" disabled={meta.current_page >= meta.last_page} onClick={() => go(meta.current_page + 1)}>
            Next
          </button>
        </span>
      )}
    </nav>
  )
}
