import type pg from 'pg'
import { versionColumns } from '#domain/archive/versions/keep-records.ts'
import { messageTypes } from '#domain/archive/warnings/message-types.ts'

/**
 * The archive's tables as a statement reads them: the current tables, or their rows as known at a point in time. Each
 * replaces a table name.
 */
export interface ArchiveTables {
  records: string
  coverage: string
  coverage_days: string
  /** `url` and `watermark` of the feeds of preliminary reports as of a time; of every feed in the current table. */
  feed_states: string
  zone_counties: string
  stations: string
  observations: string
  radar_frames: string
  radar_days: string
  /** Messages with the key of their warning, `warning_key`, and its id; the id is 0 if the warning no longer exists. */
  warning_messages: string
}

/** A statement on the archive as of a point in time; null means now. */
export type AsOfStatement = (as_of: Date | null, values: unknown[]) => pg.QueryConfig

/** Builds a statement that can run as of a point in time. For now it uses the tables themselves, at no extra cost. */
export function asOfStatement(name: string, text: (tables: ArchiveTables) => string): AsOfStatement {
  const currentText = text(currentTables)
  return (as_of, values) =>
    as_of === null
      ? { name, text: currentText, values }
      : { name: `${name}.as-of`, text: text(tablesAt(`$${values.length + 1}`)), values: [...values, as_of] }
}

const messages = Object.keys(messageTypes)
  // The driver would return a bigint as text.
  .map((column) => (column === 'span_start' ? 'm.span_start::float8' : `m.${column}`))
  .join(', ')

const currentTables: ArchiveTables = {
  records: 'archive_records',
  coverage: 'coverage',
  coverage_days: 'coverage_days',
  feed_states: 'feed_states',
  zone_counties: 'zone_counties',
  stations: 'stations',
  observations: 'observations',
  radar_frames: 'radar_frames',
  radar_days: 'radar_days',
  warning_messages: `(SELECT w.source_key AS warning_key, m.warning_id, ${messages} FROM warnings w JOIN warning_messages m ON m.warning_id = w.id)`,
}

/** @param moment the parameter of the point in time: $5 */
function tablesAt(moment: string): ArchiveTables {
  const known = (revision: string) =>
    `(${revision} = 0 OR EXISTS (SELECT FROM archive_revisions k WHERE k.id = ${revision} AND k.known_at <= ${moment}::timestamptz))`
  const inEffect = `${known('v.from_revision')} AND NOT ${known('v.until_revision')}`
  /** Rows unchanged since then, and the versions of those that have changed. */
  const unionOf = (table: string, versions: string, columns: string) =>
    `(SELECT ${columns} FROM ${table} v WHERE ${known('v.revision')} UNION ALL SELECT ${columns} FROM ${versions} v WHERE ${inEffect})`
  const contentColumns = versionColumns.map((column) => `v.${column}`).join(', ')
  return {
    records: `(
      SELECT v.id, v.source, v.source_key, ${contentColumns}, v.withdrawn_at FROM archive_records v WHERE v.withdrawn_at IS NULL AND ${known('v.revision')}
       UNION ALL
      SELECT v.record_id, r.source, r.source_key, ${contentColumns}, NULL::timestamptz FROM record_versions v JOIN archive_records r ON r.id = v.record_id WHERE ${inEffect})`,
    coverage: unionOf('coverage', 'coverage_versions', 'source, state, month, preliminary, compiled_on'),
    coverage_days: `(
      SELECT source, state, day, moments, CASE WHEN ${known('v.largest_since')} THEN largest_since END AS largest_since
        FROM coverage_days v WHERE ${known('v.revision')})`,
    feed_states: `(
      SELECT DISTINCT ON (source) source AS url, watermark FROM feed_marks v WHERE ${known('v.revision')} ORDER BY source, revision DESC)`,
    zone_counties: unionOf('zone_counties', 'zone_county_versions', 'zone, county_fips, name'),
    stations: `(
      SELECT v.id, v.latitude, v.longitude, v.cell FROM stations v WHERE ${known('v.revision')}
       UNION ALL SELECT v.station_id, v.latitude, v.longitude, v.cell FROM station_versions v WHERE ${inEffect})`,
    observations: unionOf('observations', 'observation_versions', 'station_id, observed_at, wind_gust_mph, precipitation_in'),
    radar_frames: `(SELECT * FROM radar_frames v WHERE ${known('v.revision')})`,
    // A day that was raised since had another value then, which is not kept.
    radar_days: `(SELECT * FROM radar_days v WHERE ${known('v.revision')})`,
    warning_messages: `(
      SELECT w.source_key AS warning_key, m.warning_id, ${messages} FROM warnings w JOIN warning_messages m ON m.warning_id = w.id WHERE ${known('m.revision')}
       UNION ALL
      SELECT m.warning_key, coalesce(w.id, 0), ${messages} FROM warning_message_versions m LEFT JOIN warnings w ON w.source_key = m.warning_key
       WHERE ${known('m.from_revision')} AND NOT ${known('m.until_revision')})`,
  }
}
