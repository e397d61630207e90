import { precisions, qualifiers } from '#domain/closed-sets.ts'
import { type ArchiveColumn, archiveColumns } from '#domain/exports/archive/columns.ts'
import { keysOf } from '#domain/kernel/keys-of.ts'
import { families } from '#domain/weather/families.ts'
import { severities } from '#domain/weather/severities.ts'
import { evidenceKinds, recordSources } from '#domain/weather/sources.ts'
import { recordTypes } from '#domain/weather/types.ts'

/** A column by which records may be asked for. */
interface Queryable extends Pick<ArchiveColumn, 'type' | 'says'> {
  /** Of a record `r`. */
  sql: string
  /** All that it can be, where that is a closed set. */
  values?: readonly string[]
}

type ColumnName = keyof typeof archiveColumns

function queryable(name: ColumnName, sql = `r.${name}`, values?: readonly string[]): Queryable {
  const { type, says } = archiveColumns[name]
  return { type, says, sql, ...(values && { values }) }
}

const ofSet = (name: ColumnName, values: readonly string[]) => queryable(name, `r.${name}`, values)

/** THE COLUMNS that a filter may name. */
export const queryables = {
  id: queryable('id'),
  type: ofSet('type', recordTypes),
  family: ofSet('family', families),
  severity: ofSet('severity', severities),
  occurred_on: queryable('occurred_on'),
  begins_at: queryable('begins_at'),
  ends_at: queryable('ends_at'),
  hail_size_in: queryable('hail_size_in'),
  wind_gust_mph: queryable('wind_gust_mph'),
  wind_speed_mph: queryable('wind_speed_mph'),
  tornado_ef_scale: queryable('tornado_ef_scale'),
  latitude: queryable('latitude'),
  longitude: queryable('longitude'),
  county: queryable('county'),
  county_fips: queryable('county_fips'),
  zone: queryable('zone'),
  state: queryable('state'),
  precision: ofSet('precision', precisions),
  source: ofSet('source', recordSources),
  evidence_kind: ofSet('evidence_kind', evidenceKinds),
  is_observed: queryable('is_observed'),
  qualifier: ofSet('qualifier', qualifiers),
  provisional: queryable('provisional', 'r.preliminary'),
  sample: queryable('sample', `(r.source = 'sample')`),
} satisfies Partial<Record<ColumnName, Queryable>>

export const queryableNames = keysOf(queryables)

export function queryableOf(name: string): Queryable | null {
  const known = queryableNames.find((one) => one === name)
  return known ? queryables[known] : null
}
