import type { App } from '#domain/app.ts'
import type { CheckedStep, StoredFault } from '#domain/kernel/stored-fault.ts'
import { currentBasemap, type StoredBasemap } from '#domain/maps/basemap/store.ts'

/** Pieces per step; of each, only the last byte is read. */
const PIECES_A_STEP = 100
const DETAIL = 'This piece of the basemap is gone from the store or cut off: import the file again with weather basemap import FILE.'

/**
 * Checks whether the imported basemap is complete to its last byte. Only the operator has its file, so a missing piece is reported but not
 * repaired.
 * @param after how many pieces the previous steps checked; null for the first step
 */
export async function checkBasemap(app: Pick<App, 'blobs'>, after: string | null): Promise<CheckedStep> {
  const current = await currentBasemap(app)
  if (!current) return { checked: 0, faults: [], next: null }
  const pieces = Math.ceil(current.bytes / current.piece_bytes)
  const from = Number.parseInt(after ?? '', 10) || 0
  const until = Math.max(from, Math.min(from + PIECES_A_STEP, pieces))
  const faults: StoredFault[] = []
  for (let piece = from; piece < until; piece++) {
    if (await isComplete(app, current, piece)) continue
    const subject = `${current.file_name}, piece ${piece + 1} of ${pieces}`
    faults.push({ kind: 'basemap', team_id: null, subject, detail: DETAIL, repaired: false })
  }
  return { checked: until - from, faults, next: until < pieces ? String(until) : null }
}

async function isComplete({ blobs }: Pick<App, 'blobs'>, { folder, bytes, piece_bytes }: StoredBasemap, piece: number): Promise<boolean> {
  const last = Math.min(piece_bytes, bytes - piece * piece_bytes) - 1
  return (await blobs.read(`${folder}/${piece}`, last, 1))?.length === 1
}
