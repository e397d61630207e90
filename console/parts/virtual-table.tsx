import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { Cell, type Column } from './table.tsx'

interface Props<Row, Key extends string | number> {
  /** What a screen reader calls it. */
  caption: string
  columns: readonly Column<Row>[]
  /** Rows in all. */
  count: number
  /** Undefined of a row that has not been read. */
  rowAt: (index: number) => Row | undefined
  keyOf: (row: Row) => Key
  /** What a screen reader calls a row where it is chosen. */
  nameOf: (row: Row) => string
  /** Hears which rows are in sight, so that they are read. */
  look: (first: number, last: number) => void
  /** Given where rows can be chosen. */
  chosen?: ReadonlySet<Key>
  choose?: (key: Key, on: boolean) => void
  /** Chooses every row there is, in sight or not, or none. */
  chooseAll?: (on: boolean) => void
  /** Where the keyboard is: it stays in sight. */
  at?: number
}

/** Pixels of a row before it is measured: of a line, and of a card on a narrow screen. */
const ROW_PX = 46
const CARD_PX = 210
/** Rows beyond what is seen, above and below, so that scrolling shows none that is not drawn. */
const BEYOND = 20
/** As many until the first rows are seen, which come first. */
const BEYOND_AT_FIRST = 2

const narrow = matchMedia('(max-width: 46rem)')

/** A table of any number of rows, of which those in sight are drawn. */
export function VirtualTable<Row, Key extends string | number = string>(props: Props<Row, Key>) {
  const { caption, columns, count, look, choose, at } = props
  const holder = useRef<HTMLElement>(null)
  const rows = useVirtualizer({
    count,
    getScrollElement: () => holder.current,
    estimateSize: () => (narrow.matches ? CARD_PX : ROW_PX),
    overscan: useIsSeen() ? BEYOND : BEYOND_AT_FIRST,
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
    // Where a row ends up is known once it and those above it are drawn and measured.
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

/** Whether what is drawn first has been seen. */
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
  /** Hears how high the row has become. */
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

/** Stands for the rows that are not drawn. */
function Space({ width, px }: { width: number; px: number }) {
  if (px <= 0) return null
  return (
    <tr className="space" aria-hidden>
      <td colSpan={width} style={{ height: px }} />
    </tr>
  )
}
