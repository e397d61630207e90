import { type Severity, severities, severityRank, severityRow } from '#domain/weather/severities.ts'
import { severityOnLine } from '#domain/weather/severity-of.ts'

/** A magnitude in steps no finer than the severity thresholds. */
export interface SeverityBand {
  severity: Severity
  /** "under 1 in", "58 to 70 mph", "2.75 in or more"; null if no record states a size. */
  range: string | null
}

const units = { hail_in: 'in', gust_mph: 'mph' } as const

/** Returns the band of a size in inches or a speed in miles an hour; a band includes its lower threshold. @param value null: not stated */
export function bandOf(line: keyof typeof units, value: number | null): SeverityBand {
  const severity = severityOnLine(line, value)
  if (value === null) return { severity, range: null }
  const from = severityRow(severity)[line]
  const next = severities.find((higher) => severityRank(higher) === severityRank(severity) + 1)
  const to = next ? severityRow(next)[line] : null
  const unit = units[line]
  if (!from) return { severity, range: `under ${to} ${unit}` }
  return { severity, range: to === null ? `${from} ${unit} or more` : `${from} to ${to} ${unit}` }
}
