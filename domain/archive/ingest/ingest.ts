import type { Readable } from 'node:stream'
import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { markDays } from '#domain/archive/coverage/coverage-days.ts'
import { markMonths, storedMonths } from '#domain/archive/coverage/coverage-months.ts'
import { recordRead, requireBegun } from '#domain/archive/feeds/feed-states.ts'
import { byteFault, decompress } from '#domain/archive/files/decompress.ts'
import { addStoredCorners, prepareCorners, stageCorners, upsertCorners } from '#domain/archive/ingest/event-corners.ts'
import { type Counts, closeRun, openRun, REJECTIONS_NAMED, recordRun } from '#domain/archive/ingest/import-runs.ts'
import { rejectImpossible } from '#domain/archive/ingest/reject-impossible.ts'
import { lockSourceWithin, withSource } from '#domain/archive/ingest/source-lock.ts'
import { stageDetection } from '#domain/archive/ingest/stage-detection.ts'
import { prepareUpsert, type Touched, upsertRecords } from '#domain/archive/ingest/upsert.ts'
import { markPresent, prepareWithdrawing, withdrawAbsent, withdrawRecords } from '#domain/archive/ingest/withdraw.ts'
import { prepareZones, stageMembers, upsertZones } from '#domain/archive/ingest/zones.ts'
import { reconcile } from '#domain/archive/local-reports/reconcile.ts'
import { upsertObservations } from '#domain/archive/observations/upsert.ts'
import { storeFrames } from '#domain/archive/radar/upsert.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'
import { supersededBy } from '#domain/archive/search/superseded.ts'
import type { SourceId } from '#domain/archive/sources/index.ts'
import { requireSource } from '#domain/archive/sources/require-source.ts'
import type { Batch, Contents, FeedAnswer, Reading, Rejection } from '#domain/archive/sources/source.ts'
import { placeWarningsByZones } from '#domain/archive/warnings/place-by-zones.ts'
import { upsertWarnings } from '#domain/archive/warnings/upsert.ts'
import { appendEntryOn, type Operation } from '#domain/audit/record.ts'
import { daysAt, daysBetween, type StateDay } from '#domain/geo/state-days.ts'
import { stateByFips, states } from '#domain/geo/states.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { refuseField } from '#domain/kernel/validation.ts'

export interface ImportOptions {
  /** The file's own name, without folders: it may say what the file holds and when it was compiled. */
  file_name: string
  /** The file is all that the source holds of its year: rows that are held and not in it are withdrawn. */
  whole_year?: boolean
  /** What is detected because of this import is recorded without telling anyone. */
  quiet?: boolean
  /** Months of reports that are held once the file was read, YYYY-MM: a feed knows, a file by itself does not. */
  months?: string[]
  /** From when until when the feed has now been read, for every state: of a source that is held by the day. */
  heard?: FeedAnswer['heard']
  /** The monitoring run that the file came by. */
  run_id?: number
  /** One of several answers of a feed: it is not read where its source was forgotten since the first. */
  goes_on?: boolean
  /** Where the file came from: noted as read exactly when all of it was. */
  url?: string
  /** What the audit log is to say of it, in the transaction that closes the reading. */
  doing?: Operation
  /** Called after each batch. */
  on_progress?(so_far: Counts): void
  /** Called with every rejected row, in the order of the file: the summary names the first alone. */
  on_rejected?(rejections: NamedRejection[]): void
}

/** A rejected row as its sender is told of it. */
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

type Engines = Pick<App, 'pool' | 'clock' | 'log'>

/**
 * Reads one file of a source into the archive, batch by batch. Repeating it changes nothing; where it fails, the batches
 * before stay, no month is marked as held, nothing is withdrawn, and sending the file again goes on from there.
 * @param slug a source of sources/index.ts
 * @param stream the file's bytes, gzip or plain
 * @throws Refusal validation_failed on `source` or `file` where the file cannot be read, naming why; engine_unavailable where
 *   the source was forgotten while its feed was read
 */
export async function ingest(app: Engines, slug: string, stream: Readable, options: ImportOptions): Promise<ImportSummary> {
  const source = requireSource(slug)
  const bytes = decompress(stream)
  try {
    return await withSource(app, source.id, async (client) => {
      // Plans of a few milliseconds, made anew for each batch, are not worth compiling.
      await client.query('SET jit = off')
      if (options.goes_on) await requireBegun(client, source.id)
      const run = await openImport(app, client, source.id as SourceId, options)
      try {
        const reading = await source.read({ file_name: options.file_name, bytes })
        return await runImport(app, run, reading)
      } catch (fault) {
        return await failImport(app, run, fault)
      }
    })
  } finally {
    await bytes.return(undefined)
  }
}

/** One reading as it goes on. */
interface Import {
  client: pg.PoolClient
  id: string
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
  /** What the transaction that is open has touched so far. */
  fresh: Touched[]
  /** The keys of the warnings among it. */
  fresh_warnings: string[]
}

async function openImport(app: Engines, client: pg.PoolClient, source: SourceId, options: ImportOptions): Promise<Import> {
  const id = await openRun(client, source, options.file_name, app.clock.now())
  const counts: Counts = { rows: 0, inserted: 0, updated: 0, unchanged: 0, withdrawn: 0, rejected: 0 }
  return {
    client,
    id,
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
    fresh: [],
    fresh_warnings: [],
  }
}

async function runImport(app: Engines, run: Import, { contents, batches }: Reading): Promise<ImportSummary> {
  const { client, options } = run
  if (options.whole_year && contents.kind !== 'records') refuseField('whole_year', 'Only a details file can be the whole of its year.')
  await prepare[contents.kind]?.(client)
  if (options.whole_year || contents.whole !== undefined) await prepareWithdrawing(client)
  for await (const batch of readAhead(regrouped(batches))) {
    await inTransaction(run, () => upsertBatch(app, run, contents, batch))
    options.on_progress?.({ ...run.counts })
  }
  requireUsable(run)
  await inTransaction(run, async () => {
    await finish(app, run, contents)
    await recordRun(client, run.id, run.counts, run.rejections)
    if (options.url !== undefined) await recordRead(client, run.source, options.url, app.clock.now())
    await closeRun(client, run.id, null, app.clock.now())
    if (options.doing) await appendEntryOn(client, options.doing, { kind: 'source', id: run.source, after: run.counts })
  })
  await vacuumAfter(run)
  app.log.info({ run_id: run.id, source: run.source, file_name: options.file_name, ...run.counts }, 'file imported')
  return summaryOf(run, contents)
}

/**
 * A file of which every row was rejected is another than it is taken for: no month is held because of it. A feed may well answer
 * with one row alone that cannot be used, and goes on behind it.
 */
function requireUsable({ options, counts, rejections: [first] }: Import): void {
  const held = counts.inserted + counts.updated + counts.unchanged
  if (options.run_id !== undefined || !first || held > 0 || counts.rejected < counts.rows) return
  refuseField(
    'file',
    `No row of this file can be used. Of ${counts.rows} read, the first is ${first.row}: ${first.reason.replace(/\.$/, '')}.`,
  )
}

const prepare: { [Kind in Contents['kind']]?: (client: pg.ClientBase) => Promise<void> } = {
  records: prepareUpsert,
  extract: prepareUpsert,
  reports: prepareUpsert,
  zones: prepareZones,
  async corners(client) {
    await prepareUpsert(client)
    await prepareCorners(client)
  },
}

/** Rows held in one transaction: enough that its cost is spread, few enough that memory stays flat. */
const BATCH_ROWS = 1_500

async function* regrouped(batches: AsyncIterable<Batch>): AsyncGenerator<Batch, undefined> {
  let gathered: Batch | null = null
  for await (const batch of batches) {
    if (!gathered) gathered = batch
    else {
      gathered.rows += batch.rows
      for (const part of parts) (gathered[part] as unknown[]).push(...batch[part])
    }
    if (gathered.rows < BATCH_ROWS) continue
    yield gathered
    gathered = null
  }
  if (gathered && gathered.rows > 0) yield gathered
}

const parts = ['records', 'months', 'corners', 'members', 'warnings', 'frames', 'stations', 'observations', 'rejections'] as const

/** Reads the next batch while the database holds the one before. */
async function* readAhead(batches: AsyncGenerator<Batch, undefined>): AsyncGenerator<Batch> {
  let coming = batches.next()
  try {
    for (;;) {
      const { value, done } = await coming
      if (done) return
      coming = batches.next()
      // Its fault is met when its turn comes.
      coming.catch(() => {})
      yield value
    }
  } finally {
    await batches.return(undefined)
  }
}

async function upsertBatch(app: Engines, run: Import, contents: Contents, arrived: Batch): Promise<void> {
  const { client, counts } = run
  const batch = rejectImpossible(arrived, app.clock.now())
  const records = lastOfEach(batch.records)
  if (records.length > 0) {
    const touched = await upsertRecords(client, await settled(app, run, contents, records), contents.kind === 'extract')
    addTouched(run, touched)
    counts.unchanged += batch.records.length - touched.inserted - touched.updated
  }
  await upsertOthers(app, run, batch)
  if (batch.corners.length > 0) await stageCorners(client, batch.corners)
  if (batch.members.length > 0) await stageMembers(client, batch.members)
  if (run.options.whole_year || contents.whole !== undefined)
    await markPresent(
      client,
      [...records, ...batch.rejections].map(({ source_key }) => source_key).filter((key) => key !== null),
    )
  counts.rows += batch.rows
  reject(run, batch.rejections)
  run.unidentified += batch.rejections.filter(({ source_key }) => source_key === null).length
  for (const month of batch.months) run.months.add(month)
  for (const { state } of records) if (state) run.states.add(state)
  await recordRun(client, run.id, counts, run.rejections)
}

/** A key that a file gives twice is what its newest product says, else what it says last. */
function lastOfEach(records: ArchiveRecord[]): ArchiveRecord[] {
  const last = new Map<string, ArchiveRecord>()
  for (const record of records) {
    const before = last.get(record.source_key)
    if (!before || (before.issued_at?.getTime() ?? 0) <= (record.issued_at?.getTime() ?? 0)) last.set(record.source_key, record)
  }
  return [...last.values()]
}

/** Records as they are held: floods with their corners, reports without those that a correction took the place of. */
async function settled(app: Engines, run: Import, contents: Contents, records: ArchiveRecord[]): Promise<ArchiveRecord[]> {
  const { client, source } = run
  if (contents.kind !== 'reports') return addStoredCorners(client, source, records)
  const { current, corrected } = await reconcile(client, source, records)
  if (corrected.length > 0) addTouched(run, await withdrawRecords(client, corrected, app.clock.now()))
  return current
}

/** What is no record: warnings, radar frames, observations. */
async function upsertOthers(app: Engines, run: Import, { warnings, frames, stations, observations }: Batch): Promise<void> {
  const { client, source, counts } = run
  if (warnings.length > 0) {
    const { touched, keys, unchanged, rejections } = await upsertWarnings(client, warnings, app.clock.now())
    addTouched(run, touched)
    run.fresh_warnings.push(...keys)
    reject(run, rejections)
    for (const { county_fips, zones, sent_at } of warnings) {
      const named = [...county_fips.map((fips) => stateByFips(fips.slice(0, 2))?.code), ...zones.map((zone) => zone.slice(0, 2))]
      addDays(run, daysAt(new Set(named.filter((code) => code !== undefined)), sent_at))
    }
    counts.unchanged += unchanged
  }
  if (frames.length > 0) {
    const touched = await storeFrames(client, source, frames)
    addTouched(run, touched)
    counts.unchanged += frames.length - touched.inserted
  }
  if (stations.length + observations.length > 0) {
    const held = await upsertObservations(client, stations, observations)
    addCounts(counts, { inserted: held.inserted, updated: held.updated, withdrawn: 0 })
    counts.unchanged += held.unchanged
    addDays(run, held.days)
    reject(run, held.rejections)
  }
}

function addDays({ days }: Import, more: StateDay[]): void {
  for (const one of more) days.set(`${one.state} ${one.day}`, one)
}

const DAY_MS = 86_400_000

/** What waits until the whole file has come. */
async function finish(app: Engines, run: Import, contents: Contents): Promise<void> {
  const { client, source, counts } = run
  if (contents.kind === 'corners') {
    const { inserted, updated, withdrawn, touched } = await upsertCorners(client, source, contents.compiled_on)
    for (const one of touched) addTouched(run, { ...one, inserted: 0, updated: 0 })
    addCounts(counts, { inserted, updated, withdrawn })
  }
  if (contents.kind === 'zones') await finishZones(app, run)
  if (contents.kind === 'corners' || contents.kind === 'zones')
    counts.unchanged = counts.rows - counts.rejected - counts.inserted - counts.updated
  if (contents.kind === 'records') {
    if (run.options.whole_year) await withdraw(app, run, contents)
    const held = contents.covers === 'every_state' ? everyState : [...run.states]
    const months = storedMonths(run.months, contents.compiled_on)
    run.fresh.push(await supersededBy(client, source, held, months))
    await markMonths(client, source, held, months, contents.compiled_on)
  }
  if (contents.kind === 'warnings' || contents.kind === 'observations') {
    // Context: a day of a state of which anything was heard, and what a feed that hears of every state vouches for.
    await markDays(client, source, [...run.days.values(), ...heardDays(run)])
  }
  if (contents.kind === 'reports' || contents.kind === 'frames') await finishFeed(app, run, contents)
}

/** Warnings of so many days are placed by a new table of zones: as many as a new watch looks back. */
const WARNINGS_PLACED_DAYS = 30

async function finishZones(app: Engines, run: Import): Promise<void> {
  const { client, counts } = run
  const held = await upsertZones(client)
  addCounts(counts, held)
  if (held.inserted + held.withdrawn === 0) return
  await lockSourceWithin(client, 'nws_warnings')
  const now = app.clock.now()
  const since = new Date(now.getTime() - WARNINGS_PLACED_DAYS * DAY_MS)
  run.fresh_warnings.push(...(await placeWarningsByZones(client, since, now)))
  // Detection of warnings goes by their keys: the days only name what was touched.
  const days = { from: since.toISOString().slice(0, 10), to: now.toISOString().slice(0, 10) }
  run.fresh.push({ inserted: 0, updated: 0, withdrawn: 0, cells: [], ...days })
}

/** Local days of every state of which the feed says that it has now been read. */
function heardDays({ options: { heard } }: Import): StateDay[] {
  return heard ? daysBetween(everyState, heard.from, heard.until) : []
}

/** A feed's own file of a day withdraws what it no longer has; the months and days that its reader vouches for are held. */
async function finishFeed(app: Engines, run: Import, { kind, whole, compiled_on, preliminary }: Contents): Promise<void> {
  const { client, source } = run
  if (whole !== undefined) addTouched(run, await withdrawAbsent(client, source, whole, compiled_on, app.clock.now()))
  const days = heardDays(run)
  const months = [...(kind === 'frames' ? run.months : (run.options.months ?? [])), ...days.map(({ day }) => day.slice(0, 7))]
  run.fresh.push(await supersededBy(client, source, everyState, months))
  if (kind === 'reports') await markMonths(client, source, everyState, run.options.months ?? [], compiled_on, preliminary)
  await markDays(client, source, days)
}

const everyState = states.map(({ code }) => code)

async function withdraw(app: Engines, run: Import, { year, compiled_on }: Contents): Promise<void> {
  const years = new Set([...run.months].map((month) => Number(month.slice(0, 4))))
  const whole = year ?? (years.size === 1 ? ([...years][0] as number) : null)
  if (whole === null || !years.has(whole))
    return void refuseField('whole_year', 'The file does not hold one year: rows of it are held now, and none was withdrawn.')
  if (run.unidentified > 0)
    run.notes.push(`Nothing was withdrawn: ${run.unidentified} rejected row(s) could not be told from the rows that are missing.`)
  else addTouched(run, await withdrawAbsent(run.client, run.source, `${whole}/`, compiled_on, app.clock.now()))
}

function reject(run: Import, rejections: Rejection[]): void {
  if (rejections.length === 0) return
  run.counts.rejected += rejections.length
  run.rejections.push(...rejections.slice(0, REJECTIONS_NAMED - run.rejections.length))
  run.options.on_rejected?.(rejections.map(named))
}

const named = ({ row, reason }: Rejection): NamedRejection => ({ row, reason })

function addTouched(run: Import, touched: Touched): void {
  addCounts(run.counts, touched)
  run.fresh.push(touched)
  for (const cell of touched.cells) run.cells.add(cell)
  if (touched.from && (run.from === null || touched.from < run.from)) run.from = touched.from
  if (touched.to && (run.to === null || touched.to > run.to)) run.to = touched.to
}

function addCounts(counts: Counts, more: Pick<Counts, 'inserted' | 'updated' | 'withdrawn'>): void {
  counts.inserted += more.inserted
  counts.updated += more.updated
  counts.withdrawn += more.withdrawn
}

/** What was touched is looked at by detection exactly when it is held: an import that dies later has told of what it held. */
async function inTransaction(run: Import, work: () => Promise<void>): Promise<void> {
  const { client, options } = run
  await client.query('BEGIN')
  await work()
  await stageDetection(client, run.fresh.splice(0), {
    quiet: options.quiet ?? false,
    run_id: options.run_id,
    warnings: run.fresh_warnings.splice(0),
  })
  await client.query('COMMIT')
}

/** Changed rows after which the search index is vacuumed: it answers without its table only where that was done. */
const VACUUM_AFTER = 1_000

async function vacuumAfter({ client, counts }: Import): Promise<void> {
  if (counts.inserted + counts.updated + counts.withdrawn < VACUUM_AFTER) return
  await client.query('VACUUM (ANALYZE) record_cells')
}

function summaryOf(run: Import, { kind, compiled_on }: Contents): ImportSummary {
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

/** Closes the account of a reading that failed, and tells the sender where the file is at fault. */
async function failImport(app: Engines, run: Import, fault: unknown): Promise<never> {
  const bytes = byteFault(fault)
  const failure = bytes ?? (fault instanceof Refusal ? fault.message : 'the service failed')
  try {
    await run.client.query('ROLLBACK')
    await closeRun(run.client, run.id, failure, app.clock.now())
  } catch (second) {
    app.log.error({ err: second, run_id: run.id }, 'the account of a failed import could not be closed')
  }
  if (bytes) refuseField('file', `${bytes} What was held before still is; send the whole file again.`)
  throw fault
}
