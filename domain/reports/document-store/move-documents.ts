import type { App } from '#domain/app.ts'
import type { Tx } from '#domain/engines/database.ts'
import type { MovingStores } from '#domain/engines/open-blobs.ts'
import { NIL_UUID } from '#domain/kernel/nil-uuid.ts'
import { present } from '#domain/kernel/present.ts'
import { Refusal } from '#domain/kernel/refusal.ts'
import { type DocumentRow, readStored } from '#domain/reports/document-store/stored-document.ts'

/** Documents looked at in a step: some seconds of a slow store. */
const DOCUMENTS_A_STEP = 100
/** Each holds a connection of the process while its file is written, and requests need the others. */
const AT_ONCE = 2
/** Longer than a store takes to say that it cannot: Prisma's own 5 s are shorter than one of its calls. */
const WRITTEN_WITHIN_MS = 60_000

/** What a step came to. */
export interface MovedStep {
  looked_at: number
  moved: number
  bytes: number
  /** In neither store, or not what was stored: it is rendered anew when it is asked for. */
  gone: number
  /** Where the next step goes on; null after the last. */
  next: string | null
}

interface StoredRow extends DocumentRow {
  report_id: string
}

/**
 * Copies the next documents to the store of WEATHER_BLOBS from that of WEATHER_BLOBS_ALSO, but for those that are there: a step may be
 * done again, and so may all of them. What is copied is read back whole wherever it is looked at: its SHA-256 is the row's.
 * @param after what the step before answered as `next`; null for the first
 * @throws Refusal validation_failed where one store is set
 */
export async function moveDocuments(app: Pick<App, 'pool' | 'db' | 'moving'>, after: string | null): Promise<MovedStep> {
  const { moving } = app
  if (!moving)
    throw new Refusal('validation_failed', 'Documents lie in one store: name the other one in WEATHER_BLOBS_ALSO.', {
      errors: { after: ['There is no other store.'] },
    })
  const { rows } = await app.pool.query<StoredRow>({ name: 'documents.after', text: AFTER, values: [after ?? NIL_UUID, DOCUMENTS_A_STEP] })
  const step = { looked_at: rows.length, moved: 0, bytes: 0, gone: 0 }
  for (let at = 0; at < rows.length; at += AT_ONCE) {
    const some = rows.slice(at, at + AT_ONCE)
    const came = await Promise.all(some.map((row) => moveDocument(app.db, moving, row)))
    for (const [nth, outcome] of came.entries()) {
      if (outcome === 'gone') step.gone++
      if (outcome !== 'moved') continue
      step.moved++
      step.bytes += present(some[nth]).bytes
    }
  }
  return { ...step, next: rows.length === DOCUMENTS_A_STEP ? present(rows.at(-1)).report_id : null }
}

/**
 * Under the lock of its row: whoever removes a document locks the row first, and would otherwise have it come back behind them. Where the
 * lock is lost meanwhile the copy goes again.
 */
async function moveDocument(db: App['db'], { to, from }: MovingStores, row: StoredRow): Promise<'there' | 'moved' | 'gone'> {
  if (await readStored({ blobs: to }, row)) return 'there'
  const bytes = await readStored({ blobs: from }, row)
  const copy = async (tx: Tx) => {
    await tx.$executeRaw`SET LOCAL idle_in_transaction_session_timeout = '60s'`
    const still = await tx.$queryRaw<object[]>`
      SELECT FROM documents WHERE report_id = ${row.report_id}::uuid AND key = ${row.key} FOR NO KEY UPDATE`
    if (still.length === 0) return 'there'
    if (!bytes) return 'gone'
    await to.put(row.key, bytes)
    return 'moved'
  }
  try {
    return await db.$transaction(copy, { timeout: WRITTEN_WITHIN_MS })
  } catch (fault) {
    await to.remove(row.key)
    throw fault
  }
}

const AFTER = 'SELECT report_id, key, bytes, sha256 FROM documents WHERE report_id > $1 ORDER BY report_id LIMIT $2'
