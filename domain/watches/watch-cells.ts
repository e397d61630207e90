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
  const { team_id, subject, subject_id, latitude, longitude, radius_miles } = watch
  await tx.$executeRawUnsafe(BEGIN, [...new Set(cells)], team_id, subject, subject_id, latitude, longitude, radius_miles)
  await stageDurable(tx, 'detection.backfill', { subject, subject_id, ...(watched_before && { watched_before }) })
}

/** One list of cells: a shape with a long edge has tens of thousands, and a value for each column of each row takes seconds. */
const BEGIN = `
  INSERT INTO watch_cells (cell, team_id, subject, subject_id, latitude, longitude, radius_miles)
  SELECT cell, $2::uuid, $3, $4::uuid, $5::float8, $6::float8, $7::float8 FROM unnest($1::int[]) AS c(cell)`

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
