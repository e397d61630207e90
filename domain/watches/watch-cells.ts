import type { WatchSubject } from '#domain/closed-sets.ts'
import type { Tx } from '#domain/engines/database.ts'
import { stageDurable } from '#domain/kernel/durable-jobs.ts'

/** What detection needs of a watched place: the 0.25-degree cells it reaches, and for a property its point and radius. */
export interface Watch {
  team_id: string
  subject: WatchSubject
  subject_id: string
  cells: number[]
  /** Null for a territory, whose shape decides. */
  latitude: number | null
  longitude: number | null
  radius_miles: number | null
}

type WatchTx = Pick<Tx, 'watchCell' | '$executeRawUnsafe'>

/**
 * Writes a place's watch in the transaction that changed the place, and stages its silent backfill. Only for a located
 * place that is watching: for any other, call deleteWatch.
 */
export async function writeWatch(tx: WatchTx, watch: Watch): Promise<void> {
  const watched_before = await deleteWatch(tx, watch.subject_id)
  await beginWatch(tx, watch, watched_before)
}

/** The same for a new place, which has no watch to replace. */
export async function beginWatch(tx: WatchTx, { cells, ...watch }: Watch, watched_before = false): Promise<void> {
  await tx.watchCell.createMany({ data: [...new Set(cells)].map((cell) => ({ cell, ...watch })) })
  const { subject, subject_id } = watch
  await stageDurable(tx, 'detection.backfill', { subject, subject_id, ...(watched_before && { watched_before }) })
}

/** Returns which of the places have a backfill that is not finished. */
export async function pendingBackfills(tx: Pick<Tx, '$queryRaw'>, places: { subject_id: string }[]): Promise<Set<string>> {
  const ids = [...new Set(places.map(({ subject_id }) => subject_id))]
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT DISTINCT task ->> 'subject_id' AS id FROM lasting_jobs WHERE job = 'detection.backfill' AND task ->> 'subject_id' = ANY (${ids})`
  return new Set(rows.map(({ id }) => id))
}

/** Ends the watch. What it found stays. Returns whether there was one. */
export async function deleteWatch(tx: Pick<Tx, 'watchCell'>, subject_id: string): Promise<boolean> {
  const { count } = await tx.watchCell.deleteMany({ where: { subject_id } })
  return count > 0
}
