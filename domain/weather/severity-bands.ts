import { type Severity, severities, severityRank, severityRow } from '#domain/weather/severities.ts'
import { severityOnLine } from '#domain/weather/severity-of.ts'

/** How large something was, in no finer steps than the lines between severities. */
export interface SeverityBand {
  severity: Severity
  /** "under 1 in", "58 to 70 mph", "2.75 in or more"; null where no record states a size. */
  range: string | null
}

const units = { hail_in: 'in', gust_mph: 'mph' } as const

/** The band in which a size in inches or a speed in miles an hour lies: each begins with its line. @param value null where none is stated */
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
