import type { App } from '#domain/app.ts'
import { chunksOf } from '#domain/kernel/chunks.ts'
import { NIL_UUID } from '#domain/kernel/nil-uuid.ts'
import { present } from '#domain/kernel/present.ts'
import type { CheckedStep, StoredFault } from '#domain/kernel/stored-fault.ts'
import { type DocumentRow, readStored, rerender } from '#domain/reports/document-store/stored-document.ts'

/** Files read per step, each whole: their length and SHA-256 are compared. */
const FILES_A_STEP = 200
/** Concurrent reads: a disk, or a store across a network, can serve several at a time. */
const READ_AT_ONCE = 8

interface ReadyRow extends Omit<DocumentRow, 'key'> {
  report_id: string
  team_id: string
  key: string | null
}

/** Looks for documents whose file is gone or changed. A repair has them rendered again in turn, behind new documents. */
export async function checkDocuments(
  app: Pick<App, 'pool' | 'db' | 'blobs' | 'clock'>,
  after: string | null,
  repair: boolean,
): Promise<CheckedStep> {
  const { rows } = await app.pool.query<ReadyRow>({ name: 'documents.ready', text: READY, values: [after ?? NIL_UUID, FILES_A_STEP] })
  const faults: StoredFault[] = []
  for (const batch of chunksOf(rows, READ_AT_ONCE)) {
    const found = await Promise.all(batch.map((row) => faultOf(app, row, repair)))
    faults.push(...found.filter((fault) => fault !== null))
  }
  return { checked: rows.length, faults, next: rows.length === FILES_A_STEP ? present(rows.at(-1)).report_id : null }
}

async function faultOf(
  app: Pick<App, 'pool' | 'db' | 'blobs' | 'clock'>,
  { report_id, team_id, key, ...row }: ReadyRow,
  repair: boolean,
): Promise<StoredFault | null> {
  if (key !== null && (await readStored(app, { key, ...row }))) return null
  // The document was removed with its report, or rendered again, after its row was read.
  const { rowCount } = await app.pool.query({ name: 'document.still', text: STILL_READY, values: [report_id, key] })
  if (rowCount === 0) return null
  const repaired = repair && (await rerender(app, report_id, key, 'in_turn'))
  return { kind: 'document', team_id, subject: report_id, detail: 'The PDF of this report is gone from the store.', repaired }
}

const READY = `
  SELECT r.id AS report_id, r.team_id, d.key, d.bytes, d.sha256 FROM reports r LEFT JOIN documents d ON d.report_id = r.id
   WHERE r.id > $1 AND r.pdf_status = 'ready' ORDER BY r.id LIMIT $2`
const STILL_READY = `
  SELECT FROM reports r LEFT JOIN documents d ON d.report_id = r.id
   WHERE r.id = $1 AND r.pdf_status = 'ready' AND d.key IS NOT DISTINCT FROM $2`
