import type pg from 'pg'
import type { ArchiveRecord, StoredRecord } from '#domain/archive/record.ts'

/** What a record says: a change in one of these is a change of the record. */
export const contentColumns = [
  'type',
  'family',
  'severity',
  'occurred_on',
  'begins_at',
  'ends_at',
  'time_unsure',
  'wind_speed_mph',
  'wind_gust_mph',
  'hail_size_in',
  'tornado_ef_scale',
  'latitude',
  'longitude',
  'end_latitude',
  'end_longitude',
  'corners',
  'county',
  'county_fips',
  'county_mismatch',
  'zone',
  'state',
  'precision',
  'evidence_kind',
  'is_observed',
  'qualifier',
  'preliminary',
  'reporter',
  'citation_url',
  'description',
  'caveats',
] as const satisfies (keyof ArchiveRecord)[]

/** Where its words came from: these follow the newest file without being a change. */
export const originColumns = [
  'file_name',
  'compiled_on',
  'issued_at',
  'file_id',
  'span_start',
  'span_length',
] as const satisfies (keyof ArchiveRecord)[]

const read: Partial<Record<string, string>> = {
  caveats: `coalesce(caveats, '{}') AS caveats, caveats IS NOT NULL AS judged`,
  // The driver would give a bigint as text.
  span_start: 'span_start::float8',
}
const columns = ['id', 'source', 'source_key', ...contentColumns, ...originColumns].map((column) => read[column] ?? column).join(', ')
const READ = { name: 'held-records', text: `SELECT ${columns} FROM archive_records WHERE id = ANY($1::int[])` }

/** The records of these ids, in no order; ids that are not there are left out. */
export async function readRecords(pool: Pick<pg.ClientBase, 'query'>, ids: number[]): Promise<StoredRecord[]> {
  if (ids.length === 0) return []
  const { rows } = await pool.query<StoredRecord>({ ...READ, values: [ids] })
  return rows
}
