import type pg from 'pg'
import { reachesOf, type WarningReach } from '#domain/archive/warnings/reach.ts'
import { countiesOfZones, mayLastUntil, readStoredWarnings, type StoredWarning } from '#domain/archive/warnings/stored-warnings.ts'

/** A warning with its areas prepared for comparison. */
export interface ReachingWarning extends StoredWarning {
  reaches: WarningReach[]
}

/**
 * Returns warnings that may have been in force in some search cells between two times, newest issue first. The caller does
 * the exact test.
 */
export async function warningsNearby(
  pool: Pick<pg.ClientBase, 'query'>,
  cells: readonly number[],
  from: Date,
  until: Date,
  as_of: Date | null = null,
): Promise<ReachingWarning[]> {
  const { rows } = await pool.query<{ source_key: string }>(as_of === null ? nearbyNow(cells, from, until) : nearbyEver(cells))
  const keys = rows.map(({ source_key }) => source_key)
  const warnings = await readStoredWarnings(pool, keys, as_of)
  const zones = await countiesOfZones(
    pool,
    warnings.flatMap(({ messages }) => messages.flatMap((message) => message.zones)),
    as_of,
  )
  return warnings.map((warning) => ({ ...warning, reaches: reachesOf(warning.messages, zones) }))
}

const nearbyNow = (cells: readonly number[], from: Date, until: Date) => ({
  name: 'warnings.nearby',
  text: NEARBY,
  values: [cells, from, until],
})

/** Selects warnings with any message that ever reached the cells. The messages known at the time decide when each was in force. */
const nearbyEver = (cells: readonly number[]) => ({ name: 'warnings.nearby-ever', text: NEARBY_EVER, values: [cells] })

const NEARBY_EVER = `
  SELECT w.source_key FROM warning_cells c JOIN warnings w ON w.id = c.warning_id WHERE c.cell = ANY ($1::int[])
   UNION SELECT warning_key FROM warning_past_cells WHERE cell = ANY ($1::int[])`

const NEARBY = `
  SELECT source_key FROM warnings w
   WHERE id IN (SELECT warning_id FROM warning_cells WHERE cell = ANY ($1::int[])) AND issued_at <= $3 AND ${mayLastUntil('$2')}`
