import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { cleanText } from '#domain/archive/files/text.ts'
import { type Origin, openFile } from '#domain/archive/ingest/archive-files.ts'
import { type Counts, openRun, REJECTIONS_NAMED } from '#domain/archive/ingest/import-runs.ts'
import type { Touched } from '#domain/archive/ingest/upsert.ts'
import type { Contents, FeedAnswer, Rejection } from '#domain/archive/sources/source.ts'
import type { Operation } from '#domain/audit/audit-log.ts'
import { daysBetween, type StateDay } from '#domain/geo/state-days.ts'
import { states } from '#domain/geo/states.ts'
import type { SourceId } from '#domain/weather/sources.ts'

export interface ImportOptions {
  /** The file's own name, without folders. It may state the contents and the compile date. */
  file_name: string
  /** The file is all that the source has of its year: stored rows that are not in it are withdrawn. */
  whole_year?: boolean
  /** Detections caused by this import are recorded without an event. */
  quiet?: boolean
  /** Months of reports that are stored once the file is read, YYYY-MM. A feed knows them; a file alone does not. */
  months?: string[]
  /** The span that the feed has now been read for, in every state; for a source that is stored by the day. */
  covered_span?: FeedAnswer['covered_span']
  /** The monitoring run that fetched the file as a feed response. The run counts what detection finds. */
  monitoring_run_id?: number
  /** One of several responses of a feed. It is not read if the source was forgotten since the first response. */
  continues_feed?: boolean
  /** The URL of the file, marked as read only when all of the file was read. */
  url?: string
  /** The URL of the response, and who requested it, if `audit` does not say. */
  origin?: Partial<Origin>
  /** The entry for the audit log, written in the transaction that closes the import. */
  audit?: Operation
  /** Called after each batch. */
  on_progress?(so_far: Counts): void
  /** Called with every rejected row, in the order of the file. The summary lists only the first of them. */
  on_rejected?(rejections: NamedRejection[]): void
}

/** A rejected row as the response shows it. */
export type NamedRejection = Pick<Rejection, 'row' | 'reason'>

export interface ImportSummary extends Counts {
  run_id: string
  source: SourceId
  file_name: string
  kind: Contents['kind']
  /** YYYY-MM-DD */
  compiled_on: string | null
  /** The first rejected rows. */
  rejections: NamedRejection[]
  /** Further sentences for the sender. */
  notes: string[]
  /** First and last local date of the changed records; null if none changed. */
  from: string | null
  to: string | null
  /** The search cells of the changed records. */
  cells: number[]
}

/** The parts of the App that an import needs. */
export type ImportEngines = Pick<App, 'pool' | 'clock' | 'log'> & { config: Pick<App['config'], 'observations_years'> } & Partial<
    Pick<App, 'source_files'>
  >

/** The same, for a file that is fetched first. */
export type FeedEngines = ImportEngines & Pick<App, 'http' | 'config'>

/** An import in progress. */
export interface Import {
  client: pg.PoolClient
  id: string
  /** The row of archive_files of the file being read. */
  file_id: number
  source: SourceId
  options: ImportOptions
  counts: Counts
  rejections: Rejection[]
  /** Rejected rows whose key is unknown: each may be any record. */
  unidentified: number
  months: Set<string>
  states: Set<string>
  /** Local days of states for which warnings or observations were read. */
  days: Map<string, StateDay>
  notes: string[]
  from: string | null
  to: string | null
  cells: Set<number>
  /** Rows that repeat known data and are now attributed to this file. */
  confirmed: number
  /** What the open transaction has touched so far. */
  fresh: Touched[]
  /** The keys of the touched warnings. */
  fresh_warnings: string[]
}

/** Begins an import and opens its run. */
export async function openImport(app: ImportEngines, client: pg.PoolClient, source: SourceId, options: ImportOptions): Promise<Import> {
  const now = app.clock.now()
  const origin = { from: options.url ?? null, by: options.audit?.actor_kind ?? ('service' as const), ...options.origin }
  const file_id = await openFile(client, { source, name: options.file_name, origin, now })
  const id = await openRun(client, { source, file_name: options.file_name, file_id }, now)
  const counts: Counts = { rows: 0, inserted: 0, updated: 0, unchanged: 0, withdrawn: 0, rejected: 0 }
  return {
    client,
    id,
    file_id,
    source,
    options,
    counts,
    rejections: [],
    unidentified: 0,
    months: new Set(),
    states: new Set(),
    days: new Map(),
    notes: [],
    from: null,
    to: null,
    cells: new Set(),
    confirmed: 0,
    fresh: [],
    fresh_warnings: [],
  }
}

/** Returns the summary for the sender. */
export function summaryOf(run: Import, { kind, compiled_on }: Contents): ImportSummary {
  const { id, source, options, counts, notes, from, to } = run
  const rejections = run.rejections.map(rowAndReason)
  return {
    run_id: id,
    source,
    file_name: options.file_name,
    kind,
    compiled_on,
    ...counts,
    rejections,
    notes,
    from,
    to,
    cells: [...run.cells].sort((a, b) => a - b),
  }
}

/** Counts rejected rows and lists the first of them. */
export function reject(run: Import, rejections: Rejection[]): void {
  if (rejections.length === 0) return
  const brief = rejections.map((each) => ({ ...each, row: cleanMessage(each.row), reason: cleanMessage(each.reason) }))
  run.counts.rejected += brief.length
  run.rejections.push(...brief.slice(0, REJECTIONS_NAMED - run.rejections.length))
  run.options.on_rejected?.(brief.map(rowAndReason))
}

/** Maximum characters of a row's name and of its reason: either may repeat text of the file at any length. */
const MESSAGE_MAX = 300

/** Cleaned after the cut: the database accepts neither half a character nor a zero byte. */
const cleanMessage = (text: string) => cleanText(text.slice(0, MESSAGE_MAX))

const rowAndReason = ({ row, reason }: Rejection): NamedRejection => ({ row, reason })

/** Adds the changes of an upsert. Detection runs on them once the transaction commits. */
export function addTouched(run: Import, touched: Touched): void {
  addCounts(run.counts, touched)
  run.confirmed += touched.confirmed ?? 0
  run.fresh.push(touched)
  for (const cell of touched.cells) run.cells.add(cell)
  if (touched.from && (run.from === null || touched.from < run.from)) run.from = touched.from
  if (touched.to && (run.to === null || touched.to > run.to)) run.to = touched.to
}

/** Adds rows that a batch inserted, updated and withdrew to the counts of an import. */
export function addCounts(counts: Counts, more: Pick<Counts, 'inserted' | 'updated' | 'withdrawn'>): void {
  counts.inserted += more.inserted
  counts.updated += more.updated
  counts.withdrawn += more.withdrawn
}

/** Adds local days of states for which something was read. */
export function addDays({ days }: Import, more: StateDay[]): void {
  for (const one of more) days.set(`${one.state} ${one.day}`, one)
}

/** Returns the local days of every state that the feed has now been read for. */
export function coveredDays({ options: { covered_span } }: Import): StateDay[] {
  return covered_span ? daysBetween(everyState, covered_span.from, covered_span.until) : []
}

/** Counts every row that was neither rejected nor changed as unchanged; for files that are stored only once all of them has arrived. */
export function countUnchanged({ counts }: Import): void {
  counts.unchanged = counts.rows - counts.rejected - counts.inserted - counts.updated
}

export const everyState = states.map(({ code }) => code)
