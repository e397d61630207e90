import type { App } from '#domain/app.ts'
import { REPORTED_WITHIN_DAYS } from '#domain/archive/coverage/coverage-months.ts'
import { sources } from '#domain/archive/sources/index.ts'
import { groupBy } from '#domain/kernel/group-by.ts'
import { daySources, FINAL_SOURCE, type SourceId } from '#domain/weather/sources.ts'

/** The months stored of a source in one state, as spans in order. */
export interface StoredMonthsOfState {
  state: string
  spans: StoredMonthSpan[]
}

/** Consecutive months, YYYY-MM, both ends included. */
export interface StoredMonthSpan {
  from: string
  to: string
  /** True if a final record is still to come. */
  preliminary: boolean
  /** True if the file of the months was compiled before every office must have reported for them. */
  early: boolean
}

export interface StoredMonthsOfSource {
  source: SourceId
  label: string
  /** True if the source is stored by the day: a month counts if any day of it is stored. */
  by_day: boolean
  states: StoredMonthsOfState[]
}

/** Returns the stored months of each source and state, in the registry's order. A team sees them before it requests a report. */
export async function listStoredMonths({ pool }: Pick<App, 'pool'>): Promise<StoredMonthsOfSource[]> {
  const { rows } = await pool.query<Row>({ name: 'coverage.held_months', text: STORED_MONTHS, values: [daySources] })
  const bySource = groupBy(rows, ({ source }) => source)
  return sources.flatMap(({ id, label }) => {
    const sourceRows = bySource.get(id)
    if (!sourceRows) return []
    const byState = groupBy(sourceRows, ({ state }) => state)
    const states = [...byState].map(([state, spans]) => ({
      state,
      spans: spans.map(({ from, to, preliminary, early }) => ({ from, to, preliminary, early })),
    }))
    return [{ source: id, label, by_day: daySources.includes(id), states }]
  })
}

type Row = StoredMonthSpan & { source: string; state: string }

/** Like `isCompiledEarly`, of the final record. */
const EARLY = `(source = '${FINAL_SOURCE}' AND coalesce(compiled_on < (month + interval '1 month')::date - 1 + ${REPORTED_WITHIN_DAYS}, false))`

/** In a run of consecutive months, the month number minus the row number is constant. */
const STORED_MONTHS = `
  WITH months AS (
    SELECT source, state, month, preliminary, ${EARLY} AS early FROM coverage WHERE source <> ALL ($1)
     UNION ALL
    SELECT DISTINCT source, state, date_trunc('month', day)::date, false, false FROM coverage_days WHERE source = ANY ($1)),
  numbered AS (
    SELECT *, extract(year FROM month) * 12 + extract(month FROM month)
              - row_number() OVER (PARTITION BY source, state, preliminary, early ORDER BY month) AS run FROM months)
  SELECT source, state, preliminary, early, to_char(min(month), 'YYYY-MM') AS "from", to_char(max(month), 'YYYY-MM') AS "to"
    FROM numbered GROUP BY source, state, preliminary, early, run ORDER BY source, state, 5`
