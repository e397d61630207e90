import { monthSpansOf, monthsBetween } from '#domain/archive/coverage/coverage-months.ts'
import { byIdentifier, coveringSources } from '#domain/archive/coverage/covering-sources.ts'
import type { CoveringSource, MonthSpan, WindowCoverage } from '#domain/archive/coverage/window-coverage.ts'
import { isSuspect } from '#domain/archive/plausibility.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'

/** The fields of a cited record that affect its coverage. */
type Cited = Pick<ArchiveRecord, 'source' | 'occurred_on' | 'preliminary' | 'compiled_on' | 'evidence_kind' | 'caveats'>

/**
 * Returns the coverage, corrected for the cited records. A selection of records marks no month as stored, yet its source
 * has some of the window and was searched, so a cited month cannot be reported as empty; the months around it can. Whether the
 * window is complete does not change.
 */
export function coverageWithCited(coverage: WindowCoverage, cited: Cited[]): WindowCoverage {
  const listed = new Set(coverage.sources.map(({ source }) => source))
  const unlisted = cited.filter(({ source }) => !listed.has(source))
  const sources = unlisted.length === 0 ? coverage.sources : [...coverage.sources, ...coveringSources(unlisted)].sort(byIdentifier)
  // A month is never missing for lack of radar.
  const seen = cited.filter(({ evidence_kind }) => evidence_kind !== 'radar')
  // An estimate on a suspect day does not count as radar of that day.
  const scans = cited.filter((record) => record.evidence_kind === 'radar' && !isSuspect(record))
  const scanned = new Set(scans.map(({ occurred_on }) => occurred_on))
  const monthsOf = (records: Cited[]) => new Set(records.map(({ occurred_on }) => occurred_on.slice(0, 7)))
  const [citedMonths, finalMonths] = [monthsOf(seen), monthsOf(seen.filter(({ preliminary }) => !preliminary))]
  const missing = monthsIn(coverage.missing)
  const isCited = (month: string) => citedMonths.has(month)
  return {
    ...coverage,
    sources: sources.map((source) => withUndated(source, cited)),
    missing: monthSpansOf(missing.filter((month) => !isCited(month))),
    in_part: monthSpansOf([...monthsIn(coverage.in_part), ...missing.filter(isCited)].sort()),
    final_in_part: missing.some((month) => finalMonths.has(month)),
    radar: { ...coverage.radar, days: Math.max(coverage.radar.days, scanned.size) },
  }
}

/** A selection of records has no compile date: the date of the source's other files is not that of its records. */
function withUndated(source: CoveringSource, cited: Cited[]): CoveringSource {
  const undated = source.compiled_on !== null && cited.some((record) => record.source === source.source && record.compiled_on === null)
  return undated ? { ...source, undated } : source
}

const monthsIn = (spans: MonthSpan[]) => spans.flatMap(({ from, to }) => monthsBetween(from, to))

/** Adds the station source to the coverage of a place whose stations are used. They were searched, even if they are in the next state. */
export function coverageWithStations(coverage: WindowCoverage, observations: number): WindowCoverage {
  if (observations === 0 || coverage.sources.some(({ source }) => source === 'asos')) return coverage
  const stations = coveringSources([{ source: 'asos', compiled_on: null, preliminary: false }])
  return { ...coverage, sources: [...coverage.sources, ...stations].sort(byIdentifier) }
}
