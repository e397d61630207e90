import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { Cell, type Column } from './table.tsx'

interface Props<Row, Key extends string | number> {
  /** Name for screen readers. */
  caption: string
  columns: readonly Column<Row>[]
  /** Total number of rows. */
  count: number
  /** Returns undefined for a row that has not been read. */
  rowAt: (index: number) => Row | undefined
  keyOf: (row: Row) => Key
  /** Name of a row's checkbox for screen readers. */
  nameOf: (row: Row) => string
  /** Called with the range of rows in sight, so that they are read. */
  look: (first: number, last: number) => void
  /** Set if rows can be selected. */
  chosen?: ReadonlySet<Key>
  choose?: (key: Key, on: boolean) => void
  /** Selects every row, in sight or not, or none. */
  chooseAll?: (on: boolean) => void
  /** Index of the current row, which stays in sight. */
  at?: number
}

/** Estimated height in pixels of a row before it is measured: a line, or a card on a narrow screen. */
const ROW_PX = 46
const CARD_PX = 210
/** Rows that are rendered above and below the visible ones, so that scrolling shows no blank rows. */
const OVERSCAN_ROWS = 20
/** The same until the first rows have been painted, which come first. */
const INITIAL_OVERSCAN_ROWS = 2

const narrow = matchMedia('(max-width: 46rem)')

/** A table of any number of rows that renders only those in sight. */
export function VirtualTable<Row, Key extends string | number = string>(props: Props<Row, Key>) {
  const { caption, columns, count, look, choose, at } = props
  const holder = useRef<HTMLElement>(null)
  const rows = useVirtualizer({
    count,
    getScrollElement: () => holder.current,
    estimateSize: () => (narrow.matches ? CARD_PX : ROW_PX),
    overscan: useIsSeen() ? OVERSCAN_ROWS : INITIAL_OVERSCAN_ROWS,
  })
  const drawn = rows.getVirtualItems()
  const first = drawn.at(0)?.index ?? 0
  const last = drawn.at(-1)?.index ?? 0
  useEffect(() => look(first, last), [first, last, look])
  // A page opens at its top, where the first row is.
  const shown = useRef(0)
  useEffect(() => {
    if (at === undefined || at >= count || at === shown.current) return
    rows.scrollToIndex(at)
    // The position of a row is known only after it and the rows above it are rendered and measured.
    const drawn = requestAnimationFrame(() => {
      shown.current = at
      holder.current?.querySelector('tr.at')?.scrollIntoView({ block: 'nearest' })
    })
    return () => cancelAnimationFrame(drawn)
  }, [at, count, rows])
  const width = columns.length + (choose ? 1 : 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section ref={holder} className="table-holder rows" aria-label={caption} tabIndex={0}>
      <table className="cards" aria-rowcount={count + 1}>
        <caption className="hidden-text">{caption}</caption>
        <Heading {...props} />
        <tbody>
          <Space width={width} px={drawn.at(0)?.start ?? 0} />
          {drawn.map(({ index }) => (
            <DrawnRow key={index} {...props} index={index} measure={rows.measureElement} />
          ))}
          <Space width={width} px={rows.getTotalSize() - (drawn.at(-1)?.end ?? 0)} />
        </tbody>
      </table>
    </section>
  )
}

/** Whether the first render has been painted. */
function useIsSeen(): boolean {
  const [seen, setSeen] = useState(false)
  useEffect(() => {
    const frame = requestAnimationFrame(() => setTimeout(() => setSeen(true)))
    return () => cancelAnimationFrame(frame)
  }, [])
  return seen
}

type HeadingProps<Row, Key extends string | number> = Pick<Props<Row, Key>, 'columns' | 'count' | 'chosen' | 'choose' | 'chooseAll'>

function Heading<Row, Key extends string | number>({ columns, count, chosen, choose, chooseAll }: HeadingProps<Row, Key>) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {choose && (
          <th scope="col" className="choice">
            {chooseAll ? (
              <input
                type="checkbox"
                aria-label="Select all rows"
                checked={chosen?.size === count}
                onChange={(event) => chooseAll(event.target.checked)}
              />
            ) : (
              <span className="hidden-text">Selected</span>
            )}
          </th>
        )}
        {columns.map(({ label, number, wide, short, sentence }) => (
          <th
            key={label}
            scope="col"
            className={number ? 'number' : wide ? (sentence ? 'wide sentence' : 'wide') : short ? 'short' : undefined}
          >
            {label}
          </th>
        ))}
      </tr>
    </thead>
  )
}

interface DrawnRowProps<Row, Key extends string | number> extends Props<Row, Key> {
  index: number
  /** Measures the height of the row. */
  measure: (row: HTMLTableRowElement | null) => void
}

function DrawnRow<Row, Key extends string | number>(props: DrawnRowProps<Row, Key>) {
  const { columns, rowAt, keyOf, nameOf, chosen, choose, at, index, measure } = props
  const row = rowAt(index)
  const key = row && keyOf(row)
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      className={index === at ? 'at' : undefined}
      data-chosen={(key !== undefined && chosen?.has(key)) || undefined}
    >
      {choose && (
        <td className="choice" data-label="Selected">
          {row && key !== undefined && (
            <input
              type="checkbox"
              aria-label={`Select ${nameOf(row)}`}
              checked={chosen?.has(key) ?? false}
              onChange={(event) => choose(key, event.target.checked)}
            />
          )}
        </td>
      )}
      {columns.map((column) => (
        <Cell key={column.label} column={column} row={row} />
      ))}
    </tr>
  )
}

/** Fills the space of the rows that are not rendered. */
function Space({ width, px }: { width: number; px: number }) {
  if (px <= 0) return null
  return (
    <tr className="space" aria-hidden>
      <td colSpan={width} style={{ height: px }} />
    </tr>
  )
}
