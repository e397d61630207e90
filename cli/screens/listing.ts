import type { Query } from '../service.ts'
import type { Connection } from '../settings.ts'
import type { Row as ListedRow } from './rows.ts'
import type { Look } from './terminal.ts'
import type { Line } from './text.ts'

/**
 * What is listed on a screen, and what can be done with it. What takes a row is a method, so that a list, which knows of rows their
 * ids alone, hands each listing its own.
 */
export interface Listing<Row extends ListedRow = ListedRow> {
  path: string
  columns: readonly Column<Row>[]
  /** Filters that the text typed after `/` stands for. */
  filters(search: string): Query
  /** What the rows are where nothing is typed. */
  usual: string
  /** What may be typed after `/`. */
  searches: string
  /** Reads all of a row, and answers how it is laid out. */
  open(connection: Connection, row: Pick<Row, 'id'>): Promise<Layout>
  /** Lines above the list. */
  banner(connection: Connection): Promise<string[]>
  acts: Readonly<Record<string, Action<Row>>>
  /** Where a browser shows more of it; null where nothing does. */
  pageOf(connection: Connection, row: Row): string | null
}

/** Width in columns; 0 takes what the others leave. */
export interface Column<Row> {
  title: string
  width: number
  of(row: Row): unknown
}

export type Layout = (width: number, look: Look) => Line[]

/** What a key does with rows. */
export interface Action<Row = ListedRow> {
  /** As the line of keys shows it, and as the message says when it is done. */
  name: string
  label: string
  /** Answers the row as it then stands. */
  run(connection: Connection, row: Row): Promise<Row>
  /** Key of the act that takes it back, by how the row stood before; null where it changed nothing. */
  back?(row: Row): string | null
}
