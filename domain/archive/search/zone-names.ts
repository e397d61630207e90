import type pg from 'pg'
import type { NearbyRecord } from '#domain/archive/record.ts'
import { asOfStatement } from '#domain/archive/versions/tables-at.ts'

/** Returns the records with the names of their zones added to zone records. A zone with several parts may have any of their names. */
export async function withZoneNames(
  pool: Pick<pg.ClientBase, 'query'>,
  records: NearbyRecord[],
  as_of: Date | null,
): Promise<NearbyRecord[]> {
  const zones = new Set(records.flatMap(({ precision, zone }) => (precision === 'zone' && zone ? [zone] : [])))
  if (zones.size === 0) return records
  const { rows } = await pool.query<{ zone: string; name: string | null }>(ZONE_NAMES(as_of, [[...zones]]))
  const names = new Map(rows.map(({ zone, name }) => [zone, name]))
  return records.map((record) =>
    record.zone && names.has(record.zone) ? { ...record, zone_name: names.get(record.zone) ?? null } : record,
  )
}

const ZONE_NAMES = asOfStatement(
  'zone-names',
  ({ zone_counties }) => `SELECT zone, min(name) AS name FROM ${zone_counties} z WHERE zone = ANY($1) GROUP BY zone`,
)
