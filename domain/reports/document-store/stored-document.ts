import { createHash } from 'node:crypto'
import type { App } from '#domain/app.ts'
import { stage } from '#domain/kernel/outbox.ts'
import { lostBefore } from '#domain/reports/reissue.ts'

/** A row of documents: where the file lies, and what it must hold. */
export interface DocumentRow {
  key: string
  bytes: number
  sha256: string
}

/** The file that the row names; null where it is gone, cut short, or holds anything else. */
export async function readStored({ blobs }: Pick<App, 'blobs'>, { key, bytes, sha256 }: DocumentRow): Promise<Buffer | null> {
  const found = await blobs.get(key)
  if (found?.length !== bytes) return null
  return createHash('sha256').update(found).digest('hex') === sha256 ? found : null
}

/**
 * Has a document rendered anew whose file is gone, and answers whether this call was the one to ask: of all that find it gone at once
 * one does. Its row stays until the new file takes the place of the old one, and says that the document was announced before.
 * @param key of the file that was looked for; null where no row named one
 * @param when `now` for somebody who waits; `in_turn` leaves it to `reissueReports`, which has few rendered at a time
 */
export async function renderAgain(
  { db, clock }: Pick<App, 'db' | 'clock'>,
  report_id: string,
  key: string | null,
  when: 'now' | 'in_turn',
): Promise<boolean> {
  const now = clock.now()
  const issued_at = when === 'now' ? now : new Date(lostBefore(now).getTime() - 1)
  return db.$transaction(async (tx) => {
    const asked = await tx.$executeRaw`
      UPDATE reports r SET pdf_status = NULL, pdf_rendered_at = NULL, issued_at = ${issued_at}
       WHERE id = ${report_id}::uuid AND status = 'complete' AND pdf_status = 'ready'
         AND (SELECT d.key FROM documents d WHERE d.report_id = r.id) IS NOT DISTINCT FROM ${key}`
    if (asked === 0) return false
    if (when === 'now') await stage(tx, 'report.render', { report_id })
    return true
  })
}

/** Somebody waits for a document that is to be rendered: asks for it once more where that job may be lost. */
export async function hurryRender({ db, clock }: Pick<App, 'db' | 'clock'>, report_id: string): Promise<void> {
  const now = clock.now()
  await db.$transaction(async (tx) => {
    const asked = await tx.$executeRaw`
      UPDATE reports SET issued_at = ${now}
       WHERE id = ${report_id}::uuid AND status = 'complete' AND pdf_status IS NULL AND issued_at < ${lostBefore(now)}`
    if (asked > 0) await stage(tx, 'report.render', { report_id })
  })
}
