import type { ArchiveRecord } from '#domain/archive/record.ts'

/** The content of a record: a change in one of these columns is a change of the record. */
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
  'tornado_width_yd',
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

/** The origin of a record: these columns follow the newest file without counting as a change. */
export const originColumns = [
  'file_name',
  'compiled_on',
  'issued_at',
  'file_id',
  'span_start',
  'span_length',
] as const satisfies (keyof ArchiveRecord)[]
