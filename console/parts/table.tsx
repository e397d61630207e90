import type { ReactNode } from 'react'

export interface Column<Row> {
  label: string
  number?: boolean
  /** Stays on one line. */
  short?: boolean
  /** Has more room than the others, where columns are of one width. */
  wide?: boolean
  show: (row: Row) => ReactNode
}

export interface TableProps<Row> {
  /** What a screen reader calls it. */
  caption: string
  columns: Column<Row>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** Where the keyboard is. */
  at?: number | undefined
  /** Given where rows can be chosen. */
  chosen?: ReadonlySet<string | number>
  choose?: (key: string | number, on: boolean) => void
  /** Chooses every row that is shown, or none. */
  chooseAll?: (on: boolean) => void
}

/** Rows in columns; on a narrow screen each row is a card of labelled values. */
export function Table<Row>({ caption, columns, rows, keyOf, at, chosen, choose, chooseAll }: TableProps<Row>) {
  return (
    <div className="table-holder">
      <table className="cards">
        <caption className="hidden-text">{caption}</caption>
        <thead>
          <tr>
            {choose && (
              <th scope="col">
                {chooseAll ? (
                  <input
                    type="checkbox"
                    aria-label="Choose all rows"
                    checked={rows.length > 0 && rows.every((row) => chosen?.has(keyOf(row)))}
                    onChange={(event) => chooseAll(event.target.checked)}
                  />
                ) : (
                  <span className="hidden-text">Chosen</span>
                )}
              </th>
            )}
            {columns.map(({ label, number }) => (
              <th key={label} scope="col" className={number ? 'number' : undefined}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => {
            const key = keyOf(row)
            return (
              <tr key={key} className={place === at ? 'at' : undefined} data-chosen={chosen?.has(key) || undefined}>
                {choose && (
                  <td data-label="Chosen">
                    <input
                      type="checkbox"
                      aria-label={`Choose row ${place + 1}`}
                      checked={chosen?.has(key) ?? false}
                      onChange={(event) => choose(key, event.target.checked)}
                    />
                  </td>
                )}
                {columns.map(({ label, number, short, show }) => (
                  <td key={label} data-label={label} className={number ? 'number' : short ? 'short' : undefined}>
                    <div>{show(row)}</div>
                  </td>
                ))}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

export interface PageMeta {
  current_page: number
  last_page: number
  total: number
  from: number | null
  to: number | null
}

interface PagerProps {
  meta: PageMeta
  go: (page: number) => void
}

/** Which rows are seen, and the way to the others. */
export function Pager({ meta, go }: PagerProps) {
  if (meta.total === 0) return null
  return (
    <nav className="pager" aria-label="Pages">
      <span className="soft small">
        {meta.from} to {meta.to} of {meta.total.toLocaleString('en-US')}
      </span>
      {meta.last_page > 1 && (
        <span className="row">
          <button className="button" type="button" disabled={meta.current_page <= 1} onClick={() => go(meta.current_page - 1)}>
            Earlier
          </button>
          <button className="button" type="button" disabled={meta.current_page >= meta.last_page} onClick={() => go(meta.current_page + 1)}>
            Later
          </button>
        </span>
      )}
    </nav>
  )
}
