import type { App } from '#domain/app.ts'
import type { Tx } from '#domain/engines/database.ts'
import type { MovingStores } from '#domain/engines/open-blobs.ts'
import { chunksOf } from '#domain/kernel/chunks.ts'
import { NIL_UUID } from '#domain/kernel/nil-uuid.ts'
import { present } from '#domain/kernel/present.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { type DocumentRow, readStored } from '#domain/reports/document-store/stored-document.ts'

/** Documents per step: some seconds of work for a slow store. */
const DOCUMENTS_PER_STEP = 100
/** Concurrent copies. Each uses a database connection of the process while its file is written, and requests need the others. */
const CONCURRENCY = 2
/** Longer than a store takes to report a failure: Prisma's own 5 s are shorter than one of its calls. */
const COPY_TIMEOUT_MS = 60_000

/** The result of a step. */
export interface MovedStep {
  looked_at: number
  moved: number
  bytes: number
  /** In neither store, or not the bytes that were stored: it is rendered again on the next request. */
  gone: number
  /** The `after` of the next step; null after the last. */
  next: string | null
}

interface StoredRow extends DocumentRow {
  report_id: string
}

/**
 * Copies the next documents from the store of WEATHER_BLOBS_ALSO to that of WEATHER_BLOBS. Skips those already there, so a step, or all of
 * them, may be repeated. A copy is read back whole whenever it is checked: its SHA-256 must match the row.
 * @param after the `next` of the previous step; null for the first
 * @throws Refusal validation_failed if only one store is set
 */
export async function moveDocuments(app: Pick<App, 'pool' | 'db' | 'moving'>, after: string | null): Promise<MovedStep> {
  const { moving } = app
  if (!moving)
    throw new Refusal('validation_failed', 'Only one document store is set: name the other one in WEATHER_BLOBS_ALSO.', {
      errors: { after: ['There is no other store.'] },
    })
  const { rows } = await app.pool.query<StoredRow>({
    name: 'documents.after',
    text: AFTER,
    values: [after ?? NIL_UUID, DOCUMENTS_PER_STEP],
  })
  const step = { looked_at: rows.length, moved: 0, bytes: 0, gone: 0 }
  for (const batch of chunksOf(rows, CONCURRENCY)) {
    const outcomes = await Promise.all(batch.map((row) => moveDocument(app.db, moving, row)))
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome === 'gone') step.gone++
      if (outcome !== 'moved') continue
      step.moved++
      step.bytes += present(batch[index]).bytes
    }
  }
  return { ...step, next: rows.length === DOCUMENTS_PER_STEP ? present(rows.at(-1)).report_id : null }
}

/**
 * Copies a document while holding a lock on its row. A removal locks the row first too; without this lock the copy could bring the document
 * back after it. If the lock is lost meanwhile, the copy is deleted. If it was not to be had, another process may be making the copy, which stays.
 */
async function moveDocument(db: App['db'], { to, from }: MovingStores, row: StoredRow): Promise<'there' | 'moved' | 'gone'> {
  if (await readStored({ blobs: to }, row)) return 'there'
  const bytes = await readStored({ blobs: from }, row)
  let isPut = false
  const copy = async (tx: Tx) => {
    await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = '60s'`
    const lockedRows = await tx.$queryRaw<object[]>`
      SELECT FROM documents WHERE report_id = ${row.report_id}::uuid AND key = ${row.key} FOR NO KEY UPDATE`
    if (lockedRows.length === 0) return 'there'
    if (!bytes) return 'gone'
    // Another run may have copied it since: a failure of this one must not delete that copy.
    if (await readStored({ blobs: to }, row)) return 'there'
    isPut = true
    await to.put(row.key, bytes)
    return 'moved'
  }
  try {
    return await db.$transaction(copy, { timeout: COPY_TIMEOUT_MS })
  } catch (fault) {
    if (isPut) await to.remove(row.key)
    throw fault
  }
}

const AFTER = 'SELECT report_id, key, bytes, sha256 FROM documents WHERE report_id > $1 ORDER BY report_id LIMIT $2'
