import type pg from 'pg'
import type { MonthSpan } from '#domain/archive/coverage/window-coverage.ts'
import { REVISION } from '#domain/archive/versions/revision.ts'
import { DAY_MS } from '#domain/kernel/durations.ts'
import { tupleOf } from '#domain/kernel/present.ts'

/** Marks months of states as stored from a source. A later compile date replaces an earlier one. */
export async function markMonths(
  client: pg.ClientBase,
  source: string,
  states: string[],
  months: string[],
  compiled_on: string | null,
  preliminary = false,
): Promise<void> {
  if (months.length === 0) return
  await client.query(
    `WITH marked AS MATERIALIZED (
       SELECT state, (month || '-01')::date AS month FROM unnest($2::text[]) state CROSS JOIN unnest($3::text[]) month
     ), kept AS (
       INSERT INTO coverage_versions (source, state, month, preliminary, compiled_on, from_revision, until_revision)
       SELECT source, state, month, preliminary, compiled_on, revision, ${REVISION} FROM coverage JOIN marked USING (state, month)
        WHERE source = $1 AND compiled_on IS DISTINCT FROM greatest(compiled_on, $4::date) AND revision <> ${REVISION}
       ON CONFLICT DO NOTHING
     )
     INSERT INTO coverage (source, state, month, preliminary, compiled_on) SELECT $1, state, month, $5, $4::date FROM marked
     ON CONFLICT (source, state, month) DO UPDATE
        SET compiled_on = greatest(coverage.compiled_on, EXCLUDED.compiled_on), updated_at = now(), revision = EXCLUDED.revision
      WHERE coverage.compiled_on IS DISTINCT FROM greatest(coverage.compiled_on, EXCLUDED.compiled_on)`,
    [source, states, months, compiled_on, preliminary],
  )
}

/** Offices report for a month until so many days after it: a file that was compiled earlier may lack all records of an office. */
export const REPORTED_WITHIN_DAYS = 120

/** Whether a file may have been compiled before every office had reported for the month, YYYY-MM. False without a compile date. */
export function isCompiledEarly(month: string, compiled_on: string | null): boolean {
  return compiled_on !== null && Date.parse(compiled_on) < Date.parse(lastDayOf(month)) + REPORTED_WITHIN_DAYS * DAY_MS
}

/**
 * Returns the months that a details file proves to be stored: January to the last month in which it has a row. The span
 * runs to December if the file was compiled after 30 April of the next year, because compiles trail by at most 120 days.
 * @param months months of its rows, YYYY-MM
 */
export function storedMonths(months: Iterable<string>, compiled_on: string | null): string[] {
  const last = new Map<string, string>()
  for (const month of months) {
    const year = month.slice(0, 4)
    if (month > (last.get(year) ?? '')) last.set(year, month)
  }
  return [...last].sort().flatMap(([year, month]) => {
    const isFullYear = compiled_on !== null && compiled_on > `${Number(year) + 1}-04-30`
    return monthsBetween(`${year}-01`, isFullYear ? `${year}-12` : month)
  })
}

/** Returns every month of a span, YYYY-MM, both ends included. */
export function monthsBetween(from: string, to: string): string[] {
  const months: string[] = []
  for (let month = from; month <= to; month = monthAfter(month)) months.push(month)
  return months
}

/** Returns the next month, both as 2019-03. */
export function monthAfter(month: string): string {
  const [year, number] = tupleOf(month.split('-').map(Number), 2)
  return new Date(Date.UTC(year, number, 1)).toISOString().slice(0, 7)
}

/** Joins consecutive months, in order, into spans. */
export function monthSpansOf(months: string[]): MonthSpan[] {
  const spans: MonthSpan[] = []
  for (const month of months) {
    const last = spans.at(-1)
    if (last && monthAfter(last.to) === month) last.to = month
    else spans.push({ from: month, to: month })
  }
  return spans
}

/** Returns the last day of a month, YYYY-MM-DD. */
export function lastDayOf(month: string): string {
  const [year, number] = tupleOf(month.split('-').map(Number), 2)
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
}
