import { IN_USE } from '#domain/archive/search/superseded.ts'
import type { RecordType } from '#domain/weather/types.ts'

/** An SQL condition on a record `r`; each value goes through `bind`, which returns its placeholder. */
export type Condition = (bind: (value: unknown) => string) => string

/** The record after which a page begins: its day, YYYY-MM-DD, and its id. */
export interface RecordKey {
  occurred_on: string
  id: number
}

/** Runs one statement on the database. */
export type RunStatement = <Row extends object>(text: string, values: unknown[]) => Promise<Row[]>

/** The page to read: its size, and the record after which it begins. */
export interface PageOf {
  after?: RecordKey | null
  size: number
}

/** A page of a file. One statement builds it in the file's format, so records never become objects in this process. */
export interface ExportPage<Row> {
  row: Row
}

/**
 * Excludes records that a source has withdrawn, preliminary records that a final one replaced, and cells of the radar grid, which become
 * records only because a team looked there. Worded exactly like the index by day: otherwise PostgreSQL does not use it.
 */
const EXPORTED = `r.withdrawn_at IS NULL AND (r.precision = 'grid') IS FALSE AND ${IN_USE}`

/**
 * Returns one page of the records that meet every condition, newest day first.
 * @param select SQL on the page's records `r`: a row for each, or aggregates, which receive them in this order
 */
export async function readExported<Row extends object>(
  runStatement: RunStatement,
  select: string,
  conditions: readonly Condition[],
  { after = null, size }: PageOf,
): Promise<Row[]> {
  const values: unknown[] = []
  const bind = (value: unknown) => `$${values.push(value)}`
  const allConditions = after
    ? [...conditions, (to: typeof bind) => `(r.occurred_on, r.id) < (${to(after.occurred_on)}::date, ${to(after.id)}::int)`]
    : conditions
  const page = `SELECT r.* FROM archive_records r WHERE ${[EXPORTED, ...allConditions.map((condition) => condition(bind))].join(' AND ')}
                 ORDER BY r.occurred_on DESC, r.id DESC LIMIT ${bind(size)}::int`
  return runStatement(`SELECT ${select} FROM (${page}) r`, values)
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
