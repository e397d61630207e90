import { IN_USE } from '#domain/archive/search/superseded.ts'
import type { RecordType } from '#domain/weather/types.ts'

/** A condition on a record `r` in SQL; each value goes through `bind`, which answers what stands for it. */
export type Condition = (bind: (value: unknown) => string) => string

/** Behind which record a page begins: its day, YYYY-MM-DD, and its number. */
export interface RecordKey {
  occurred_on: string
  id: number
}

/** Asks the database one statement. */
export type Ask = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>

/** Which page is read: of how many records, and behind which. */
export interface PageOf {
  behind?: RecordKey | null
  size: number
}

/** A page of a file, made by one statement as its format has it, so that no record is ever an object here. */
export interface ExportPage<Row> {
  row: Row
}

/**
 * What the archive says now: neither what a source has withdrawn, nor a preliminary record that a final one took the place of, nor a cell of the
 * radar grid, which is a record only because somebody asked there. In the words of the index by day, which PostgreSQL takes for no others.
 */
const EXPORTED = `r.withdrawn_at IS NULL AND (r.precision = 'grid') IS FALSE AND ${IN_USE}`

/**
 * One page of the records that meet every condition, newest day first.
 * @param select what is answered of the page's records `r`, in SQL: a row of each, or aggregates, which take them in this order
 */
export async function readExported<Row extends object>(
  ask: Ask,
  select: string,
  conditions: readonly Condition[],
  { behind = null, size }: PageOf,
): Promise<Row[]> {
  const values: unknown[] = []
  const bind = (value: unknown) => `$${values.push(value)}`
  const met = behind
    ? [...conditions, (to: typeof bind) => `(r.occurred_on, r.id) < (${to(behind.occurred_on)}::date, ${to(behind.id)}::int)`]
    : conditions
  const page = `SELECT r.* FROM archive_records r WHERE ${[EXPORTED, ...met.map((condition) => condition(bind))].join(' AND ')}
                 ORDER BY r.occurred_on DESC, r.id DESC LIMIT ${bind(size)}::int`
  return ask(`SELECT ${select} FROM (${page}) r`, values)
}

/** Conditions that listings and exports share. */
export const recordsOf = {
  days: (from: string | null, to: string | null): Condition[] => [
    ...(from === null ? [] : [(bind: Parameters<Condition>[0]) => `r.occurred_on >= ${bind(from)}::date`]),
    ...(to === null ? [] : [(bind: Parameters<Condition>[0]) => `r.occurred_on <= ${bind(to)}::date`]),
  ],
  types:
    (types: readonly RecordType[]): Condition =>
    (bind) =>
      `r.type = ANY(${bind(types)}::text[])`,
  states:
    (states: readonly string[]): Condition =>
    (bind) =>
      `r.state = ANY(${bind(states)}::text[])`,
  id:
    (id: number): Condition =>
    (bind) =>
      `r.id = ${bind(id)}::int`,
}
