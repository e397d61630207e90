import { type Severity, severities, severityRank, severityRow } from '#domain/weather/severities.ts'
import { type RecordType, weatherType } from '#domain/weather/types.ts'

export interface Magnitudes {
  type: RecordType
  hail_size_in: number | null
  wind_gust_mph: number | null
  wind_speed_mph: number | null
  tornado_ef_scale: number | null
}

/** Returns the severity of a record: the highest of those by hail size, by wind, and by type and tornado rating. */
export function severityOf(record: Magnitudes): Severity {
  const candidates = [
    severityOnLine('hail_in', record.hail_size_in),
    severityOnLine('gust_mph', record.wind_gust_mph ?? record.wind_speed_mph),
    byType(record),
  ]
  return candidates.reduce((highest, next) => (severityRank(next) > severityRank(highest) ? next : highest))
}

/** Returns the highest severity whose threshold a size in inches or a speed in miles an hour reaches; unknown if not stated. */
export function severityOnLine(line: 'hail_in' | 'gust_mph', value: number | null): Severity {
  if (value === null) return 'unknown'
  return severities.findLast((severity) => value >= (severityRow(severity)[line] ?? Number.POSITIVE_INFINITY)) ?? 'minor'
}

/** Severity by type. A strong tornado is higher; for high wind with a gust, only the gust counts. */
function byType({ type, tornado_ef_scale, wind_gust_mph }: Magnitudes): Severity {
  if (type === 'tornado' && tornado_ef_scale !== null && tornado_ef_scale >= STRONG_EF) return 'extreme'
  if (type === 'high_wind' && wind_gust_mph !== null) return 'minor'
  return weatherType(type).severity
}

/** EF2 is the first rating of strong tornadoes. */
const STRONG_EF = 2
