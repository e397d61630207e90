import { byIdentifier, coveringSources } from '#domain/archive/coverage/covering-sources.ts'
import type { MonthSpan, WindowCoverage } from '#domain/archive/coverage/window-coverage.ts'
import { isSuspect } from '#domain/archive/plausibility.ts'
import type { ArchiveRecord } from '#domain/archive/record.ts'

/** The fields of a cited record that affect its coverage. */
type Cited = Pick<ArchiveRecord, 'source' | 'occurred_on' | 'preliminary' | 'compiled_on' | 'evidence_kind' | 'caveats'>

/**
 * Returns the coverage, corrected for the cited records. A selection of records marks no month as stored, yet its source
 * has some of the window and was searched, so a cited month cannot be reported as empty. Whether the window is complete
 * does not change.
 */
export function coverageWithCited(coverage: WindowCoverage, cited: Cited[]): WindowCoverage {
  const listed = new Set(coverage.sources.map(({ source }) => source))
  const unlisted = cited.filter(({ source }) => !listed.has(source))
  // A month is never missing for lack of radar.
  const seen = cited.filter(({ evidence_kind }) => evidence_kind !== 'radar')
  // An estimate on a suspect day does not count as radar of that day.
  const scans = cited.filter((record) => record.evidence_kind === 'radar' && !isSuspect(record))
  const scanned = new Set(scans.map(({ occurred_on }) => occurred_on))
  const within = ({ from, to }: MonthSpan) => seen.filter(({ occurred_on }) => occurred_on >= from && occurred_on.slice(0, 7) <= to)
  return {
    ...coverage,
    sources: unlisted.length === 0 ? coverage.sources : [...coverage.sources, ...coveringSources(unlisted)].sort(byIdentifier),
    missing: coverage.missing.filter((span) => within(span).length === 0),
    in_part: [...coverage.in_part, ...coverage.missing.filter((span) => within(span).length > 0)].sort((one, other) =>
      one.from < other.from ? -1 : 1,
    ),
    final_in_part: coverage.missing.some((span) => within(span).some(({ preliminary }) => !preliminary)),
    radar: { ...coverage.radar, days: Math.max(coverage.radar.days, scanned.size) },
  }
}

/** Adds the station source to the coverage of a place whose stations are used. They were searched, even if they are in the next state. */
export function coverageWithStations(coverage: WindowCoverage, observations: number): WindowCoverage {
  if (observations === 0 || coverage.sources.some(({ source }) => source === 'asos')) return coverage
  const stations = coveringSources([{ source: 'asos', compiled_on: null, preliminary: false }])
  return { ...coverage, sources: [...coverage.sources, ...stations].sort(byIdentifier) }
}
