import type { Readable } from 'node:stream'
import type pg from 'pg'
import type { App } from '#domain/app.ts'
import { addHeldCorners, holdCorners, keepCorners, prepareCorners } from '#domain/archive/corners.ts'
import { holdRecords, prepareHolding, type Touched } from '#domain/archive/hold.ts'
import { closeRun, noteRun, openRun, REJECTIONS_NAMED } from '#domain/archive/import-runs.ts'
import { reconcile } from '#domain/archive/local-reports/reconcile.ts'
import { markMonths, monthsHeld } from '#domain/archive/months.ts'
import { holdObservations } from '#domain/archive/observations/hold.ts'
import { holdFrames } from '#domain/archive/radar/hold.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'
import { lockSource } from '#domain/archive/source-lock.ts'
import { type SourceId, sourceBySlug } from '#domain/archive/sources/index.ts'
import type { Batch, Contents, Reading, Rejection } from '#domain/archive/sources/source.ts'
import { stageDetection } from '#domain/archive/stage-detection.ts'
import { supersededBy } from '#domain/archive/superseded.ts'
import { byteFault, unpacked } from '#domain/archive/unpack.ts'
import { holdWarnings } from '#domain/archive/warnings/hold.ts'
import { notePresent, prepareWithdrawing, withdrawAbsent, withdrawRecords } from '#domain/archive/withdraw.ts'
import { holdZones, keepMembers, prepareZones } from '#domain/archive/zones.ts'
import { refuseField } from '#domain/check.ts'
import { stateByFips, states } from '#domain/geo/states.ts'
import { noteRead, requireBegun } from '#domain/monitoring/feed-states.ts'
import { Refusal } from '#domain/refusal.ts'

export interface ImportOptions {
  /** The file's own name, without folders: it may say what the file holds and when it was compiled. */
  file_name: string
  /** The file is all that the source holds of its year: rows that are held and not in it are withdrawn. */
  whole_year?: boolean
  /** What is detected because of this import is recorded without telling anyone. */
  quiet?: boolean
  /** Months of reports that are held once the file was read, YYYY-MM: a feed knows, a file by itself does not. */
  months?: string[]
  /** The monitoring run that the file came by. */
  run_id?: number
  /** One of several answers of a feed: it is not read where its source was forgotten since the first. */
  goes_on?: boolean
  /** Where the file came from: noted as read exactly when all of it was. */
  url?: string
  /** Called after each batch. */
  on_progress?(so_far: Counts): void
}

export interface Counts {
  /** Rows read, those that were rejected too. */
  rows: number
  inserted: number
  updated: number
  /** Rows that say what was known already. */
  unchanged: number
  withdrawn: number
  rejected: number
}

export interface ImportSummary extends Counts {
  run_id: string
  source: SourceId
  file_name: string
  kind: Contents['kind']
  /** YYYY-MM-DD */
  compiled_on: string | null
  /** The first rejected rows. */
  rejections: Pick<Rejection, 'row' | 'reason'>[]
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
  const source = sourceBySlug(slug) ?? refuseField('source', `There is no source called ${slug}.`)
  const bytes = unpacked(stream)
  const client = await app.pool.connect()
  try {
    // Plans of a few milliseconds, made anew for each batch, are not worth compiling.
    await client.query('SET jit = off')
    await lockSource(client, source.id)
    if (options.goes_on) await requireBegun(client, source.id)
    const run = await openImport(app, client, source.id as SourceId, options)
    try {
      const reading = await source.read({ file_name: options.file_name, bytes })
      return await runImport(app, run, reading)
    } catch (fault) {
      return await failImport(app, run, fault)
    }
  } finally {
    // The session's lock and tables end with it.
    client.release(true)
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
    await inTransaction(run, () => holdBatch(app, run, contents, batch))
    options.on_progress?.({ ...run.counts })
  }
  await inTransaction(run, async () => {
    await finish(app, run, contents)
    await noteRun(client, run.id, run.counts, run.rejections)
    if (options.url !== undefined) await noteRead(client, run.source, options.url, app.clock.now())
    await closeRun(client, run.id, null, app.clock.now())
  })
  await vacuumAfter(run)
  app.log.info({ run_id: run.id, source: run.source, file_name: options.file_name, ...run.counts }, 'file imported')
  return summaryOf(run, contents)
}

const prepare: { [Kind in Contents['kind']]?: (client: pg.ClientBase) => Promise<void> } = {
  records: prepareHolding,
  extract: prepareHolding,
  reports: prepareHolding,
  zones: prepareZones,
  async corners(client) {
    await prepareHolding(client)
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

async function holdBatch(app: Engines, run: Import, contents: Contents, batch: Batch): Promise<void> {
  const { client, counts } = run
  const records = lastOfEach(batch.records)
  if (records.length > 0) {
    const touched = await holdRecords(client, await settled(app, run, contents, records), contents.kind === 'extract')
    addTouched(run, touched)
    counts.unchanged += batch.records.length - touched.inserted - touched.updated
  }
  await holdOthers(app, run, batch)
  if (batch.corners.length > 0) await keepCorners(client, batch.corners)
  if (batch.members.length > 0) await keepMembers(client, batch.members)
  if (run.options.whole_year || contents.whole !== undefined)
    await notePresent(
      client,
      [...records, ...batch.rejections].map(({ source_key }) => source_key).filter((key) => key !== null),
    )
  counts.rows += batch.rows
  counts.rejected += batch.rejections.length
  run.rejections.push(...batch.rejections.slice(0, REJECTIONS_NAMED - run.rejections.length))
  run.unidentified += batch.rejections.filter(({ source_key }) => source_key === null).length
  for (const month of batch.months) run.months.add(month)
  for (const { state } of records) if (state) run.states.add(state)
  await noteRun(client, run.id, counts, run.rejections)
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
  if (contents.kind !== 'reports') return addHeldCorners(client, source, records)
  const { current, corrected } = await reconcile(client, source, records)
  if (corrected.length > 0) addTouched(run, await withdrawRecords(client, corrected, app.clock.now()))
  return current
}

/** What is no record: warnings, radar frames, observations. */
async function holdOthers(app: Engines, run: Import, { warnings, frames, stations, observations }: Batch): Promise<void> {
  const { client, source, counts } = run
  if (warnings.length > 0) {
    const { touched, keys } = await holdWarnings(client, warnings, app.clock.now())
    addTouched(run, touched)
    run.fresh_warnings.push(...keys)
    for (const { county_fips, zones, issued_at } of warnings) {
      run.months.add(issued_at.toISOString().slice(0, 7))
      for (const fips of county_fips) run.states.add(stateByFips(fips.slice(0, 2))?.code ?? '')
      for (const zone of zones) run.states.add(zone.slice(0, 2))
    }
    counts.unchanged += warnings.length - touched.inserted - touched.updated
  }
  if (frames.length > 0) {
    const touched = await holdFrames(client, source, frames)
    addTouched(run, touched)
    counts.unchanged += frames.length - touched.inserted
  }
  if (stations.length + observations.length > 0) {
    const held = await holdObservations(client, stations, observations)
    addCounts(counts, { inserted: held.inserted, updated: held.updated, withdrawn: 0 })
    counts.unchanged += held.unchanged
    for (const state of held.states) run.states.add(state)
    for (const { observed_at } of observations) run.months.add(observed_at.toISOString().slice(0, 7))
    run.rejections.push(...held.rejections.slice(0, REJECTIONS_NAMED - run.rejections.length))
    counts.rejected += held.rejections.length
  }
}

/** What waits until the whole file has come. */
async function finish(app: Engines, run: Import, contents: Contents): Promise<void> {
  const { client, source, counts } = run
  if (contents.kind === 'corners') {
    const { inserted, updated, withdrawn, touched } = await holdCorners(client, source, contents.compiled_on)
    for (const one of touched) addTouched(run, { ...one, inserted: 0, updated: 0 })
    addCounts(counts, { inserted, updated, withdrawn })
  }
  if (contents.kind === 'zones') addCounts(counts, { ...(await holdZones(client)), updated: 0 })
  if (contents.kind === 'corners' || contents.kind === 'zones')
    counts.unchanged = counts.rows - counts.rejected - counts.inserted - counts.updated
  if (contents.kind === 'records') {
    if (run.options.whole_year) await withdraw(app, run, contents)
    const held = contents.covers === 'every_state' ? everyState : [...run.states]
    const months = monthsHeld(run.months, contents.compiled_on)
    run.fresh.push(await supersededBy(client, source, held, months))
    await markMonths(client, source, held, months, contents.compiled_on)
  }
  if (contents.kind === 'warnings' || contents.kind === 'observations') {
    // Context: a month of a state of which anything was heard, and what a feed that hears of every state vouches for.
    const heard = everyState.filter((code) => run.states.has(code))
    await markMonths(client, source, heard, [...run.months], null)
    await markMonths(client, source, everyState, run.options.months ?? [], null)
  }
  if (contents.kind === 'reports' || contents.kind === 'frames') await finishFeed(app, run, contents)
}

/** A feed's own file of a day withdraws what it no longer has; the months that its reader vouches for are held. */
async function finishFeed(app: Engines, run: Import, { kind, whole, compiled_on, preliminary }: Contents): Promise<void> {
  const { client, source } = run
  if (whole !== undefined) addTouched(run, await withdrawAbsent(client, source, whole, compiled_on, app.clock.now()))
  const months = kind === 'frames' ? [...run.months] : (run.options.months ?? [])
  const held = kind === 'frames' ? contiguous : everyState
  run.fresh.push(await supersededBy(client, source, held, months))
  await markMonths(client, source, held, months, compiled_on, preliminary)
}

/** The states that the radar mosaic covers. */
const everyState = states.map(({ code }) => code)
const contiguous = everyState.filter((code) => !['AK', 'HI', 'AS', 'GU', 'MP', 'PR', 'VI'].includes(code))

async function withdraw(app: Engines, run: Import, { year, compiled_on }: Contents): Promise<void> {
  const years = new Set([...run.months].map((month) => Number(month.slice(0, 4))))
  const whole = year ?? (years.size === 1 ? ([...years][0] as number) : null)
  if (whole === null || !years.has(whole))
    return void refuseField('whole_year', 'The file does not hold one year: rows of it are held now, and none was withdrawn.')
  if (run.unidentified > 0)
    run.notes.push(`Nothing was withdrawn: ${run.unidentified} rejected row(s) could not be told from the rows that are missing.`)
  else addTouched(run, await withdrawAbsent(run.client, run.source, `${whole}/`, compiled_on, app.clock.now()))
}

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
  const rejections = run.rejections.map(({ row, reason }) => ({ row, reason }))
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
