import type { Query } from '../service.ts'
import type { Connection } from '../settings.ts'
import type { Row as ListedRow } from './listing-pages.ts'
import type { TerminalStyle } from './terminal.ts'
import type { Line } from './text.ts'

/**
 * The rows of a screen and their actions. Functions that take a row are methods, so that a list, which knows only the ids of rows,
 * can pass each listing its own row type.
 */
export interface Listing<Row extends ListedRow = ListedRow> {
  path: string
  columns: readonly Column<Row>[]
  /** Filters from the text typed after `/`. */
  filters(search: string): Query
  /** Name of the rows if no filter is typed. */
  defaultLabel: string
  /** What may be typed after `/`. */
  searchHint: string
  /** Reads the whole row and returns its layout. */
  open(connection: Connection, row: Pick<Row, 'id'>): Promise<Layout>
  /** Lines above the list. */
  banner(connection: Connection): Promise<string[]>
  acts: Readonly<Record<string, Action<Row>>>
  /** URL with more details; null if there is none. */
  detailsUrl(connection: Connection, row: Row): string | null
}

/** Width in columns; 0 takes the remaining width. */
export interface Column<Row> {
  title: string
  width: number
  of(row: Row): unknown
}

export type Layout = (width: number, look: TerminalStyle) => Line[]

/** An action of a key on rows. */
export interface Action<Row = ListedRow> {
  /** Label in the key line, and in the message after the action. */
  name: string
  label: string
  /** Returns the row as it is afterwards. */
  run(connection: Connection, row: Row): Promise<Row>
  /** Undoes it. Returns the row as it is afterwards; null if somebody has changed it since the action: then it stays as it is. */
  undo?(connection: Connection, before: Row, after: Row): Promise<Row | null>
}
