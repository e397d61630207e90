import type pg from 'pg'
import { type Reach, reachesOf } from '#domain/archive/warnings/reach.ts'
import { countiesOfZones, readStoredWarnings, type StoredWarning } from '#domain/archive/warnings/stored-warnings.ts'

/** A warning with its areas made ready. */
export interface ReachingWarning extends StoredWarning {
  reaches: Reach[]
}

/** Warnings that may have been in force in some search cells at some time from one moment to another, the newest issue first; the exact test is the caller's. */
export async function warningsNearby(
  pool: Pick<pg.ClientBase, 'query'>,
  cells: readonly number[],
  from: Date,
  until: Date,
): Promise<ReachingWarning[]> {
  const { rows } = await pool.query<{ source_key: string }>({ name: 'warnings.nearby', text: NEARBY, values: [cells, from, until] })
  const keys = rows.map(({ source_key }) => source_key)
  const warnings = await readStoredWarnings(pool, keys)
  const zones = await countiesOfZones(
    pool,
    warnings.flatMap(({ messages }) => messages.flatMap((message) => message.zones)),
  )
  return warnings.map((warning) => ({ ...warning, reaches: reachesOf(warning.messages, zones) }))
}

const NEARBY = `
  SELECT source_key FROM warnings
   WHERE id IN (SELECT warning_id FROM warning_cells WHERE cell = ANY ($1::int[]))
     AND issued_at <= $3 AND coalesce(cancelled_at, ends_at, expires_at, issued_at) >= $2`
