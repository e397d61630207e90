import { markRead, requireFeedOpen } from '#domain/archive/feeds/feed-states.ts'
import { type ArrivingFile, type FileDigest, openArrivingFile } from '#domain/archive/files/arriving-file.ts'
import { byteFault } from '#domain/archive/files/decompress.ts'
import { closeFile, isUsedFile, noteStored } from '#domain/archive/ingest/archive-files.ts'
import { readAhead, regroupBatches } from '#domain/archive/ingest/batches.ts'
import {
  type Import,
  type ImportEngines,
  type ImportOptions,
  type ImportSummary,
  openImport,
  reject,
  summaryOf,
} from '#domain/archive/ingest/import.ts'
import { closeRun, saveProgress } from '#domain/archive/ingest/import-runs.ts'
import { handlers } from '#domain/archive/ingest/kinds/index.ts'
import type { KindHandler } from '#domain/archive/ingest/kinds/kind.ts'
import { isInFuture, rejectImpossible } from '#domain/archive/ingest/reject-impossible.ts'
import { withSource } from '#domain/archive/ingest/source-lock.ts'
import { stageDetection } from '#domain/archive/ingest/stage-detection.ts'
import { markPresent, prepareWithdrawing } from '#domain/archive/ingest/withdraw.ts'
import { requireSource } from '#domain/archive/sources/require-source.ts'
import type { Batch, Contents, ParsedFile } from '#domain/archive/sources/source.ts'
import { beginRevision, endRevision } from '#domain/archive/versions/revision.ts'
import { appendEntryOn } from '#domain/audit/audit-log.ts'
import type { FileDraft } from '#domain/engines/source-files.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { refuseField } from '#domain/kernel/validation.ts'
import { isSample } from '#domain/weather/sources.ts'

/**
 * Reads one file of a source into the archive, batch by batch. Repeating it changes nothing. If it fails, the batches
 * stored before stay, no month is marked as stored and nothing is withdrawn. Sending the file again continues from there.
 * @param slug a source of sources/index.ts
 * @param stream the file's bytes, gzip or plain
 * @throws Refusal validation_failed on `source`, or on `file` with the reason if the file cannot be read;
 *   engine_unavailable if the source was forgotten while its feed was read
 */
export async function ingest(
  app: ImportEngines,
  slug: string,
  stream: AsyncIterable<Buffer>,
  options: ImportOptions,
): Promise<ImportSummary> {
  const source = requireSource(slug)
  const draft = (await app.source_files?.draft()) ?? null
  const file = openArrivingFile(stream, draft?.add)
  try {
    return await withSource(app, source.id, async (client) => {
      // Each batch plans its statements again and runs them for a few milliseconds, so compiling them does not pay.
      await client.query('SET jit = off')
      if (options.continues_feed) await requireFeedOpen(client, source.id)
      const run = await openImport(app, client, source.id, options)
      try {
        const parsed = await source.read({ file_name: options.file_name, bytes: file.bytes })
        return await runImport(app, run, { ...file, draft }, parsed)
      } catch (fault) {
        return await failImport(app, run, fault)
      }
    })
  } finally {
    await file.bytes.return(undefined)
    await draft?.drop()
  }
}

/** A file being read, and its copy if copies are stored. */
type ImportedFile = ArrivingFile & { draft: FileDraft | null }

async function runImport(app: ImportEngines, run: Import, file: ImportedFile, { contents, batches }: ParsedFile): Promise<ImportSummary> {
  const { client, options } = run
  const handler = handlers[contents.kind]
  requireCompiled(run, contents, app.clock.now())
  if (options.whole_year && !handler.can_be_whole_year)
    refuseField('whole_year', 'Only a file of details or of locations can be the whole of its year.')
  await handler.prepare?.(client)
  if (options.whole_year || contents.complete_prefix !== undefined) await prepareWithdrawing(client)
  for await (const batch of readAhead(regroupBatches(batches))) {
    const before = run.counts.inserted
    await inTransaction(app, run, () => importBatch(app, run, contents, batch))
    if (before === 0 && run.counts.inserted > 0) await maintain(app, run, analyzeNew)
    options.on_progress?.({ ...run.counts })
  }
  requireUsable(run)
  const digest = await file.digest()
  const isKept = await keepCopy(run, handler, file.draft, digest)
  await inTransaction(app, run, async () => {
    await handler.finish(app, run, contents)
    await closeFile(client, run.file_id, { ...digest, compiled_on: contents.compiled_on, used: isUsed(run) })
    if (isKept && (await isUsedFile(client, digest.sha256))) await noteStored(client, digest.sha256)
    await saveProgress(client, run.id, run.counts, run.rejections)
    if (options.url !== undefined) await markRead(client, run.source, options.url, app.clock.now())
    await closeRun(client, run.id, null, app.clock.now())
    if (options.audit) await appendEntryOn(client, options.audit, { kind: 'source', id: run.source, after: run.counts })
  })
  await maintain(app, run, vacuumAfter)
  app.log.info({ run_id: run.id, source: run.source, file_name: options.file_name, ...run.counts }, 'file imported')
  return summaryOf(run, contents)
}

/**
 * A later compile replaces an earlier one, so no file could ever correct one dated in a future year. The made-up sample has
 * its own dates.
 */
function requireCompiled(run: Import, { compiled_on }: Contents, now: Date): void {
  if (compiled_on === null || isSample(run) || !isInFuture(new Date(compiled_on), now)) return
  refuseField('file', `The file name states that it was compiled on ${compiled_on}, which is in the future.`)
}

/**
 * Stores the copy of a file if stored data came from its bytes, now or in an earlier import, or may come from them at the
 * end. Returns whether it did. Sending it to a bucket may take longer than a transaction may be idle, so none is open. A
 * copy that no row references only takes up space.
 */
async function keepCopy(run: Import, handler: KindHandler, draft: FileDraft | null, { sha256 }: FileDigest): Promise<boolean> {
  if (!draft) return false
  if (!handler.stores_at_end && !isUsed(run) && !(await isUsedFile(run.client, sha256))) return false
  await draft.keep(sha256)
  return true
}

/** Whether stored data came from the file, or is now attributed to it. */
function isUsed({ counts, confirmed }: Import): boolean {
  return counts.inserted + counts.updated + confirmed > 0
}

/**
 * Refuses a file whose rows were all rejected: it is not the kind of file it was taken for, so no month may count as
 * stored. A feed may respond with a single unusable row and continues after it.
 */
function requireUsable({ options, counts, rejections: [first] }: Import): void {
  const from_feed = options.monitoring_run_id !== undefined
  const usableRows = counts.inserted + counts.updated + counts.unchanged
  if (from_feed || !first || usableRows > 0 || counts.rejected < counts.rows) return
  refuseField(
    'file',
    `No row of this file can be used. Of ${counts.rows} read, the first is ${first.row}: ${first.reason.replace(/\.$/, '')}.`,
  )
}

async function importBatch(app: ImportEngines, run: Import, contents: Contents, arrived: Batch): Promise<void> {
  const { client, counts } = run
  const batch = rejectImpossible(arrived, app.clock.now())
  for (const read of [...batch.records, ...batch.warnings, ...batch.observations]) read.file_id = run.file_id
  await handlers[contents.kind].addBatch(app, run, batch)
  if (run.options.whole_year || contents.complete_prefix !== undefined) await markPresent(client, keysOf(batch))
  counts.rows += batch.rows
  reject(run, batch.rejections)
  run.unidentified += batch.rejections.filter(({ source_key }) => source_key === null).length
  for (const month of batch.months) run.months.add(month)
  await saveProgress(client, run.id, counts, run.rejections)
}

/** Returns the keys in the file, including those of rejected rows: they are not missing. */
function keysOf({ records, rejections }: Batch): string[] {
  const keys = [...records, ...rejections].map(({ source_key }) => source_key)
  return [...new Set(keys.filter((key) => key !== null))]
}

/**
 * Stages detection in the transaction that stores the changes, so an import that dies later has staged everything it
 * stored. Each transaction is a revision of the archive: a report as of a time during an import reads the same data as a
 * report made at that time.
 */
async function inTransaction(app: ImportEngines, run: Import, work: () => Promise<void>): Promise<void> {
  const { client, options } = run
  await client.query('BEGIN')
  await beginRevision(client)
  await work()
  await stageDetection(client, run.fresh.splice(0), {
    quiet: options.quiet ?? false,
    monitoring_run_id: options.monitoring_run_id,
    warnings: run.fresh_warnings.splice(0),
  })
  await endRevision(client, app, { source: run.source, import_run_id: run.id, file_name: options.file_name })
  await client.query('COMMIT')
}

/**
 * Runs maintenance, which only makes queries faster: what is stored stays so if it fails. Two imports that end together wait
 * for each other's, and may wait longer than a session waits for a lock.
 */
async function maintain(app: ImportEngines, run: Import, work: (run: Import) => Promise<void>): Promise<void> {
  try {
    await work(run)
  } catch (fault) {
    app.log.warn({ err: fault, run_id: run.id }, 'table maintenance of an import failed')
  }
}

/**
 * Takes the first statistics of the records of a new archive. Without statistics the planner does not know that keys are
 * unique and reads all records for the keys of each batch, so the import would slow down until autovacuum runs.
 */
async function analyzeNew({ client }: Import): Promise<void> {
  const { rowCount } = await client.query(`SELECT FROM pg_class WHERE oid = 'archive_records'::regclass AND reltuples <= 0`)
  if (rowCount) await client.query('ANALYZE archive_records')
}

/** Changed rows after which the search index is vacuumed: index-only scans need vacuumed pages. */
const VACUUM_AFTER = 1_000

async function vacuumAfter({ client, counts }: Import): Promise<void> {
  const changed = counts.inserted + counts.updated + counts.withdrawn
  if (changed < VACUUM_AFTER) return
  const { rows } = await client.query<{ outgrown: boolean }>(OUTGROWN, [changed])
  // Without parallel workers: starting them takes longer than marking the pages of a file.
  await client.query(`VACUUM (PARALLEL 0${rows[0]?.outgrown ? ', ANALYZE' : ''}) record_cells`)
}

/**
 * Whether the search index has changed by a tenth since its statistics were taken, the threshold of PostgreSQL's own
 * autovacuum. The statistics sample pages from the whole table, which takes longer to read than most files take to import.
 */
const OUTGROWN = `
  SELECT c.reltuples <= 0 OR pg_stat_get_mod_since_analyze(c.oid) + $1 > c.reltuples / 10 AS outgrown
    FROM pg_class c WHERE c.oid = 'record_cells'::regclass`

/** Closes the run of a failed import, and refuses the file if the file is at fault. */
async function failImport(app: ImportEngines, run: Import, fault: unknown): Promise<never> {
  const bytes = byteFault(fault)
  const failure = bytes ?? (fault instanceof Refusal ? fault.message : 'the service failed')
  try {
    await run.client.query('ROLLBACK')
    await closeRun(run.client, run.id, failure, app.clock.now())
  } catch (second) {
    app.log.error({ err: second, run_id: run.id }, 'could not close the run of a failed import')
  }
  if (bytes) refuseField('file', `${bytes} Nothing stored was lost. Send the whole file again.`)
  throw fault
}
