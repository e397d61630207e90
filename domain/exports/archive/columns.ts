import { SOURCE_LABEL } from '#domain/archive/sources/index.ts'
import { TORNADO_RATING } from '#domain/archive/tornado-rating.ts'
import { precisions, qualifiers } from '#domain/closed-sets.ts'
import { families } from '#domain/weather/families.ts'
import { severities } from '#domain/weather/severities.ts'
import { evidenceKinds, recordSources, SAMPLE_SOURCE } from '#domain/weather/sources.ts'
import { recordTypes } from '#domain/weather/types.ts'

/** The type of a column's values; each file format maps it to its own. */
export type ColumnType = 'integer' | 'number' | 'text' | 'boolean' | 'day' | 'moment' | 'texts'

export interface ArchiveColumn {
  type: ColumnType
  /** The meaning of the column, for readers of a schema. */
  says: string
  /** An expression on a record `r`; each format wraps it to write the value in its own form. */
  sql: string
  /** All possible values, if they are a closed set. */
  values?: readonly string[]
}

const column = (type: ColumnType, says: string, sql: string): ArchiveColumn => ({ type, says, sql })
const ofSet = (values: readonly string[], says: string, sql: string): ArchiveColumn => ({ type: 'text', says, sql, values })

/** THE COLUMNS of an exported record, named as in the contract, with their units: the same in CSV, GeoParquet and OGC API Features. */
export const archiveColumns = {
  id: column('integer', 'The id of the record in the archive', 'r.id'),
  type: ofSet(recordTypes, 'What was recorded', 'r.type'),
  family: ofSet(families, 'The family of its type', 'r.family'),
  severity: ofSet(severities, 'How severe', 'r.severity'),
  occurred_on: column('day', 'The local date on which it began', 'r.occurred_on'),
  begins_at: column('moment', 'When it began, UTC', 'r.begins_at'),
  ends_at: column('moment', 'When it ended, UTC', 'r.ends_at'),
  time_unsure: column('boolean', 'Whether the source’s own time is unreliable', 'r.time_unsure'),
  hail_size_in: column('number', 'Largest hail, inches', 'r.hail_size_in'),
  wind_gust_mph: column('number', 'Strongest gust, miles an hour', 'r.wind_gust_mph'),
  wind_speed_mph: column('number', 'Sustained wind, miles an hour', 'r.wind_speed_mph'),
  tornado_ef_scale: column('number', 'The number of a tornado’s rating, 0 to 5', 'r.tornado_ef_scale'),
  tornado_rating: column(
    'text',
    'A tornado’s rating on the scale of its day: F3, EF3, EFU',
    `(CASE r.type WHEN 'tornado' THEN ${TORNADO_RATING} END)`,
  ),
  tornado_width_yd: column(
    'number',
    'The width of a tornado’s path as its source states it, yards: the greatest, before 1994 the mean',
    'r.tornado_width_yd',
  ),
  latitude: column('number', 'Degrees north of where it began; none for records of a county or a zone', 'r.latitude'),
  longitude: column('number', 'Degrees east of where it began', 'r.longitude'),
  end_latitude: column('number', 'Degrees north of where a path ended', 'r.end_latitude'),
  end_longitude: column('number', 'Degrees east of where a path ended', 'r.end_longitude'),
  county: column('text', 'The county', 'r.county'),
  county_fips: column('text', 'Its number, five digits', 'r.county_fips'),
  zone: column('text', 'The forecast zone that it names', 'r.zone'),
  state: column('text', 'The state, two letters', 'r.state'),
  precision: ofSet(precisions, 'How its place is stated', 'r.precision'),
  source: ofSet(recordSources, 'The source that states it', 'r.source'),
  source_label: column('text', 'The name of that source, and whether the record is final or preliminary', `(${SOURCE_LABEL})`),
  evidence_kind: ofSet(evidenceKinds, 'Ground, instrument or radar', 'r.evidence_kind'),
  is_observed: column('boolean', 'Whether a person or an instrument observed it', 'r.is_observed'),
  qualifier: ofSet(qualifiers, 'How its magnitude was obtained', 'r.qualifier'),
  provisional: column('boolean', 'Whether a final record may still replace it', 'r.preliminary'),
  caveats: column('texts', 'Doubts about it, in sentences', `coalesce(r.caveats, '{}')`),
  citation_url: column('text', 'The address where the source publishes it', 'r.citation_url'),
  description: column('text', 'The source’s description of it', 'r.description'),
  sample: column('boolean', 'Whether it is a made-up record of the sample storm day', `(r.source = '${SAMPLE_SOURCE}')`),
} satisfies Record<string, ArchiveColumn>

/** Returns the SQL that formats a moment as the contract does, in whole seconds. */
export const momentSql = (moment: string): string => `to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
