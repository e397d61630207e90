import { keysOf, tableOf } from '#domain/kernel/keys-of.ts'
/**
 * How severe a record is, from least to most; `unknown` is for a record whose type has a magnitude but that states none.
 * `code` is what packed lists store: it never changes, and does not follow the order. `hail_in` and `gust_mph` are the thresholds
 * for a size and a speed: the severe criteria of 1.00 in and 58 mph, then the damage-threat tags CONSIDERABLE and DESTRUCTIVE of
 * severe thunderstorm warnings (since August 2021). `mark_px` is the radius of a mark on the map page, zoomed out and zoomed in.
 */
export const severityTable = {
  unknown: { code: 0, hail_in: null, gust_mph: null, mark_px: [2.5, 6] },
  minor: { code: 1, hail_in: 0, gust_mph: 0, mark_px: [2.5, 6] },
  moderate: { code: 2, hail_in: 1, gust_mph: 58, mark_px: [3.2, 7.5] },
  severe: { code: 3, hail_in: 1.75, gust_mph: 70, mark_px: [4, 9] },
  extreme: { code: 4, hail_in: 2.75, gust_mph: 80, mark_px: [5, 11] },
} as const satisfies Record<string, SeverityRow>

interface SeverityRow {
  code: number
  hail_in: number | null
  gust_mph: number | null
  mark_px: readonly [widest: number, closest: number]
}

export type Severity = keyof typeof severityTable
export const severities = keysOf(severityTable)

/** The table row of a severity. */
export function severityRow(severity: Severity): SeverityRow {
  return severityTable[severity]
}

/** 0 for unknown up to 4 for extreme: for ordering. */
export function severityRank(severity: Severity): number {
  return ranks[severity]
}

const ranks = tableOf(severities, (_severity, rank) => rank)
