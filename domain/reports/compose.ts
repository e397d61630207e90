import { coverageWithCited } from '#domain/archive/coverage/coverage-with-cited.ts'
import { type CoveringSource, type UnplacedZones, unplacedRecords } from '#domain/archive/coverage/window-coverage.ts'
import type { NearbyRecord } from '#domain/archive/record.ts'
import type { Evidence } from '#domain/archive/search/search.ts'
import { confidenceOf, confidenceRank } from '#domain/evidence/confidence.ts'
import { type Corroboration, corroboration } from '#domain/evidence/corroborate.ts'
import { onePerEpisode } from '#domain/evidence/episodes.ts'
import { supersede } from '#domain/evidence/supersede.ts'
import { groupBy } from '#domain/kernel/group-by.ts'
import { present } from '#domain/kernel/present.ts'
import { isPrecise, type LocatedPlace } from '#domain/places/place.ts'
import { cite } from '#domain/reports/cite.ts'
import { daysOf } from '#domain/reports/day-of-loss/days.ts'
import type { Loss } from '#domain/reports/day-of-loss/read-loss.ts'
import type { DayOfLossView, DayView } from '#domain/reports/day-of-loss/view.ts'
import { peaksOf } from '#domain/reports/peaks.ts'
import type { CitedRecordView, FindingView, ReportView } from '#domain/reports/view.ts'
import { coverageSummary } from '#domain/reports/wording/coverage-summary.ts'
import { dayOfLoss } from '#domain/reports/wording/day-of-loss.ts'
import { headlineOf } from '#domain/reports/wording/headline.ts'
import { statementOf } from '#domain/reports/wording/statement.ts'
import type { Viewpoint } from '#domain/reports/wording/viewpoint.ts'
import { familyLabel } from '#domain/weather/families.ts'
import { severityRank } from '#domain/weather/severities.ts'
import { evidenceKinds, evidenceKindTable } from '#domain/weather/sources.ts'

export interface ReportWindow {
  /** YYYY-MM-DD, both inclusive. */
  start: string
  end: string
  radius_miles: number
}

/** A record as cited, and as stored in the archive: maps draw its shape. */
export interface Citation {
  view: CitedRecordView
  record: NearbyRecord
}

/** A report as composed from its evidence. */
export interface Composition {
  place: LocatedPlace
  window: ReportWindow
  citations: Citation[]
  findings: FindingView[]
  observation_count: number
  coverage: ReportView['coverage']
  unplaced_zones: UnplacedZones[]
  /** Which compilations of each searched source the archive had. */
  vintages: Omit<CoveringSource, 'preliminary'>[]
  headline: string
  /** Null if no date of loss was named. */
  days: DayView[] | null
  day_of_loss: DayOfLossView | null
  sample: boolean
}

/**
 * Composes a report from the evidence: the citations, the findings and the coverage. Pure: the same evidence gives the same report.
 * @param as_of the point in time that the report is compiled as of; null for the present
 * @param loss the date of loss, which the report covers first; null if none was named
 */
export function compose(
  place: LocatedPlace,
  window: ReportWindow,
  evidence: Evidence,
  { as_of = null, loss = null }: { as_of?: Date | null; loss?: Loss | null } = {},
): Composition {
  const { observations, radar_over } = evidence
  const precise = isPrecise(place)
  const records = onePerEpisode(supersede(evidence.records, evidence.coverage.horizons), precise)
  const coverage = coverageWithCited(evidence.coverage, records)
  const view: Viewpoint = { place, window, sample: coverage.sample, as_of, radar_over, unplaced_zones: coverage.unplaced_zones }
  const findings = findingsOf(records, corroboration(records, observations.gusts), view)
  const days = loss && daysOf(records, loss, window, place.timezone)
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
      unplaced_zone_records: unplacedRecords(coverage.unplaced_zones),
    },
    unplaced_zones: coverage.unplaced_zones,
    vintages: coverage.sources.map(({ preliminary: _, ...vintage }) => vintage),
    headline: headlineOf(records, findings, coverage, view),
    days,
    day_of_loss: loss && days && dayOfLoss(records, days, loss, coverage, view),
    sample: coverage.sample,
  }
}

/** Returns one finding per family: highest confidence first, then the most severe, then the nearest. */
function findingsOf(records: NearbyRecord[], corroborated: Corroboration, view: Viewpoint): FindingView[] {
  return [...groupBy(records, (record) => record.family).values()]
    .map((family) => findingOf(family, records, corroborated, view))
    .sort(
      (a, b) =>
        confidenceRank(b.confidence) - confidenceRank(a.confidence) ||
        severityRank(b.peak_severity) - severityRank(a.peak_severity) ||
        nearness(a) - nearness(b),
    )
}

function findingOf(records: NearbyRecord[], cited: NearbyRecord[], corroborated: Corroboration, view: Viewpoint): FindingView {
  const first = present(records[0])
  const kinds = evidenceKinds.filter((kind) => records.some((record) => record.evidence_kind === kind))
  const dates = [...new Set(records.map((record) => record.occurred_on))].sort().reverse()
  return {
    family: first.family,
    family_label: familyLabel(first.family),
    event_count: records.length,
    evidence_kinds: kinds,
    evidence_labels: kinds.map((kind) => evidenceKindTable[kind].label),
    dates,
    most_recent: dates[0] ?? first.occurred_on,
    ...peaksOf(records),
    any_observed: records.some((record) => record.is_observed),
    ...confidenceOf(records, corroborated, view.place),
    statement: statementOf(records, view, cited),
  }
}

function nearness({ nearest_miles }: FindingView): number {
  return nearest_miles ?? Number.POSITIVE_INFINITY
}
