import type pg from 'pg'
import { IN_USE } from '#domain/archive/search/superseded.ts'
import type { Precision, Qualifier } from '#domain/closed-sets.ts'
import type { Family } from '#domain/weather/families.ts'
import type { Severity } from '#domain/weather/severities.ts'
import type { EvidenceKind, RecordSource } from '#domain/weather/sources.ts'
import type { RecordType } from '#domain/weather/types.ts'

/** A record of the archive as it is exported. */
export interface ExportedRecord {
  id: number
  type: RecordType
  family: Family
  severity: Severity
  /** YYYY-MM-DD, local. */
  occurred_on: string
  /** Milliseconds since 1970, UTC; the driver's dates would take as long to make as all the rest of a row. */
  begins_at: number
  ends_at: number | null
  time_unsure: boolean
  hail_size_in: number | null
  wind_gust_mph: number | null
  wind_speed_mph: number | null
  tornado_ef_scale: number | null
  latitude: number | null
  longitude: number | null
  end_latitude: number | null
  end_longitude: number | null
  county: string | null
  county_fips: string | null
  zone: string | null
  state: string | null
  precision: Precision
  source: RecordSource
  evidence_kind: EvidenceKind
  is_observed: boolean
  qualifier: Qualifier | null
  preliminary: boolean
  /** Sentences as JSON. */
  caveats: string
  citation_url: string
  description: string
}

/** A condition on a record `r` in SQL; each value goes through `bind`, which answers what stands for it. */
export type Condition = (bind: (value: unknown) => string) => string

/** Behind which record a page begins. */
export type RecordKey = Pick<ExportedRecord, 'occurred_on' | 'id'>

const MILLISECONDS = (column: string) => `(extract(epoch FROM r.${column}) * 1000)::float8 AS ${column}`

const COLUMNS = `r.id, r.type, r.family, r.severity, r.occurred_on, ${MILLISECONDS('begins_at')}, ${MILLISECONDS('ends_at')}, r.time_unsure,
  r.hail_size_in, r.wind_gust_mph, r.wind_speed_mph, r.tornado_ef_scale, r.latitude, r.longitude, r.end_latitude, r.end_longitude, r.county,
  r.county_fips, r.zone, r.state, r.precision, r.source, r.evidence_kind, r.is_observed, r.qualifier, r.preliminary,
  coalesce(to_json(r.caveats)::text, '[]') AS caveats, r.citation_url, r.description`

/**
 * What the archive says now: neither what a source has withdrawn, nor a preliminary record that a final one took the place of, nor a cell of the
 * radar grid, which is a record only because somebody asked there.
 */
const EXPORTED = `r.withdrawn_at IS NULL AND r.precision <> 'grid' AND ${IN_USE}`

/** One page of the records that meet every condition, newest day first. */
export async function readExported(
  pool: Pick<pg.ClientBase, 'query'>,
  conditions: readonly Condition[],
  { behind = null, size }: { behind?: RecordKey | null; size: number },
): Promise<ExportedRecord[]> {
  const values: unknown[] = []
  const bind = (value: unknown) => `$${values.push(value)}`
  const met = behind
    ? [...conditions, (to: typeof bind) => `(r.occurred_on, r.id) < (${to(behind.occurred_on)}::date, ${to(behind.id)}::int)`]
    : conditions
  const text = `SELECT ${COLUMNS} FROM archive_records r WHERE ${[EXPORTED, ...met.map((condition) => condition(bind))].join(' AND ')}
                 ORDER BY r.occurred_on DESC, r.id DESC LIMIT ${bind(size)}::int`
  const { rows } = await pool.query<ExportedRecord>(text, values)
  return rows
}

/** Conditions that listings and exports share. */
export const recordsOf = {
  days: (from: string | null, to: string | null): Condition[] => [
    ...(from === null ? [] : [(bind: Parameters<Condition>[0]) => `r.occurred_on >= ${bind(from)}::date`]),
    ...(to === null ? [] : [(bind: Parameters<Condition>[0]) => `r.occurred_on <= ${bind(to)}::date`]),
  ],
  types:
    (types: readonly RecordType[]): Condition =>
    (bind) =>
      `r.type = ANY(${bind(types)}::text[])`,
  states:
    (states: readonly string[]): Condition =>
    (bind) =>
      `r.state = ANY(${bind(states)}::text[])`,
  id:
    (id: number): Condition =>
    (bind) =>
      `r.id = ${bind(id)}::int`,
}
