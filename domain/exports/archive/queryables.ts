import { type ArchiveColumn, archiveColumns } from '#domain/exports/archive/columns.ts'
import { keysOf, pick } from '#domain/kernel/keys-of.ts'

/** The columns that a filter may name. */
export const queryables = pick(archiveColumns, [
  'id',
  'type',
  'family',
  'severity',
  'occurred_on',
  'begins_at',
  'ends_at',
  'hail_size_in',
  'wind_gust_mph',
  'wind_speed_mph',
  'tornado_ef_scale',
  'tornado_width_yd',
  'latitude',
  'longitude',
  'county',
  'county_fips',
  'zone',
  'state',
  'precision',
  'source',
  'evidence_kind',
  'is_observed',
  'qualifier',
  'provisional',
  'sample',
])

export const queryableNames = keysOf(queryables)

/** The column that a filter may name; null for any other name. */
export function queryableOf(name: string): ArchiveColumn | null {
  const known = queryableNames.find((one) => one === name)
  return known ? queryables[known] : null
}
