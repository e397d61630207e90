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
  onVisibleRange: (first: number, last: number) => void
  /** Set if rows can be selected. */
  selected?: ReadonlySet<Key>
  select?: (key: Key, on: boolean) => void
  /** Selects every row, in sight or not, or none. */
  selectAll?: (on: boolean) => void
  /** Index of the current row, which comes into sight when another row becomes it. */
  currentIndex?: number
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
  const { caption, columns, count, rowAt, keyOf, onVisibleRange, select, currentIndex } = props
  const scroller = useRef<HTMLElement>(null)
  const rows = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => (narrow.matches ? CARD_PX : ROW_PX),
    overscan: useIsPainted() ? OVERSCAN_ROWS : INITIAL_OVERSCAN_ROWS,
  })
  const virtualItems = rows.getVirtualItems()
  const first = virtualItems.at(0)?.index ?? 0
  const last = virtualItems.at(-1)?.index ?? 0
  useEffect(() => onVisibleRange(first, last), [first, last, onVisibleRange])
  const current = currentIndex === undefined ? undefined : rowAt(currentIndex)
  const currentKey = current && keyOf(current)
  // A page opens at its top, where the first row is.
  const shown = useRef<{ index: number; key?: Key | undefined }>({ index: 0 })
  useEffect(() => {
    if (currentIndex === undefined || currentIndex >= count) return
    const { index, key } = shown.current
    const now = { index: currentIndex, key: currentKey }
    // The list stays where it is scrolled to if only other rows came before the current row, or went.
    if (currentIndex === index || (key !== undefined && currentKey === key)) {
      shown.current = now
      return
    }
    rows.scrollToIndex(currentIndex)
    // The position of a row is known only after it and the rows above it are rendered and measured.
    const frame = requestAnimationFrame(() => {
      shown.current = now
      scroller.current?.querySelector('tr.at')?.scrollIntoView({ block: 'nearest' })
    })
    return () => cancelAnimationFrame(frame)
  }, [currentIndex, currentKey, count, rows])
  const columnCount = columns.length + (select ? 1 : 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
    <section ref={scroller} className="table-holder rows" aria-label={caption} tabIndex={0}>
      <table className="cards" aria-rowcount={count + 1}>
        <caption className="hidden-text">{caption}</caption>
        <Heading {...props} />
        <tbody>
          <Spacer columnCount={columnCount} height={virtualItems.at(0)?.start ?? 0} />
          {virtualItems.map(({ index }) => (
            <VirtualRow key={index} {...props} index={index} measure={rows.measureElement} />
          ))}
          <Spacer columnCount={columnCount} height={rows.getTotalSize() - (virtualItems.at(-1)?.end ?? 0)} />
        </tbody>
      </table>
    </section>
  )
}

/** Whether the first render has been painted. */
function useIsPainted(): boolean {
  const [isPainted, setPainted] = useState(false)
  useEffect(() => {
    const frame = requestAnimationFrame(() => setTimeout(() => setPainted(true)))
    return () => cancelAnimationFrame(frame)
  }, [])
  return isPainted
}

type HeadingProps<Row, Key extends string | number> = Pick<Props<Row, Key>, 'columns' | 'count' | 'selected' | 'select' | 'selectAll'>

function Heading<Row, Key extends string | number>({ columns, count, selected, select, selectAll }: HeadingProps<Row, Key>) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {select && (
          <th scope="col" className="choice">
            {selectAll ? (
              <input
                type="checkbox"
                aria-label="Select all rows"
                checked={selected?.size === count}
                onChange={(event) => selectAll(event.target.checked)}
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

interface VirtualRowProps<Row, Key extends string | number> extends Props<Row, Key> {
  index: number
  /** Measures the height of the row. */
  measure: (row: HTMLTableRowElement | null) => void
}

function VirtualRow<Row, Key extends string | number>(props: VirtualRowProps<Row, Key>) {
  const { columns, rowAt, keyOf, nameOf, selected, select, currentIndex, index, measure } = props
  const row = rowAt(index)
  const key = row && keyOf(row)
  return (
    <tr
      ref={measure}
      data-index={index}
      aria-rowindex={index + 2}
      className={index === currentIndex ? 'at' : undefined}
      aria-current={index === currentIndex || undefined}
      data-chosen={(key !== undefined && selected?.has(key)) || undefined}
    >
      {select && (
        <td className="choice" data-label="Selected">
          {row && key !== undefined && (
            <input
              type="checkbox"
              aria-label={`Select ${nameOf(row)}`}
              checked={selected?.has(key) ?? false}
              onChange={(event) => select(key, event.target.checked)}
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
function Spacer({ columnCount, height }: { columnCount: number; height: number }) {
  if (height <= 0) return null
  return (
    <tr className="space" aria-hidden>
      <td colSpan={columnCount} style={{ height: height }} />
    </tr>
  )
}
