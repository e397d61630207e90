import { sourceLabel } from '#domain/archive/sources/index.ts'
import { tornadoRating } from '#domain/archive/tornado-rating.ts'
import type { ExportedRecord } from '#domain/exports/archive/records.ts'

/** What a column holds: a moment is milliseconds since 1970, a day YYYY-MM-DD, a list of texts JSON. */
export type ColumnType = 'integer' | 'number' | 'text' | 'boolean' | 'day' | 'moment' | 'texts'

export interface ArchiveColumn {
  type: ColumnType
  /** What it says, for those who read a schema. */
  says: string
  of(record: ExportedRecord): number | string | boolean | null
}

const labels = new Map<string, string>()

function labelOf(record: ExportedRecord): string {
  const key = `${record.source} ${record.preliminary}`
  const known = labels.get(key) ?? sourceLabel(record)
  labels.set(key, known)
  return known
}

const column = (type: ColumnType, says: string, of: ArchiveColumn['of']): ArchiveColumn => ({ type, says, of })

/** THE COLUMNS of an exported record, by the contract's names with their units, in CSV, GeoParquet and OGC API Features alike. */
export const archiveColumns = {
  id: column('integer', 'The archive’s own number of the record', ({ id }) => id),
  type: column('text', 'What was recorded', ({ type }) => type),
  family: column('text', 'The family of its type', ({ family }) => family),
  severity: column('text', 'How severe', ({ severity }) => severity),
  occurred_on: column('day', 'The local date on which it began', ({ occurred_on }) => occurred_on),
  begins_at: column('moment', 'When it began, UTC', ({ begins_at }) => begins_at),
  ends_at: column('moment', 'When it ended, UTC', ({ ends_at }) => ends_at),
  time_unsure: column('boolean', 'Whether the source’s own time is unreliable', ({ time_unsure }) => time_unsure),
  hail_size_in: column('number', 'Largest hail, inches', ({ hail_size_in }) => hail_size_in),
  wind_gust_mph: column('number', 'Strongest gust, miles an hour', ({ wind_gust_mph }) => wind_gust_mph),
  wind_speed_mph: column('number', 'Sustained wind, miles an hour', ({ wind_speed_mph }) => wind_speed_mph),
  tornado_ef_scale: column('number', 'The number of a tornado’s rating, 0 to 5', ({ tornado_ef_scale }) => tornado_ef_scale),
  tornado_rating: column('text', 'A tornado’s rating on the scale of its day: F3, EF3, EFU', (record) =>
    record.type === 'tornado' ? tornadoRating(record) : null,
  ),
  latitude: column('number', 'Degrees north of where it began; none for records of a county or a zone', ({ latitude }) => latitude),
  longitude: column('number', 'Degrees east of where it began', ({ longitude }) => longitude),
  end_latitude: column('number', 'Degrees north of where a path ended', ({ end_latitude }) => end_latitude),
  end_longitude: column('number', 'Degrees east of where a path ended', ({ end_longitude }) => end_longitude),
  county: column('text', 'The county', ({ county }) => county),
  county_fips: column('text', 'Its number, five digits', ({ county_fips }) => county_fips),
  zone: column('text', 'The forecast zone that it names', ({ zone }) => zone),
  state: column('text', 'The state, two letters', ({ state }) => state),
  precision: column('text', 'What it says of where', ({ precision }) => precision),
  source: column('text', 'The source that states it', ({ source }) => source),
  source_label: column('text', 'That source in words, and how settled the record is', labelOf),
  evidence_kind: column('text', 'Ground, instrument or radar', ({ evidence_kind }) => evidence_kind),
  is_observed: column('boolean', 'Whether somebody or an instrument saw it', ({ is_observed }) => is_observed),
  qualifier: column('text', 'How its magnitude was come by', ({ qualifier }) => qualifier),
  provisional: column('boolean', 'Whether a final record may still take its place', ({ preliminary }) => preliminary),
  caveats: column('texts', 'What is doubted of it, in sentences', ({ caveats }) => caveats),
  citation_url: column('text', 'Where the source publishes it', ({ citation_url }) => citation_url),
  description: column('text', 'What the source says of it', ({ description }) => description),
  sample: column('boolean', 'Whether it is made up, of the sample storm day', ({ source }) => source === 'sample'),
} satisfies Record<string, ArchiveColumn>

/** A cell as text formats have it: a moment as the contract writes it, in whole seconds. */
export function textCell({ type, of }: ArchiveColumn, record: ExportedRecord): number | string | boolean | null {
  const value = of(record)
  return type === 'moment' && typeof value === 'number' ? momentText(value) : value
}

const momentText = (milliseconds: number) => `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
