import type { App } from '#domain/app.ts'
import { isCompiledEarly, monthAfter } from '#domain/archive/coverage/coverage-months.ts'
import type { NamedRejection } from '#domain/archive/ingest/import.ts'
import { type Counts, IMPORTS_SHOWN } from '#domain/archive/ingest/import-runs.ts'
import { sharedLongQuery } from '#domain/archive/shared-long-query.ts'
import { sources } from '#domain/archive/sources/index.ts'
import { daySources, FINAL_SOURCE, type SourceId } from '#domain/weather/sources.ts'

export interface ArchiveStatus {
  /** The sources with records or months, in the registry's order. */
  sources: SourceStatus[]
  /** Forecast zones in the imported table. */
  zones: number
  recent_imports: ImportRunView[]
}

export interface SourceStatus {
  source: SourceId
  slug: string
  label: string
  records: number
  withdrawn: number
  /** First and last local date of its records. */
  from: string | null
  to: string | null
  /** By two-letter code. Records at sea belong to no state. */
  states: StateStatus[]
}

export interface StateStatus {
  state: string
  records: number
  /** Stored months, as spans: YYYY-MM, both included. */
  held: CompiledSpan[]
  /** Days stored at least in part, as spans: for radar, warnings and observations. */
  days: StoredDaySpan[]
}

export interface StoredDaySpan {
  /** YYYY-MM-DD, both included. */
  from: string
  to: string
  days: number
  /** Moments of the radar mosaic; 0 for the other sources. */
  moments: number
}

export interface CompiledSpan {
  from: string
  to: string
  preliminary: boolean
  compiled_on: string | null
  /** True if the file was compiled before every office must have reported for the months. */
  early: boolean
}

export interface ImportRunView extends Counts {
  id: string
  source: string
  file_name: string
  status: string
  rejections: NamedRejection[]
  failure: string | null
  started_at: Date
  finished_at: Date | null
}

/** Returns what is stored by source, state, and month or day, and the newest imports. */
export async function archiveStatus({ pool }: Pick<App, 'pool'>): Promise<ArchiveStatus> {
  const [records, months, days, zones, imports] = await Promise.all([
    countRecords(pool),
    pool.query<Month>(
      `SELECT source, state, to_char(month, 'YYYY-MM') AS month, preliminary, compiled_on FROM coverage WHERE source <> ALL ($1) ORDER BY source, state, month`,
      [daySources],
    ),
    pool.query<DaysOfState>(DAYS),
    pool.query<{ zones: number }>('SELECT count(DISTINCT zone)::int AS zones FROM zone_counties'),
    pool.query<ImportRunView>(
      `SELECT id, source, file_name, status, rows, inserted, updated, unchanged, withdrawn, rejected, rejections, failure, started_at, finished_at
         FROM import_runs ORDER BY started_at DESC, id DESC LIMIT ${IMPORTS_SHOWN}`,
    ),
  ])
  const statuses = sources.map(({ id, slug, label }) => {
    const counted = records.filter((row) => row.source === id)
    const states = statesOf(
      counted,
      months.rows.filter((row) => row.source === id),
      days.rows.filter((row) => row.source === id),
    )
    return { source: id, slug, label, ...totalOf(counted), states }
  })
  return {
    sources: statuses.filter(({ records, states }) => records > 0 || states.length > 0),
    zones: zones.rows[0]?.zones ?? 0,
    recent_imports: imports.rows,
  }
}

/** Records of a source in a state, including withdrawn ones. */
interface RecordsOfState {
  source: SourceId
  /** Null at sea. */
  state: string | null
  records: number
  withdrawn: number
  from: string
  to: string
}

const countRecords = sharedLongQuery<RecordsOfState>(`
  SELECT source, state, count(*)::int AS records, count(withdrawn_at)::int AS withdrawn, min(occurred_on) AS "from", max(occurred_on) AS "to"
    FROM archive_records GROUP BY source, state`)

function totalOf(counted: RecordsOfState[]): Pick<SourceStatus, 'records' | 'withdrawn' | 'from' | 'to'> {
  const sum = (of: 'records' | 'withdrawn') => counted.reduce((total, row) => total + row[of], 0)
  return {
    records: sum('records'),
    withdrawn: sum('withdrawn'),
    from: counted.map(({ from }) => from).sort()[0] ?? null,
    to:
      counted
        .map(({ to }) => to)
        .sort()
        .at(-1) ?? null,
  }
}

interface Month {
  source: string
  state: string
  month: string
  preliminary: boolean
  compiled_on: string | null
}

type DaysOfState = StoredDaySpan & { source: string; state: string }

/** In a run of consecutive days, the day minus the row number is constant. */
const DAYS = `
  SELECT source, state, min(day) AS "from", max(day) AS "to", count(*)::int AS days, sum(moments)::int AS moments
    FROM (SELECT *, day - row_number() OVER (PARTITION BY source, state ORDER BY day)::int AS run FROM coverage_days) numbered
   GROUP BY source, state, run ORDER BY source, state, 3`

function statesOf(counted: RecordsOfState[], months: Month[], days: DaysOfState[]): StateStatus[] {
  const currentCounts = new Map(
    counted.flatMap(({ state, records, withdrawn }) => (state && records > withdrawn ? [[state, records - withdrawn]] : [])),
  )
  const states = [...new Set([...currentCounts.keys(), ...[...months, ...days].map(({ state }) => state)])].sort()
  return states.map((state) => ({
    state,
    records: currentCounts.get(state) ?? 0,
    held: spansOf(months.filter((month) => month.state === state)),
    days: days.filter((span) => span.state === state).map(({ from, to, days, moments }) => ({ from, to, days, moments })),
  }))
}

/** Joins consecutive months of the same compile, all early or none, into spans. */
function spansOf(months: Month[]): CompiledSpan[] {
  const spans: CompiledSpan[] = []
  for (const { source, month, preliminary, compiled_on } of months) {
    const early = source === FINAL_SOURCE && isCompiledEarly(month, compiled_on)
    const last = spans.at(-1)
    const isOfLast = last && last.preliminary === preliminary && last.compiled_on === compiled_on && last.early === early
    if (isOfLast && monthAfter(last.to) === month) last.to = month
    else spans.push({ from: month, to: month, preliminary, compiled_on, early })
  }
  return spans
}
