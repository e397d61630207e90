import { type Severity, severityRank } from '#domain/weather/severities.ts'
import type { Magnitudes } from '#domain/weather/severity-of.ts'
import { weatherType } from '#domain/weather/types.ts'

/** Returns the one figure that a map shows for a record: inches of hail, miles per hour of wind, the rating of a tornado. */
export function figureOf({ type, hail_size_in, wind_gust_mph, wind_speed_mph, tornado_ef_scale }: Magnitudes): number | null {
  const { phenomenon } = weatherType(type)
  if (phenomenon === 'hail') return hail_size_in
  if (phenomenon === 'wind') return wind_gust_mph ?? wind_speed_mph
  return phenomenon === 'tornado' ? tornado_ef_scale : null
}

export interface Strength {
  severity: Severity
  value: number | null
  /** Days since 1970. */
  day: number
  id: number
}

/** Strongest first: by severity, then figure, then the newer; the id breaks ties. */
export function byStrength(one: Strength, other: Strength): number {
  return (
    severityRank(other.severity) - severityRank(one.severity) ||
    (other.value ?? -1) - (one.value ?? -1) ||
    other.day - one.day ||
    other.id - one.id
  )
}
