import { admitting } from '#domain/archive/coverage.ts'
import { familyLabel, severityRank } from '#domain/archive/families.ts'
import { evidenceKinds, type NearbyRecord } from '#domain/archive/record.ts'
import type { Evidence } from '#domain/archive/search.ts'
import type { LocatedPlace } from '#domain/places/place.ts'
import { cite } from '#domain/reports/cite.ts'
import { confidenceLabels, confidenceOf, confidenceRank } from '#domain/reports/confidence.ts'
import { type Corroboration, corroboration } from '#domain/reports/corroborate.ts'
import { coverageSummary } from '#domain/reports/coverage-summary.ts'
import { isRadar, onePerEpisode } from '#domain/reports/episodes.ts'
import { groupBy } from '#domain/reports/group.ts'
import { hundredths } from '#domain/reports/rounding.ts'
import { supersede } from '#domain/reports/supersede.ts'
import type { CitedRecordView, FindingView, ReportView } from '#domain/reports/view.ts'
import { headlineOf, statementOf, type Viewpoint } from '#domain/reports/wording.ts'

export interface ReportWindow {
  /** YYYY-MM-DD, both included. */
  start: string
  end: string
  radius_miles: number
}

/** A record as cited, and as it is held: maps draw its shape. */
export interface Citation {
  view: CitedRecordView
  record: NearbyRecord
}

/** Everything that the evidence makes of a report. */
export interface Composition {
  place: LocatedPlace
  window: ReportWindow
  citations: Citation[]
  findings: FindingView[]
  observation_count: number
  coverage: ReportView['coverage']
  vintages: { source: string; label: string; compiled_on: string | null }[]
  headline: string
  sample: boolean
}

const evidenceLabels = { ground: 'Ground report', instrument: 'Instrument measurement', radar: 'Radar estimate' } as const

/** Makes the report of the evidence: what is cited, what it says together, what was searched. Pure: the same evidence gives the same report. */
export function compose(place: LocatedPlace, window: ReportWindow, evidence: Evidence): Composition {
  const { observations } = evidence
  const precise = place.precision === 'point' || place.precision === 'range'
  const records = onePerEpisode(supersede(evidence.records, evidence.coverage.horizons), precise)
  const coverage = admitting(evidence.coverage, records)
  const view: Viewpoint = { place, window, precise, sample: coverage.sample }
  const findings = findingsOf(records, corroboration(records, observations.gusts), view)
  const found = new Set(records.map((record) => record.source)).size
  return {
    place,
    window,
    citations: records.map((record) => ({ view: cite(record), record })),
    findings,
    observation_count: observations.count,
    coverage: {
      complete: coverage.complete,
      provisional: coverage.provisional,
      summary: coverageSummary(coverage, found, view),
      sources_searched: coverage.sources.map(({ source }) => source).sort(),
    },
    vintages: coverage.sources.map(({ source, label, compiled_on }) => ({ source, label, compiled_on })),
    headline: headlineOf(findings[0]?.statement, coverage, view),
    sample: coverage.sample,
  }
}

/** One finding a family: the surest first, then the most severe, then the nearest. */
function findingsOf(records: NearbyRecord[], corroborated: Corroboration, view: Viewpoint): FindingView[] {
  return [...groupBy(records, (record) => record.family).values()]
    .map((family) => findingOf(family, corroborated, view))
    .sort(
      (a, b) =>
        confidenceRank(b.confidence) - confidenceRank(a.confidence) ||
        severityRank(b.peak_severity) - severityRank(a.peak_severity) ||
        nearness(a) - nearness(b),
    )
}

function findingOf(records: NearbyRecord[], corroborated: Corroboration, view: Viewpoint): FindingView {
  const [first] = records as [NearbyRecord, ...NearbyRecord[]]
  const seen = records.filter((record) => !isRadar(record))
  const kinds = evidenceKinds.filter((kind) => records.some((record) => record.evidence_kind === kind))
  const dates = [...new Set(records.map((record) => record.occurred_on))].sort().reverse()
  const confidence = confidenceOf(records, corroborated, view.precise)
  return {
    family: first.family,
    family_label: familyLabel(first.family),
    event_count: records.length,
    peak_severity: records.map((record) => record.severity).reduce((peak, next) => (severityRank(next) > severityRank(peak) ? next : peak)),
    evidence_kinds: kinds,
    evidence_labels: kinds.map((kind) => evidenceLabels[kind]),
    dates,
    most_recent: dates[0] ?? first.occurred_on,
    peak_hail_in: largest(seen.map((record) => record.hail_size_in)) ?? largest(records.map((record) => record.hail_size_in)),
    peak_wind_mph: largest(records.flatMap((record) => [record.wind_gust_mph, record.wind_speed_mph])),
    peak_tornado_ef: largest(records.map((record) => record.tornado_ef_scale)),
    nearest_miles: smallest(records.map((record) => record.distance_miles)),
    any_observed: records.some((record) => record.is_observed),
    confidence,
    confidence_label: confidenceLabels[confidence],
    statement: statementOf(records, view),
  }
}

function nearness({ nearest_miles }: FindingView): number {
  return nearest_miles ?? Number.POSITIVE_INFINITY
}

function largest(values: (number | null)[]): number | null {
  return hundredths(extreme(values, (a, b) => a > b))
}

function smallest(values: (number | null)[]): number | null {
  return hundredths(extreme(values, (a, b) => a < b))
}

/** The value that wins against all others; null where none is stated. */
function extreme(values: (number | null)[], wins: (a: number, b: number) => boolean): number | null {
  return values.reduce((best, value) => (value !== null && (best === null || wins(value, best)) ? value : best), null)
}
