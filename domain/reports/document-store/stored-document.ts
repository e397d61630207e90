import { createHash } from 'node:crypto'
import type { App } from '#domain/app.ts'
import { stage } from '#domain/kernel/outbox.ts'
import { lostBefore, mayStart } from '#domain/reports/reissue.ts'

/** A row of documents: the location of the file, and its expected contents. */
export interface DocumentRow {
  key: string
  bytes: number
  sha256: string
}

/** Returns the file that the row names; null if it is gone, cut short, or has other contents. */
export async function readStored({ blobs }: Pick<App, 'blobs'>, { key, bytes, sha256 }: DocumentRow): Promise<Buffer | null> {
  const found = await blobs.get(key)
  if (found?.length !== bytes) return null
  return createHash('sha256').update(found).digest('hex') === sha256 ? found : null
}

/**
 * Requests a new rendering of a document whose file is gone. Returns whether this call made the request: of concurrent calls only one does.
 * The document's row stays until the new file replaces the old one; it shows that the document was announced already.
 * @param key key of the missing file; null if no row named one
 * @param when `now` if a user waits; `in_turn` leaves it to `reissueReports`, which has few documents rendered at a time
 */
export async function rerender(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  report_id: string,
  key: string | null,
  when: 'now' | 'in_turn',
): Promise<boolean> {
  const now = clock.now()
  const issued_at = when === 'now' ? now : new Date(lostBefore(now).getTime() - 1)
  return db.$transaction(async (tx) => {
    const updated = await tx.$executeRaw`
      UPDATE reports r SET pdf_status = NULL, pdf_rendered_at = NULL, issued_at = ${issued_at}
       WHERE id = ${report_id}::uuid AND status = 'complete' AND pdf_status = 'ready'
         AND (SELECT d.key FROM documents d WHERE d.report_id = r.id) IS NOT DISTINCT FROM ${key}`
    if (updated === 0) return false
    if (when === 'now') await stage(tx, 'report.render', { report_id })
    return true
  })
}

/**
 * Stages the rendering of a document that a user waits for once more, if its job may be lost or has failed: at most once a minute, or once an
 * hour if it killed its process each time.
 */
export async function restageRender({ db, clock }: Pick<App, 'db' | 'clock'>, report_id: string): Promise<void> {
  const now = clock.now()
  await db.$transaction(async (tx) => {
    const updated = await tx.$executeRaw`
      UPDATE reports SET issued_at = ${now}
       WHERE id = ${report_id}::uuid AND status = 'complete' AND pdf_status IS DISTINCT FROM 'ready'
         AND issued_at < ${lostBefore(now)} AND ${mayStart(now)}`
    if (updated > 0) await stage(tx, 'report.render', { report_id })
  })
}
