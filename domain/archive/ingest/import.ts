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
  /** The file's own name, without folders: it may say what the file holds and when it was compiled. */
  file_name: string
  /** The file is all that the source holds of its year: rows that are held and not in it are withdrawn. */
  whole_year?: boolean
  /** What is detected because of this import is recorded without an event. */
  quiet?: boolean
  /** Months of reports that are held once the file was read, YYYY-MM: a feed knows, a file by itself does not. */
  months?: string[]
  /** From when until when the feed has now been read, for every state: of a source that is held by the day. */
  covered_span?: FeedAnswer['covered_span']
  /** The monitoring run that the file came by, as an answer of a feed: what its detection finds is counted there. */
  monitoring_run_id?: number
  /** One of several answers of a feed: it is not read where its source was forgotten since the first. */
  continues_feed?: boolean
  /** Where the file came from: noted as read exactly when all of it was. */
  url?: string
  /** The address of the answer, and who had it read, where `audit` does not say. */
  origin?: Partial<Origin>
  /** What the audit log is to say of it, in the transaction that closes the reading. */
  audit?: Operation
  /** Called after each batch. */
  on_progress?(so_far: Counts): void
  /** Called with every rejected row, in the order of the file: the summary names the first alone. */
  on_rejected?(rejections: NamedRejection[]): void
}

/** A rejected row, as the answer names it. */
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
  /** What else the sender should know, in sentences. */
  notes: string[]
  /** First and last local date among the records that changed; null where none did. */
  from: string | null
  to: string | null
  /** The search cells of the records that changed. */
  cells: number[]
}

/** What an import asks of the App. */
export type ImportEngines = Pick<App, 'pool' | 'clock' | 'log'> & { config: Pick<App['config'], 'observations_years'> } & Partial<
    Pick<App, 'source_files'>
  >

/** The same, where the file is fetched first. */
export type FeedEngines = ImportEngines & Pick<App, 'http' | 'config'>

/** An import in progress. */
export interface Import {
  client: pg.PoolClient
  id: string
  /** The file that is read: a row of archive_files. */
  file_id: number
  source: SourceId
  options: ImportOptions
  counts: Counts
  rejections: Rejection[]
  /** A rejected row whose record is not known may be any record. */
  unidentified: number
  months: Set<string>
  states: Set<string>
  /** Local days of states of which warnings or observations were read. */
  days: Map<string, StateDay>
  notes: string[]
  from: string | null
  to: string | null
  cells: Set<number>
  /** Rows that say what was known, and are now known from this file. */
  confirmed: number
  /** What the transaction that is open has touched so far. */
  fresh: Touched[]
  /** The keys of the warnings among it. */
  fresh_warnings: string[]
}

/** Begins an import: its run is open from here on. */
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

/** What the sender is answered. */
export function summaryOf(run: Import, { kind, compiled_on }: Contents): ImportSummary {
  const { id, source, options, counts, notes, from, to } = run
  const rejections = run.rejections.map(named)
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

/** Counts rejected rows and names the first of them. */
export function reject(run: Import, rejections: Rejection[]): void {
  if (rejections.length === 0) return
  const brief = rejections.map((each) => ({ ...each, row: said(each.row), reason: said(each.reason) }))
  run.counts.rejected += brief.length
  run.rejections.push(...brief.slice(0, REJECTIONS_NAMED - run.rejections.length))
  run.options.on_rejected?.(brief.map(named))
}

/** Characters of which row it is and why: either may repeat what a file says, as long as that is. */
const SAID_MAX = 300

/** Cleaned after it is cut: the database takes no half of a character, and no zero. */
const said = (text: string) => cleanText(text.slice(0, SAID_MAX))

const named = ({ row, reason }: Rejection): NamedRejection => ({ row, reason })

/** Adds what an upsert changed: detection looks there once the transaction commits. */
export function addTouched(run: Import, touched: Touched): void {
  addCounts(run.counts, touched)
  run.confirmed += touched.confirmed ?? 0
  run.fresh.push(touched)
  for (const cell of touched.cells) run.cells.add(cell)
  if (touched.from && (run.from === null || touched.from < run.from)) run.from = touched.from
  if (touched.to && (run.to === null || touched.to > run.to)) run.to = touched.to
}

export function addCounts(counts: Counts, more: Pick<Counts, 'inserted' | 'updated' | 'withdrawn'>): void {
  counts.inserted += more.inserted
  counts.updated += more.updated
  counts.withdrawn += more.withdrawn
}

/** Notes local days of states of which something was read. */
export function addDays({ days }: Import, more: StateDay[]): void {
  for (const one of more) days.set(`${one.state} ${one.day}`, one)
}

/** Local days of every state of which the feed says that it has now been read. */
export function coveredDays({ options: { covered_span } }: Import): StateDay[] {
  return covered_span ? daysBetween(everyState, covered_span.from, covered_span.until) : []
}

/** Counts as unchanged whatever was neither rejected nor changed: of files that are stored only once all of them has come. */
export function countUnchanged({ counts }: Import): void {
  counts.unchanged = counts.rows - counts.rejected - counts.inserted - counts.updated
}

export const everyState = states.map(({ code }) => code)
